// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/google/uuid"
	"google.golang.org/adk/v2/memory"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// maxQuery is the length of the longest query that the service accepts, in UTF-16 code units.
const maxQuery = 2000

// Memory is a [memory.Service] over HTTP. It finds what was said in the sessions that Agent Sessions stores. It is safe
// for concurrent use by many goroutines.
type Memory struct {
	service       *Service
	limit, around int
}

var _ memory.Service = (*Memory)(nil)

// MemoryOption changes how a [Memory] works. [WithLimit], [WithAround] and every [Option] are such options; those that
// concern appends and reads of sessions have no effect.
type MemoryOption interface{ changeMemory(m *Memory) }

type memoryOption func(*Memory)

func (o memoryOption) changeMemory(m *Memory) { o(m) }
func (o Option) changeMemory(m *Memory)       { o(m.service) }

// WithLimit sets the maximum number of memories that a search returns, 1 to 100; the default is 5.
func WithLimit(limit int) MemoryOption { return memoryOption(func(m *Memory) { m.limit = limit }) }

// WithAround sets how many turns before and after a hit become lines of its text, 0 to 5; the default is 1.
func WithAround(turns int) MemoryOption { return memoryOption(func(m *Memory) { m.around = turns }) }

// NewMemory returns the memory service at an address. The address and the options are those of [New], but a request is
// retried for only 5 seconds while the client cannot connect, because a model call waits for it.
func NewMemory(address string, options ...MemoryOption) *Memory {
	m := &Memory{service: New(address, WithUnavailableTimeout(5*time.Second)), limit: 5, around: 1}
	for _, option := range options {
		option.changeMemory(m)
	}
	return m
}

// AddSessionToMemory is needed only for sessions of another session service: it stores their events as facts, each event
// once, however often the session is added. An event is not stored if another one of the session with its ID is there.
// Events of sessions that Agent Sessions stores are found without this call.
func (m *Memory) AddSessionToMemory(ctx context.Context, s session.Session) error {
	if s == nil {
		return errNothing
	}
	stored := plain(map[string]any{"sessionId": s.ID()})
	path := pathTo("apps", s.AppName(), "users", s.UserID(), "memory")
	if _, err := m.service.call(ctx, s.UserID(), "PATCH", path, nil, stored, nil); !errors.Is(err, ErrNotFound) {
		return err
	}
	path = pathTo("apps", s.AppName(), "users", s.UserID(), "memories")
	for event := range s.Events().All() {
		if fact := factOf(s.ID(), event); fact != nil {
			_, err := m.service.call(ctx, s.UserID(), "POST", path, nil, plain(fact), nil)
			if err != nil && !errors.Is(err, ErrAlreadyExists) {
				return err
			}
		}
	}
	return nil
}

// SearchMemory returns the turns and the facts that match best. If the context is one of ADK's, it leaves out the
// session in which the user talks now. A query of more than 2,000 characters is cut, and a blank one finds nothing.
func (m *Memory) SearchMemory(ctx context.Context, req *memory.SearchRequest) (*memory.SearchResponse, error) {
	found := &memory.SearchResponse{}
	if strings.TrimSpace(req.Query) == "" {
		return found, nil
	}
	body := map[string]any{
		"q": cut(req.Query), "mode": "text", "limit": m.limit, "around": m.around, "facts": true,
	}
	if current := currentSession(ctx, req); current != "" {
		body["exceptSessionId"] = current
	}
	var answer struct{ Hits []hit }
	path := pathTo("apps", req.AppName, "users", req.UserID, "events") + ":search"
	if _, err := m.service.call(ctx, req.UserID, "POST", path, nil, plain(body), &answer); err != nil {
		return nil, err
	}
	for _, hit := range answer.Hits {
		found.Memories = append(found.Memories, hit.entry())
	}
	return found, nil
}

// currentSession returns the id of the session whose turn runs, "" if the context is not one of ADK's.
func currentSession(ctx context.Context, req *memory.SearchRequest) string {
	running, known := ctx.(interface {
		AppName() string
		UserID() string
		SessionID() string
	})
	if known && running.AppName() == req.AppName && running.UserID() == req.UserID {
		return running.SessionID()
	}
	return ""
}

// cut returns the beginning of a query that the service accepts.
func cut(query string) string {
	length := 0
	for at, char := range query {
		if length += utf16.RuneLen(char); length > maxQuery {
			return query[:at]
		}
	}
	return query
}

// factOf returns an event as a fact with a stable id, nil if the event has no text.
func factOf(sessionID string, event *session.Event) map[string]any {
	content := textsOf(event.Content)
	if content == nil {
		return nil
	}
	metadata := map[string]any{}
	maps.Copy(metadata, event.CustomMetadata)
	metadata["session_id"], metadata["event_id"] = sessionID, event.ID
	fact := map[string]any{"content": content, "metadata": metadata}
	if event.Author != "" {
		fact["author"] = event.Author
	}
	if !event.Timestamp.IsZero() {
		fact["timestamp"] = float64(event.Timestamp.UnixMicro()) / 1e6
	}
	name := plain([]string{"agent-sessions", sessionID, cmp.Or(event.ID, string(plain(fact)))})
	fact["id"] = uuid.NewSHA1(uuid.NameSpaceURL, name).String()
	return fact
}

// textsOf returns the content with only its texts, without thoughts; nil if it has none.
func textsOf(content *genai.Content) *genai.Content {
	if content == nil {
		return nil
	}
	texts := &genai.Content{Role: content.Role}
	for _, part := range content.Parts {
		if part != nil && strings.TrimSpace(part.Text) != "" && !part.Thought {
			texts.Parts = append(texts.Parts, &genai.Part{Text: part.Text})
		}
	}
	if texts.Parts == nil {
		return nil
	}
	return texts
}

// saidTurn is a turn: a hit, or a turn near one.
type saidTurn struct {
	Author  string
	Content genai.Content
}

// hit is an event or a fact that a search found.
type hit struct {
	saidTurn
	ID, SessionID, EventID string
	Seq                    int
	Timestamp, Score       float64
	Metadata               map[string]any
	Before, After          []saidTurn
}

// entry converts a hit. The turns around it become lines of its text, so that a model sees the whole exchange.
func (h *hit) entry() memory.Entry {
	content := h.Content
	if len(h.Before)+len(h.After) > 0 {
		near := slices.Concat(h.Before, []saidTurn{h.saidTurn}, h.After)
		lines := make([]string, len(near))
		for i, turn := range near {
			lines[i] = turn.Author + ": " + turn.text()
		}
		content.Parts = []*genai.Part{{Text: strings.Join(lines, "\n")}}
	}
	metadata := map[string]any{"score": h.Score}
	if h.SessionID != "" {
		metadata["session_id"], metadata["event_id"], metadata["seq"] = h.SessionID, h.EventID, h.Seq
	}
	maps.Copy(metadata, h.Metadata)
	return memory.Entry{
		ID: h.ID, Content: &content, Author: h.Author, Timestamp: timeOf(h.Timestamp).UTC(), CustomMetadata: metadata,
	}
}

func (t *saidTurn) text() string {
	texts := make([]string, len(t.Content.Parts))
	for i, part := range t.Content.Parts {
		texts[i] = part.Text
	}
	return strings.Join(texts, "\n")
}
