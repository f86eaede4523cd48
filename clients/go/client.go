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
)

var kinds = map[string]error{
	"STALE_SESSION": ErrStale, "SESSION_NOT_FOUND": ErrNotFound, "ALREADY_EXISTS": ErrAlreadyExists,
}

// Error is what the service answered instead of a success.
type Error struct {
	Status int
	Code   string // stable, as SESSION_NOT_FOUND
	Detail string // for people
}

func (e *Error) Error() string {
	return fmt.Sprintf("agent sessions: %d %s: %s", e.Status, e.Code, e.Detail)
}

// Is tells whether it is [ErrStale], [ErrNotFound] or [ErrAlreadyExists].
func (e *Error) Is(target error) bool { return kinds[e.Code] == target }

const (
	attempts     = 6
	longestPause = 10 * time.Second
)

// call sends a request until it is answered, and reads the answer. All of ours may arrive twice: events and sessions
// have ids.
func (s *Service) call(ctx context.Context, user, method, path, tag string, value, answer any) (http.Header, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, errors.New("agent sessions: app_name, user_id and session_id are required, and are not . or ..")
	}
	sent := plain(value)
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, method, s.address+path, bytes.NewReader(sent))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("User-Agent", "agent-sessions-go/"+Version)
		if tag != "" {
			request.Header.Set("If-Match", tag)
		}
		if token, err := s.token(ctx, user); err != nil {
			return nil, err
		} else if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		header, err := s.send(request, answer)
		var problem *Error
		lasting := errors.As(err, &problem) && problem.Status != 429 && (problem.Status < 502 || problem.Status > 504)
		if err == nil || lasting || attempt == attempts {
			return header, err
		}
		usual := 50 * time.Millisecond << attempt
		seconds, _ := strconv.Atoi(header.Get("Retry-After"))
		pause := cmp.Or(time.Duration(max(seconds, 0))*time.Second, usual+rand.N(usual))
		select {
		case <-time.After(min(pause, longestPause)):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *Service) send(request *http.Request, answer any) (http.Header, error) {
	response, err := s.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 && answer != nil {
		return response.Header, json.Unmarshal(body, answer)
	}
	if response.StatusCode < 300 {
		return response.Header, nil
	}
	problem := &Error{Detail: string(body)}
	_ = json.Unmarshal(body, problem)
	problem.Status = response.StatusCode
	return response.Header, problem
}
