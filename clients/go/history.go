// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// WithContextView reads only the events of a session that its model may see. It omits rewound events and events that a
// summary of another ADK replaces. ADK Go does not omit rewound events itself. It cannot read summaries either, so
// sessions that agents in other languages summarise need the full view, which is the default.
func WithContextView() Option {
	return func(s *Service) { s.view = "&view=context" }
}

// SessionAt reads a session as it was right after the event with this seq, 0 for its beginning. An append to it fails
// with [ErrStale], unless that event is the newest.
func (s *Service) SessionAt(ctx context.Context, req *session.GetRequest, seq int) (*session.GetResponse, error) {
	then := *s
	then.view += "&atSeq=" + strconv.Itoa(seq)
	return then.Get(ctx, req)
}

// StateAtRequest names a session and a moment of its history.
type StateAtRequest struct {
	AppName, UserID, SessionID string

	// AtSeq is the seq of the event right after which the state is read, 0 for the beginning. Optional: the default is
	// the current state.
	AtSeq *int
}

// ExplainedState is the state of a session at one moment.
type ExplainedState struct {
	// Seq is the seq of the event right after which the session has this state, 0 for the beginning.
	Seq int
	// SharedStateCurrent reports whether keys with user: and app: have their current values, from any writer. If false,
	// they have the values that this session had set by then.
	SharedStateCurrent bool
	// Keys maps each key to its value; shared keys include their prefix.
	Keys map[string]ExplainedValue `json:"state"`
}

// ExplainedValue is a key of the state.
type ExplainedValue struct {
	Scope string // session, user or app
	Value any
	// Event is the event of this session that set the key. It is nil if the key existed when the session was created,
	// or if another writer has set it.
	Event *StateSource
}

// StateSource is the event that set a key.
type StateSource struct {
	Seq       int
	EventID   string
	Author    string
	Timestamp time.Time // the time that the sender gave the event
}

// UnmarshalJSON reads the source with a time in decimal seconds.
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

// StateAt returns the current or an earlier state of a session, and which event set each key.
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

// ForkRequest names the session to copy, and how much of it. Without AtSeq and BeforeInvocationID, the fork copies all
// events.
type ForkRequest struct {
	AppName, UserID, SessionID string

	// AtSeq is the seq of the last event of the copy, 0 for none.
	AtSeq *int
	// BeforeInvocationID is the invocation before which the copy ends.
	BeforeInvocationID string
	// NewSessionID is the id of the copy. Optional: the default is a generated id.
	NewSessionID string
	// DisplayName is the display name of the copy. Optional: the default is that of the session.
	DisplayName string
}

// Fork creates a session as a copy of another one, which does not change. The error is [ErrAlreadyExists] if a session
// with the new id exists, and an [*Error] with the code INVOCATION_NOT_FOUND if the invocation does not exist.
func (s *Service) Fork(ctx context.Context, req *ForkRequest) (session.Session, error) {
	body := struct {
		SessionID          string `json:"sessionId"`
		AtSeq              *int   `json:"atSeq,omitempty"`
		BeforeInvocationID string `json:"beforeInvocationId,omitempty"`
		DisplayName        string `json:"displayName,omitempty"`
	}{req.NewSessionID, req.AtSeq, req.BeforeInvocationID, req.DisplayName}
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID) + ":fork?numRecentEvents=0"
	var made struct{ ID string }
	if _, err := s.call(ctx, req.UserID, "POST", path, retryKey(ctx), plain(body), &made); err != nil {
		return nil, err
	}
	copied, err := s.Get(ctx, &session.GetRequest{AppName: req.AppName, UserID: req.UserID, SessionID: made.ID})
	if err != nil {
		return nil, err
	}
	return copied.Session, nil
}

// Rewind returns a session to the point before an invocation. It appends ADK's rewind event to the stored session and
// to the object, and fails as an append does. The session's own keys get their earlier values, nil if they did not
// exist. Nothing is deleted. [WithContextView] omits the rewound events.
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
	event := readEvent(after.Event, own.Name)
	s.renumber(event, firstVersion)
	own.append(event.Actions.StateDelta, event, after.LastUpdateTime, tag)
	return event, nil
}

// PendingCallsRequest names the session with pending calls.
type PendingCallsRequest struct {
	AppName, UserID, SessionID string
}

// PendingCall is a function call that waits for a function response.
type PendingCall struct {
	// EventID is the id of the event that contains the call.
	EventID string
	// Seq is the seq of that event, 1 for the first event of the session.
	Seq int
	// Since is when that event was stored.
	Since time.Time
	// FunctionCall is the call; the response needs its ID. Args of more than 4,096 characters are nil here; read them
	// from the event.
	FunctionCall *genai.FunctionCall
}

// UnmarshalJSON reads the call with a time in decimal seconds.
func (c *PendingCall) UnmarshalJSON(text []byte) error {
	var fields struct {
		EventID      string
		Seq          int
		Since        float64
		FunctionCall map[string]any
	}
	err := json.Unmarshal(text, &fields)
	call, _ := readAs[genai.FunctionCall](fields.FunctionCall)
	*c = PendingCall{fields.EventID, fields.Seq, timeOf(fields.Since), call}
	return err
}

// PendingCalls lists the function calls of a session that wait for a function response, the oldest first. A call waits
// if its event names it in LongRunningToolIDs. It stops waiting when an event of the author user has a function
// response with its ID, or when a rewind removes the call. The error is [ErrNotFound] if the session does not exist.
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
