// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
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
	Updated float64        `json:"lastUpdateTime"` // seconds
	History history        `json:"events"`
	Tag     string         `json:"etag"` // the entity tag of what was read

	appending sync.Mutex // one append after the other, or one would make the next one stale
	mu        sync.RWMutex
}

// append changes the object as the append has changed the stored session; keys with temp: exist only here.
func (s *storedSession) append(delta map[string]any, event *session.Event, updated float64, tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.Values, delta)
	maps.DeleteFunc(s.Values, func(_ string, value any) bool { return value == Removed })
	s.History, s.Updated, s.Tag = append(s.History, event), updated, tag
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
	return timeOf(s.Updated)
}

func timeOf(seconds float64) time.Time { return time.UnixMicro(int64(math.Round(seconds * 1e6))) }

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
