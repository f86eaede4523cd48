// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"encoding/json"
	"iter"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"google.golang.org/adk/v2/session"
)

// storedSession is a session as it was read, with what was appended through it since. It is its own state.
type storedSession struct {
	Name    string         `json:"id"`
	App     string         `json:"appName"`
	User    string         `json:"userId"`
	Values  map[string]any `json:"state"`
	Updated json.Number    `json:"lastUpdateTime"` // decimal seconds
	History history        `json:"events"`

	tag       string     // the entity tag of what was read; empty if it came from a list
	appending sync.Mutex // one append after the other, or one would make the next one stale
	mu        sync.RWMutex
}

// append changes the object as the append has changed the stored session; keys with temp: exist only here.
func (s *storedSession) append(delta map[string]any, event *session.Event, tag string, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	after := struct{ LastUpdateTime *json.Number }{&s.Updated}
	if err := json.Unmarshal(body, &after); err != nil {
		return err
	}
	for key, value := range delta {
		if value == Removed {
			delete(s.Values, key)
		} else if s.Values != nil {
			s.Values[key] = value
		}
	}
	s.History, s.tag = append(s.History, event), tag
	return nil
}

func (s *storedSession) ID() string           { return s.Name }
func (s *storedSession) AppName() string      { return s.App }
func (s *storedSession) UserID() string       { return s.User }
func (s *storedSession) State() session.State { return s }

func (s *storedSession) Events() session.Events {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clip(s.History)
}

func (s *storedSession) LastUpdateTime() time.Time {
	s.mu.RLock()
	defer s.mu.RUnlock()
	seconds, _ := s.Updated.Float64()
	return time.UnixMicro(int64(math.Round(seconds * 1e6)))
}

func (s *storedSession) Get(key string) (any, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if value, ok := s.Values[key]; ok {
		return value, nil
	}
	return nil, session.ErrStateKeyNotExist
}

func (s *storedSession) Set(key string, value any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Values[key] = value
	return nil
}

func (s *storedSession) All() iter.Seq2[string, any] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return maps.All(maps.Clone(s.Values))
}

type history []*session.Event

func (h history) All() iter.Seq[*session.Event] { return slices.Values(h) }
func (h history) Len() int                      { return len(h) }

func (h history) At(i int) *session.Event {
	if i >= 0 && i < len(h) {
		return h[i]
	}
	return nil
}
