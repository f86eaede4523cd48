// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"google.golang.org/adk/v2/session"
)

// kept is what of a state delta is stored.
func kept(delta map[string]any) map[string]any {
	delta = maps.Clone(delta)
	maps.DeleteFunc(delta, func(key string, _ any) bool { return strings.HasPrefix(key, session.KeyPrefixTemp) })
	return delta
}

// plain is a value in JSON. What JSON cannot say, as a channel or NaN, becomes text.
func plain(value any) []byte {
	text, _ := json.Marshal(sayable(reflect.ValueOf(value), 0))
	return text
}

func sayable(v reflect.Value, depth int) any {
	if !v.IsValid() || depth > 100 { // nil, or what contains itself
		return nil
	}
	if text, err := json.Marshal(v.Interface()); err == nil {
		return json.RawMessage(text)
	}
	fields := map[string]any{}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return sayable(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		items := []any{}
		for _, item := range v.Seq2() {
			items = append(items, sayable(item, depth+1))
		}
		return items
	case reflect.Map:
		for key, item := range v.Seq2() {
			fields[fmt.Sprint(key)] = sayable(item, depth+1)
		}
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(v.Type()) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			item, err := v.FieldByIndexErr(field.Index)
			if field.IsExported() && !field.Anonymous && name != "-" && err == nil && !item.IsZero() {
				fields[cmp.Or(name, field.Name)] = sayable(item, depth+1)
			}
		}
	default:
		return fmt.Sprint(v)
	}
	return fields
}

// UnmarshalJSON reads events, also of an ADK in another language. What Go has no place for is left out: one
// field must not make a session unreadable.
func (h *history) UnmarshalJSON(text []byte) error {
	var events []map[string]any
	if err := json.Unmarshal(text, &events); err != nil {
		return err
	}
	for _, fields := range events {
		*h = append(*h, readEvent(fields))
	}
	return nil
}

func readEvent(fields map[string]any) *session.Event {
	withStandardBase64(fields)
	event := &session.Event{}
	for name, value := range fields {
		_ = json.Unmarshal(plain(map[string]any{name: value}), event)
	}
	return event
}

// withStandardBase64 writes the bytes of an event in the letters that Go reads; Python's base64 has two others.
func withStandardBase64(event map[string]any) {
	content, _ := event["content"].(map[string]any)
	parts, _ := content["parts"].([]any)
	for _, one := range parts {
		part, _ := one.(map[string]any)
		blob, _ := part["inlineData"].(map[string]any)
		for field, holder := range map[string]map[string]any{"thoughtSignature": part, "data": blob} {
			if text, ok := holder[field].(string); ok {
				holder[field] = strings.NewReplacer("-", "+", "_", "/").Replace(text)
			}
		}
	}
}
