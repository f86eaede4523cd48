// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// WithContextView reads of a session only what its model is to see: neither what was rewound, nor what a summary of
// another ADK stands for. ADK Go does not leave out by itself what was rewound. It cannot read summaries either, so
// sessions that agents in other languages sum up need the full view, which is the default.
func WithContextView() Option {
	return func(s *Service) { s.view = "&view=context" }
}

// SessionAt reads a session as it was right after the event with this number, 0 for its beginning. To append to it is
// [ErrStale], unless that is the newest event.
func (s *Service) SessionAt(ctx context.Context, req *session.GetRequest, seq int) (*session.GetResponse, error) {
	then := *s
	then.view += "&atSeq=" + strconv.Itoa(seq)
	return then.Get(ctx, req)
}

// StateAtRequest names a session, and the moment of its history.
type StateAtRequest struct {
	AppName, UserID, SessionID string

	// AtSeq is the event right after which it was so, 0 for the beginning. Optional: else it is now.
	AtSeq *int
}

// ExplainedState is the state of a session at one moment.
type ExplainedState struct {
	// Seq is the event right after which it was so, 0 for the beginning.
	Seq int
	// SharedStateCurrent tells whether keys with user: and app: have their values of today, whoever set them; if not,
	// they are those that this session had set by then.
	SharedStateCurrent bool
	// Keys are the keys, shared ones under their prefix.
	Keys map[string]ExplainedValue `json:"state"`
}

// ExplainedValue is a key of the state.
type ExplainedValue struct {
	Scope string // session, user or app
	Value any
	// Event is the event of this session that set it; nil if it was there when the session was created, or somebody
	// else has set it.
	Event *StateSource
}

// StateSource is an event that gave a key its value.
type StateSource struct {
	Seq       int
	EventID   string
	Author    string
	Timestamp time.Time // as the sender of the event gave it
}

// UnmarshalJSON reads it with a time in decimal seconds.
func (s *StateSource) UnmarshalJSON(text []byte) error {
	var fields struct {
		Seq             int
		EventID, Author string
		Timestamp       float64
	}
	err := json.Unmarshal(text, &fields)
	*s = StateSource{fields.Seq, fields.EventID, fields.Author, timeOf(fields.Timestamp)}
	return err
}

// StateAt explains the state that a session has, or had: which event set which key.
func (s *Service) StateAt(ctx context.Context, req *StateAtRequest) (*ExplainedState, error) {
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID, "state")
	if req.AtSeq != nil {
		path += "?atSeq=" + strconv.Itoa(*req.AtSeq)
	}
	explained := &ExplainedState{}
	if _, err := s.call(ctx, req.UserID, "GET", path, nil, nil, explained); err != nil {
		return nil, err
	}
	return explained, nil
}

// ForkRequest names the session that is copied, and how much of it. Without AtSeq and BeforeInvocationID it is all.
type ForkRequest struct {
	AppName, UserID, SessionID string

	// AtSeq is the last event of the copy, 0 for none.
	AtSeq *int
	// BeforeInvocationID is the invocation before which the copy ends.
	BeforeInvocationID string
	// NewSessionID is the id of the copy. Optional: if not set, it will be generated.
	NewSessionID string
	// DisplayName is its name for people. Optional: else it is that of the session.
	DisplayName string
}

// Fork creates a session as a copy of another one, which stays as it is. The error is [ErrAlreadyExists] if there is one
// with the new id, and an [*Error] with the code INVOCATION_NOT_FOUND if there is no such invocation.
func (s *Service) Fork(ctx context.Context, req *ForkRequest) (session.Session, error) {
	id := req.NewSessionID
	if strings.TrimSpace(id) == "" {
		id = platform.NewUUID(ctx) // so that the request can be sent again if its answer gets lost
	}
	body := struct {
		SessionID          string `json:"sessionId"`
		AtSeq              *int   `json:"atSeq,omitempty"`
		BeforeInvocationID string `json:"beforeInvocationId,omitempty"`
		DisplayName        string `json:"displayName,omitempty"`
	}{id, req.AtSeq, req.BeforeInvocationID, req.DisplayName}
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID) + ":fork?numRecentEvents=0"
	_, err := s.call(ctx, req.UserID, "POST", path, nil, plain(body), nil)
	if err != nil && (id == req.NewSessionID || !errors.Is(err, ErrAlreadyExists)) {
		return nil, err
	}
	copied, err := s.Get(ctx, &session.GetRequest{AppName: req.AppName, UserID: req.UserID, SessionID: id})
	if err != nil {
		return nil, err
	}
	return copied.Session, nil
}

// Rewind takes a session back to before an invocation: it appends the event with which ADK does that, to the object,
// too, and fails as an append does. The session's own keys get the values that they had then, nil if they were not
// there; nothing is deleted. [WithContextView] leaves out of the events what was rewound.
func (s *Service) Rewind(ctx context.Context, current session.Session, beforeInvocationID string) (*session.Event, error) {
	if current == nil {
		return nil, errNothing
	}
	own := storedOf(current)
	own.appending.Lock()
	defer own.appending.Unlock()
	body := map[string]any{"beforeInvocationId": beforeInvocationID, "eventId": platform.NewUUID(ctx)}
	var after struct {
		Event          map[string]any
		LastUpdateTime float64
	}
	tag, err := s.add(ctx, own, ":rewind", plain(body), &after)
	if err != nil {
		return nil, err
	}
	event := readEvent(after.Event)
	own.append(event.Actions.StateDelta, event, after.LastUpdateTime, tag)
	return event, nil
}

// PendingCallsRequest names the session that waits.
type PendingCallsRequest struct {
	AppName, UserID, SessionID string
}

// PendingCall is a function call that waits for somebody's answer.
type PendingCall struct {
	// EventID is the event that the call is in.
	EventID string
	// Seq is the place of that event in the history, 1 for the first one.
	Seq int
	// Since is when it was stored.
	Since time.Time
	// FunctionCall is the call; the response needs its ID. Args of more than 4,096 characters are nil here, and stand in
	// the event.
	FunctionCall *genai.FunctionCall
}

// UnmarshalJSON reads it with a time in decimal seconds.
func (c *PendingCall) UnmarshalJSON(text []byte) error {
	var fields struct {
		EventID      string
		Seq          int
		Since        float64
		FunctionCall *genai.FunctionCall
	}
	err := json.Unmarshal(text, &fields)
	*c = PendingCall{fields.EventID, fields.Seq, timeOf(fields.Since), fields.FunctionCall}
	return err
}

// PendingCalls lists the function calls of a session that wait for somebody's answer, the oldest first. A call that an
// event names in its LongRunningToolIDs waits until an event of the author user has a function response with its ID, or
// a rewind takes the call back. The error is [ErrNotFound] if there is no such session.
func (s *Service) PendingCalls(ctx context.Context, req *PendingCallsRequest) ([]PendingCall, error) {
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID, "pending")
	calls, query := []PendingCall{}, ""
	for {
		var page struct {
			Pending       []PendingCall
			NextPageToken string
		}
		if _, err := s.call(ctx, req.UserID, "GET", path+query, nil, nil, &page); err != nil {
			return nil, err
		}
		calls = append(calls, page.Pending...)
		if page.NextPageToken == "" {
			return calls, nil
		}
		query = "?pageToken=" + url.QueryEscape(page.NextPageToken)
	}
}
