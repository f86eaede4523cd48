// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/adk/v2/session"
)

// storedSession is a session as the client read it, plus the events that the client appended through this object. It
// implements [session.State] itself.
type storedSession struct {
	contents
	mu        sync.RWMutex // guards contents
	appending sync.Mutex   // serialises appends, since each append makes a concurrent one stale
}

// contents is the data of a session at one moment. Copies stay valid: a change creates a new map.
type contents struct {
	Name    string         `json:"id"`
	App     string         `json:"appName"`
	User    string         `json:"userId"`
	Values  map[string]any `json:"state"`
	Updated float64        `json:"lastUpdateTime"` // seconds
	History history        `json:"-"`
	Tag     string         `json:"etag"` // the entity tag of the revision that the client read
}

// UnmarshalJSON reads a session with events of any ADK.
func (s *storedSession) UnmarshalJSON(text []byte) error {
	var stored struct {
		contents
		Events []map[string]any `json:"events"`
	}
	err := json.Unmarshal(text, &stored)
	s.contents = stored.contents
	for _, fields := range stored.Events {
		s.History = append(s.History, readEvent(fields, s.Name))
	}
	return err
}

// storedOf returns a session as the client read it. For a session that this package did not read, only its update time
// identifies the revision.
func storedOf(s session.Session) *storedSession {
	if own, isOwn := s.(*storedSession); isOwn {
		return own
	}
	copied := contents{Name: s.ID(), App: s.AppName(), User: s.UserID()}
	if time := s.LastUpdateTime(); !time.IsZero() {
		copied.Updated = float64(time.UnixMicro()) / 1e6
	}
	return &storedSession{contents: copied}
}

func (s *storedSession) ID() string                  { return s.Name }
func (s *storedSession) AppName() string             { return s.App }
func (s *storedSession) UserID() string              { return s.User }
func (s *storedSession) State() session.State        { return s }
func (s *storedSession) Events() session.Events      { return s.now().History }
func (s *storedSession) LastUpdateTime() time.Time   { return timeOf(s.now().Updated) }
func (s *storedSession) All() iter.Seq2[string, any] { return maps.All(s.now().Values) }

func (s *storedSession) Get(key string) (any, error) {
	if value, ok := s.now().Values[key]; ok {
		return value, nil
	}
	return nil, session.ErrStateKeyNotExist
}

func (s *storedSession) Set(key string, value any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Values = maps.Clone(s.Values)
	s.Values[key] = value
	return nil
}

// now returns the current contents.
func (s *storedSession) now() contents {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.contents
}

// append applies a stored append to the object. Keys with temp: exist only here.
func (s *storedSession) append(delta map[string]any, event *session.Event, updated float64, tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Values = maps.Clone(s.Values)
	maps.Copy(s.Values, delta)
	maps.DeleteFunc(s.Values, func(_ string, value any) bool { return value == Removed })
	s.History, s.Updated, s.Tag = append(s.History, event), updated, tag
}

func timeOf(seconds float64) time.Time { return time.UnixMicro(int64(math.Round(seconds * 1e6))) }

type history []*session.Event

func (h history) All() iter.Seq[*session.Event] { return slices.Values(h) }
func (h history) Len() int                      { return len(h) }

func (h history) At(i int) *session.Event {
	if i >= 0 && i < len(h) {
		return h[i]
	}
	return nil
}

// kept returns the keys of a state delta that the service stores: all but temp: keys.
func kept(delta map[string]any) map[string]any {
	delta = maps.Clone(delta)
	maps.DeleteFunc(delta, func(key string, _ any) bool { return strings.HasPrefix(key, session.KeyPrefixTemp) })
	return delta
}

// plain encodes a value as JSON. Values that JSON cannot represent, such as a channel or NaN, become text. A value that
// contains itself becomes null.
func plain(value any, around ...uintptr) json.RawMessage {
	text, err := json.Marshal(value)
	if err == nil {
		return text
	}
	v, fields := reflect.ValueOf(value), map[string]json.RawMessage{}
	if slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Map, reflect.Slice}, v.Kind()) {
		if slices.Contains(around, v.Pointer()) {
			return nil
		}
		around = append(around, v.Pointer())
	}
	switch v.Kind() {
	case reflect.Pointer:
		return plain(v.Elem().Interface(), around...)
	case reflect.Slice, reflect.Array:
		items := []json.RawMessage{}
		for _, item := range v.Seq2() {
			items = append(items, plain(item.Interface(), around...))
		}
		return plain(items)
	case reflect.Map:
		for key, item := range v.Seq2() {
			fields[fmt.Sprint(key)] = plain(item.Interface(), around...)
		}
	case reflect.Struct:
		for _, field := range reflect.VisibleFields(v.Type()) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			item, err := v.FieldByIndexErr(field.Index)
			if field.IsExported() && !field.Anonymous && name != "-" && err == nil && !item.IsZero() {
				fields[cmp.Or(name, field.Name)] = plain(item.Interface(), around...)
			}
		}
	default:
		return plain(fmt.Sprint(value))
	}
	return plain(fields)
}
