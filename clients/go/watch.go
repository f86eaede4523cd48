// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/adk/v2/session"
)

const (
	// watchAttempts take about a minute, which is watchPatience.
	watchAttempts, watchPatience = 12, time.Minute

	// longestSilence is how long nothing may come until a connection counts as broken. The service sends something every
	// 15 seconds, unless it is told otherwise.
	longestSilence = 45 * time.Second
)

var errSilent = errors.New("agent sessions: the service says nothing any more")

// WatchRequest names a session to be watched.
type WatchRequest struct {
	AppName, UserID, SessionID string

	// AfterSeq is the event behind which the watch begins, 0 for the first one. Optional: else it begins with what is
	// appended from now on.
	AfterSeq *int
}

// WatchedEvent is an event of a session, and its place in the history.
type WatchedEvent struct {
	// Seq is 1 for the first event of the session, then 2, without a gap; the revision of the session right after it.
	Seq   int
	Event *session.Event
}

// Watch follows a session: its events as they are appended, by whoever appends them. It goes on by itself when the
// connection breaks or the service restarts, without missing or repeating an event, and ends when the session is
// deleted or expires. An error is the last it gives: there is no such session ([ErrNotFound]), the service cannot be
// reached for about a minute or refuses to go on, or the context has ended.
func (s *Service) Watch(ctx context.Context, req *WatchRequest) iter.Seq2[WatchedEvent, error] {
	return func(yield func(WatchedEvent, error) bool) {
		w := &watch{service: s, http: *s.http, user: req.UserID, after: req.AfterSeq, yield: yield}
		w.path = pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID) + "/events:watch"
		w.http.Timeout = 0 // of a whole answer
		fresh := attempts{reach: s.reach, most: watchAttempts, patience: watchPatience}
		attempts := fresh
		for {
			connected, err := w.once(ctx)
			if w.over {
				return
			}
			if connected {
				attempts = fresh
				s.reach.away.Store(false)
			}
			if err := attempts.pause(ctx, err); err != nil {
				w.fail(err)
				return
			}
		}
	}
}

// watch is where somebody is in a session.
type watch struct {
	service    *Service
	http       http.Client
	user, path string
	yield      func(WatchedEvent, error) bool

	after    *int    // the last event
	creation *string // of the session, as its entity tag has it
	over     bool
}

// once follows the session over one connection, and tells why that has ended.
func (w *watch) once(ctx context.Context) (connected bool, err error) {
	ctx, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	silence := time.AfterFunc(longestSilence, func() { hangUp(errSilent) })
	defer silence.Stop()
	response, err := w.connect(ctx)
	if response == nil {
		return false, cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	lines, message := bufio.NewReader(response.Body), map[string]string{}
	for !w.over {
		silence.Reset(longestSilence)
		line, err := lines.ReadString('\n')
		silence.Stop()
		if err != nil {
			return true, err // what was cut off comes again
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			w.take(message)
			clear(message)
		}
		name, value, _ := strings.Cut(line, ":")
		message[name] = strings.TrimPrefix(value, " ")
	}
	return true, nil
}

// connect asks for what follows the last event, and leaves the answer to be read as it comes.
func (w *watch) connect(ctx context.Context) (*http.Response, error) {
	path := w.path
	if w.after != nil {
		path += "?afterSeq=" + strconv.Itoa(*w.after)
	}
	request, err := w.service.request(ctx, w.user, "GET", path, nil)
	if err != nil {
		w.fail(err)
		return nil, nil
	}
	request.Header.Set("Accept", "text/event-stream")
	response, err := w.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		// Once it was there: now it is not, or another one that is not as long.
		w.over = w.creation != nil && (response.StatusCode == 400 || response.StatusCode == 404)
		return nil, read(response, nil)
	}
	// The tag has the revision, and then when the session was created.
	creation := strings.Split(strings.Trim(response.Header.Get("ETag"), `"`)+".", ".")[1]
	w.over = w.creation != nil && *w.creation != creation
	w.creation = &creation
	return response, nil
}

// take does what a message says.
func (w *watch) take(message map[string]string) {
	if message["event"] == "end" {
		var end struct{ Reason string }
		_ = json.Unmarshal([]byte(message["data"]), &end)
		w.over = end.Reason != "CREDENTIALS_EXPIRED" // with a new token it goes on
		return
	}
	seq, err := strconv.Atoi(message["id"])
	if err != nil {
		return
	}
	w.after = &seq
	if data, ok := message["data"]; ok {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(data), &fields); err != nil {
			w.fail(err)
			return
		}
		w.over = !w.yield(WatchedEvent{seq, readEvent(fields)}, nil)
	}
}

func (w *watch) fail(err error) {
	w.yield(WatchedEvent{}, err)
	w.over = true
}
