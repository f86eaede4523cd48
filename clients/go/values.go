// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"encoding/json"
	"errors"
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

// plain is a value that JSON can say. What it cannot say, as a channel or NaN, becomes text.
func plain(value any) any { return sayable(reflect.ValueOf(value), 0) }

func sayable(v reflect.Value, depth int) any {
	if !v.IsValid() || depth > 100 { // nil, or what contains itself
		return nil
	}
	if text, err := json.Marshal(v.Interface()); err == nil {
		return json.RawMessage(text)
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return sayable(v.Elem(), depth+1)
	case reflect.Map, reflect.Struct:
		return fields(v, depth+1)
	case reflect.Slice, reflect.Array:
		items := []any{}
		for _, item := range v.Seq2() {
			items = append(items, sayable(item, depth+1))
		}
		return items
	}
	return fmt.Sprint(v.Interface())
}

func fields(v reflect.Value, depth int) map[string]any {
	all := map[string]any{}
	if v.Kind() == reflect.Map {
		for key, item := range v.Seq2() {
			all[fmt.Sprint(key.Interface())] = sayable(item, depth)
		}
		return all
	}
	for field, item := range v.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			maps.Copy(all, fields(item, depth))
		} else if field.IsExported() && name != "-" && !item.IsZero() {
			all[name] = sayable(item, depth)
		}
	}
	return all
}

// UnmarshalJSON reads events, also of an ADK in another language. What Go has no place for is left out: one
// field must not make a session unreadable.
func (h *history) UnmarshalJSON(text []byte) error {
	var sent []json.RawMessage
	err := json.Unmarshal(text, &sent)
	for _, one := range sent {
		event := &session.Event{}
		if json.Unmarshal(one, event) != nil {
			event = &session.Event{}
			err = errors.Join(err, json.Unmarshal(readable(one), event))
		}
		*h = append(*h, event)
	}
	return err
}

func readable(event json.RawMessage) json.RawMessage {
	known := map[string]any{}
	_ = json.Unmarshal(event, &known)
	withStandardBase64(known)
	maps.DeleteFunc(known, func(name string, value any) bool {
		one, err := json.Marshal(map[string]any{name: value})
		return err != nil || json.Unmarshal(one, &session.Event{}) != nil
	})
	rest, _ := json.Marshal(known)
	return rest
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
