// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"google.golang.org/adk/v2/session"
)

// unreadable is the key of the custom metadata with the paths of what could not be read. The clients in all languages
// use it.
const unreadable = "agent_sessions_unreadable"

const mostReported = 1_000

var (
	reporting sync.Mutex // guards reported
	reported  = map[string]bool{}
)

// readEvent reads an event of any ADK. It leaves out values that the Go types cannot hold: only the smallest part that
// is wrong. It logs them once, and lists their paths in the custom metadata of the event.
func readEvent(fields map[string]any, sessionID string) *session.Event {
	event, dropped := readAs[session.Event](fields)
	if len(dropped) > 0 {
		report(fmt.Sprintf("Session %s: ADK cannot hold these parts of the event %s, which are left out: %s",
			sessionID, event.ID, strings.Join(dropped, ", ")))
		if event.CustomMetadata == nil {
			event.CustomMetadata = map[string]any{}
		}
		event.CustomMetadata[unreadable] = dropped
	}
	return event
}

// report logs a text once, however often the event is read.
func report(text string) {
	reporting.Lock()
	defer reporting.Unlock()
	if len(reported) == mostReported {
		clear(reported)
	}
	if !reported[text] {
		reported[text] = true
		slog.Warn(text)
	}
}

// readAs reads an object as a type. It returns the paths of the values that the type cannot hold.
func readAs[T any](fields map[string]any) (*T, []string) {
	r, read := &reader{}, new(T)
	r.object(fields, reflect.TypeFor[T](), "")
	_ = json.Unmarshal(plain(fields), read) // holds everything that is left
	slices.Sort(r.dropped)
	return read, r.dropped
}

// reader changes JSON values so that Go types can hold them.
type reader struct {
	dropped []string // paths of the values that do not fit
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	moment      = reflect.TypeFor[time.Time]()
	duration    = reflect.TypeFor[time.Duration]()
	octets      = reflect.TypeFor[[]byte]()
)

// fit returns a value in the form that a type reads, or drops it.
func (r *reader) fit(value any, t reflect.Type, path string) (any, bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	fitting, ok := value, false
	switch value := value.(type) {
	case map[string]any:
		ok = r.fitObject(value, t, path)
	case []any:
		if fitting, ok = value, t.Kind() == reflect.Interface; t.Kind() == reflect.Slice && t != octets {
			fitting, ok = r.items(value, t.Elem(), path), true
		}
	default:
		fitting, ok = fitLeaf(value, t)
	}
	if !ok {
		r.dropped = append(r.dropped, path)
	}
	return fitting, ok
}

func (r *reader) fitObject(value map[string]any, t reflect.Type, path string) bool {
	own := reflect.PointerTo(t).Implements(unmarshaler) // its JSON may differ from its fields
	switch {
	case t.Kind() == reflect.Interface || own && decodes(value, t):
		return true
	case t.Kind() == reflect.Map:
		for name, item := range value {
			r.keep(value, name, item, t.Elem(), below(path, name))
		}
		return true
	case t.Kind() == reflect.Struct && t != moment:
		r.object(value, t, path)
		return !own || decodes(value, t)
	}
	return false
}

// object drops the fields of an object that do not fit the fields of a struct. A field that is null is absent.
func (r *reader) object(value map[string]any, t reflect.Type, path string) {
	fields := fieldsOf(t)
	for name, item := range value {
		if field, known := fields[strings.ToLower(name)]; known && item == nil {
			delete(value, name)
		} else if known {
			r.keep(value, name, item, field.Type, below(path, name))
		}
	}
}

func (r *reader) keep(within map[string]any, name string, item any, t reflect.Type, path string) {
	if fitting, ok := r.fit(item, t, path); ok {
		within[name] = fitting
	} else {
		delete(within, name)
	}
}

func (r *reader) items(values []any, t reflect.Type, path string) []any {
	kept := []any{}
	for i, item := range values {
		if fitting, ok := r.fit(item, t, below(path, strconv.Itoa(i))); ok {
			kept = append(kept, fitting)
		}
	}
	return kept
}

func below(path, step string) string { return strings.TrimPrefix(path+"."+step, ".") }

// fitLeaf converts a value by its type: Base64 of both alphabets, with or without padding; times in seconds and
// durations in seconds.
func fitLeaf(value any, t reflect.Type) (any, bool) {
	text, isText := value.(string)
	number, isNumber := value.(float64)
	switch {
	case t.Kind() == reflect.Interface:
		return value, true
	case value == nil:
		return nil, false
	case isText && t == duration:
		_, err := time.ParseDuration(text)
		return text, err == nil
	case isNumber && t == duration:
		return strconv.FormatFloat(number, 'f', -1, 64) + "s", true
	case isText && t == octets:
		value = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
		value = value.(string) + strings.Repeat("=", -len(value.(string))&3)
	case isNumber && t == moment:
		value = timeOf(number).UTC()
	}
	return value, decodes(value, t)
}

func decodes(value any, t reflect.Type) bool {
	return json.Unmarshal(plain(value), reflect.New(t).Interface()) == nil
}

var structs sync.Map // the results of fieldsOf

// fieldsOf returns the fields of a struct by their names in JSON, in lower case, as Go ignores case.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	if known, ok := structs.Load(t); ok {
		return known.(map[string]reflect.StructField)
	}
	fields := map[string]reflect.StructField{}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.IsExported() && !field.Anonymous && name != "-" {
			fields[strings.ToLower(cmp.Or(name, field.Name))] = field
		}
	}
	structs.Store(t, fields)
	return fields
}

// write encodes a value. Times have the precision of the times of stored events: the times of a summary have to equal
// those. Durations keep their fractions, which genai rounds.
func write(value any) json.RawMessage {
	decoder, written := json.NewDecoder(bytes.NewReader(plain(value))), any(nil)
	decoder.UseNumber()
	_ = decoder.Decode(&written)
	return plain(exact(reflect.ValueOf(value), written))
}

// exact corrects what is written of a value by its type. Values in maps, such as a state, have no types and stay.
func exact(value reflect.Value, written any) any {
	fields, _ := written.(map[string]any)
	items, _ := written.([]any)
	switch {
	case value.Type() == moment:
		return value.Interface().(time.Time).Truncate(time.Microsecond)
	case value.Type() == duration:
		return seconds(value.Interface().(time.Duration))
	case value.Kind() == reflect.Pointer && !value.IsNil():
		return exact(value.Elem(), written)
	case value.Kind() == reflect.Slice && value.Len() == len(items):
		for i, item := range items {
			items[i] = exact(value.Index(i), item)
		}
	case value.Kind() == reflect.Struct:
		known := fieldsOf(value.Type())
		for name, item := range fields {
			if field, ok := known[strings.ToLower(name)]; ok {
				fields[name] = exact(value.FieldByIndex(field.Index), item)
			}
		}
	}
	return written
}
