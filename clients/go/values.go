// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
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

// plain is a value that JSON can say. What it cannot say, as a channel or NaN, becomes text.
func plain(value any) any {
	if text, err := json.Marshal(value); err == nil {
		return json.RawMessage(text)
	}
	fields := map[string]any{}
	addFields(fields, reflect.ValueOf(value), 0)
	return fields
}

func addFields(fields map[string]any, v reflect.Value, depth int) {
	v = reflect.Indirect(v)
	if v.Kind() == reflect.Map {
		for key, item := range v.Seq2() {
			fields[fmt.Sprint(key.Interface())] = sayable(item, depth+1)
		}
		return
	}
	for field, item := range v.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" {
			addFields(fields, item, depth)
		} else if field.IsExported() && name != "-" && !item.IsZero() {
			fields[name] = sayable(item, depth+1)
		}
	}
}

func sayable(v reflect.Value, depth int) any {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() || depth > 100 { // nil, or what contains itself
		return nil
	}
	if text, err := json.Marshal(v.Interface()); err == nil {
		return json.RawMessage(text)
	}
	switch kind := reflect.Indirect(v).Kind(); kind {
	case reflect.Map, reflect.Struct:
		fields := map[string]any{}
		addFields(fields, v, depth)
		return fields
	case reflect.Slice, reflect.Array:
		items := []any{}
		for _, item := range reflect.Indirect(v).Seq2() {
			items = append(items, sayable(item, depth+1))
		}
		return items
	}
	return fmt.Sprint(v.Interface())
}

// UnmarshalJSON reads events, also of an ADK in another language. What Go has no place for is left out: one
// field must not make a session unreadable.
func (h *history) UnmarshalJSON(text []byte) error {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	for _, one := range raw {
		event := &session.Event{}
		if json.Unmarshal(one, event) != nil {
			event = &session.Event{}
			if err := json.Unmarshal(readable(one), event); err != nil {
				return err
			}
		}
		*h = append(*h, event)
	}
	return nil
}

func readable(event json.RawMessage) json.RawMessage {
	fields := map[string]json.RawMessage{}
	_ = json.Unmarshal(event, &fields)
	fields["content"] = standardBase64(fields["content"])
	maps.DeleteFunc(fields, func(name string, value json.RawMessage) bool {
		one, err := json.Marshal(map[string]json.RawMessage{name: value})
		return err != nil || json.Unmarshal(one, &session.Event{}) != nil
	})
	rest, _ := json.Marshal(fields)
	return rest
}

// standardBase64 writes bytes in the letters that Go reads; Python's base64 has two others.
func standardBase64(content json.RawMessage) json.RawMessage {
	var message struct {
		Role  string                       `json:"role,omitempty"`
		Parts []map[string]json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(content, &message) != nil {
		return content
	}
	letters := strings.NewReplacer("-", "+", "_", "/")
	for _, part := range message.Parts {
		blob := map[string]json.RawMessage{}
		if json.Unmarshal(part["inlineData"], &blob) == nil {
			blob["data"] = json.RawMessage(letters.Replace(string(blob["data"])))
			part["inlineData"], _ = json.Marshal(blob)
		}
		if signature, ok := part["thoughtSignature"]; ok {
			part["thoughtSignature"] = json.RawMessage(letters.Replace(string(signature)))
		}
	}
	text, _ := json.Marshal(message)
	return text
}
