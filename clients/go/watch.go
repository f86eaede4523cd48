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
	// watchAttempts take about as long as watchPatience: a minute.
	watchAttempts, watchPatience = 12, time.Minute

	// longestSilence is how long a connection may be silent before it counts as broken. By default, the service sends
	// something every 15 seconds.
	longestSilence = 45 * time.Second
)

var errSilent = errors.New("agent sessions: the service says nothing any more")

// WatchRequest names the session to watch.
type WatchRequest struct {
	AppName, UserID, SessionID string

	// AfterSeq is the seq of the event after which the watch begins, 0 for all events. Optional: the default is to
	// begin with the next event that a writer appends.
	AfterSeq *int
}

// WatchedEvent is an event of a session with its seq.
type WatchedEvent struct {
	// Seq is 1 for the first event of the session, then 2, without a gap. It equals the revision of the session right
	// after the event.
	Seq   int
	Event *session.Event
}

// Watch returns the events of a session as writers append them. It reconnects when the connection breaks or the service
// restarts, and neither misses nor repeats an event. It ends when the session is deleted or expires, or when
// the database was restored and the last event is lost. An error is the
// last value: the session does not exist ([ErrNotFound]), the client cannot reach the service for about a minute, the
// service refuses to continue, or the context has ended.
func (s *Service) Watch(ctx context.Context, req *WatchRequest) iter.Seq2[WatchedEvent, error] {
	return func(yield func(WatchedEvent, error) bool) {
		w := &watch{service: s, http: *s.http, session: req.SessionID, user: req.UserID, after: req.AfterSeq, yield: yield}
		w.path = pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID) + "/events:watch"
		w.http.Timeout = 0 // the time-out would cover the whole response, which does not end
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

// watch is the state of one watch over all its connections.
type watch struct {
	service    *Service
	http       http.Client
	session    string // its id
	user, path string
	yield      func(WatchedEvent, error) bool

	after    *int    // seq of the last event
	last     string  // id of the last message, with which the service knows the event
	creation *string // key of the session, from its entity tag
	over     bool
}

// once follows the session over one connection, and returns why the connection ended.
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
			return true, err // the service sends an incomplete message again
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

// connect requests the events after the last one, and returns the response with an unread body.
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
	if w.last != "" {
		request.Header.Set("Last-Event-ID", w.last)
	}
	response, err := w.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		// The session existed before: now it is deleted, or a shorter session has its id.
		w.over = w.creation != nil && (response.StatusCode == 400 || response.StatusCode == 404)
		return nil, read(response, nil)
	}
	// The tag contains the revision, then the key of the session.
	creation := strings.Split(strings.Trim(response.Header.Get("ETag"), `"`)+".", ".")[1]
	w.over = w.creation != nil && *w.creation != creation
	w.creation = &creation
	return response, nil
}

// take processes a message.
func (w *watch) take(message map[string]string) {
	if message["event"] == "end" {
		var end struct{ Reason string }
		_ = json.Unmarshal([]byte(message["data"]), &end)
		w.over = end.Reason != "CREDENTIALS_EXPIRED" // the watch reconnects with a new token
		return
	}
	number, _, _ := strings.Cut(message["id"], ".") // then the time of the event
	seq, err := strconv.Atoi(number)
	if err != nil {
		return
	}
	w.after, w.last = &seq, message["id"]
	if data, ok := message["data"]; ok {
		fields := map[string]any{}
		if err := json.Unmarshal([]byte(data), &fields); err != nil {
			w.fail(err)
			return
		}
		event := readEvent(fields, w.session)
		w.service.renumber(event, firstVersion)
		w.over = !w.yield(WatchedEvent{seq, event}, nil)
	}
}

func (w *watch) fail(err error) {
	w.yield(WatchedEvent{}, err)
	w.over = true
}
