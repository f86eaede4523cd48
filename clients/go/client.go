// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// What [errors.Is] tells about an error of a [Service].
var (
	ErrStale         = errors.New("the session has been modified in storage since it was loaded")
	ErrNotFound      = errors.New("session not found")
	ErrAlreadyExists = errors.New("session already exists")
	ErrBusy          = errors.New("somebody else has the lease of the session")
	ErrLeaseLost     = errors.New("the lease of the session is gone")
)

var kinds = map[string]error{
	"STALE_SESSION": ErrStale, "SESSION_NOT_FOUND": ErrNotFound, "ALREADY_EXISTS": ErrAlreadyExists,
	"SESSION_BUSY": ErrBusy, "LEASE_LOST": ErrLeaseLost,
}

// Error is what the service answered instead of a success.
type Error struct {
	Status int
	Code   string // stable, as SESSION_NOT_FOUND
	Detail string // for people
	Holder string // with ErrBusy, who has the lease

	RetryAfter time.Duration `json:"-"` // what the service asks to wait, in whole seconds; else 0
}

func (e *Error) Error() string {
	return fmt.Sprintf("agent sessions: %d %s: %s", e.Status, e.Code, e.Detail)
}

// Is tells whether it is [ErrStale] or another one of them.
func (e *Error) Is(target error) bool { return kinds[e.Code] == target }

const (
	attempts     = 6
	longestPause = 10 * time.Second
)

// call sends a request until it is answered, and reads the answer. All of ours may arrive twice: events and sessions
// have ids.
func (s *Service) call(
	ctx context.Context, user, method, path string, header http.Header, value, answer any,
) (http.Header, error) {
	sent := plain(value)
	for attempt := 1; ; attempt++ {
		request, err := s.request(ctx, user, method, path, header, bytes.NewReader(sent))
		if err != nil {
			return nil, err
		}
		response, err := s.http.Do(request)
		if err == nil {
			err = read(response, answer)
		}
		if err == nil {
			return response.Header, nil
		}
		if isLasting(err) || attempt == attempts {
			return nil, err
		}
		if err := pause(ctx, attempt, err); err != nil {
			return nil, err
		}
	}
}

func (s *Service) request(
	ctx context.Context, user, method, path string, header http.Header, body io.Reader,
) (*http.Request, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, errors.New("agent sessions: app_name, user_id and session_id are required, and are not . or ..")
	}
	request, err := http.NewRequestWithContext(ctx, method, s.address+path, body)
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, header)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "agent-sessions-go/"+Version)
	token, err := s.token(ctx, user)
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request, err
}

// read reads an answer, and gives the error that it is, if it is one.
func read(response *http.Response, answer any) error {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode < 300 && answer != nil {
		return json.Unmarshal(body, answer)
	}
	if response.StatusCode < 300 {
		return nil
	}
	problem := &Error{Detail: string(body)}
	_ = json.Unmarshal(body, problem)
	problem.Status = response.StatusCode
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	problem.RetryAfter = time.Duration(max(seconds, 0)) * time.Second
	return problem
}

// isLasting tells whether the same request would be refused again.
func isLasting(err error) bool {
	problem, ok := errors.AsType[*Error](err)
	return ok && problem.Status != 429 && (problem.Status < 502 || problem.Status > 504)
}

// pause waits before the next attempt, for as long as the service asks, if it does.
func pause(ctx context.Context, attempt int, err error) error {
	usual := 50 * time.Millisecond << attempt
	pause := usual + rand.N(usual)
	if problem, ok := errors.AsType[*Error](err); ok {
		pause = cmp.Or(problem.RetryAfter, pause)
	}
	select {
	case <-time.After(min(pause, longestPause)):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
