// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// What [errors.Is] tells about an error of a [Service]; see also [ErrUnavailable], [ErrBusy] and [ErrLeaseLost].
var (
	ErrStale         error = kind("STALE_SESSION") // it has been modified in storage since it was loaded
	ErrNotFound      error = kind("SESSION_NOT_FOUND")
	ErrAlreadyExists error = kind("ALREADY_EXISTS")
)

// kind is an error of which no more is known than its code.
type kind string

func (k kind) Error() string { return "agent sessions: " + string(k) }

// Error is what the service answered instead of a success, or that it did not answer.
type Error struct {
	Status int    // 0 without an answer
	Code   string // stable, as SESSION_NOT_FOUND
	Detail string // for people
	Holder string // with ErrBusy, who has the lease

	RetryAfter time.Duration `json:"-"` // what the service asks to wait, in whole seconds; else 0

	cause       error
	temporary   bool // it may be otherwise in a while
	unconnected bool // no connection could be made
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return "agent sessions: " + e.Detail
	}
	return fmt.Sprintf("agent sessions: %d %s: %s", e.Status, e.Code, e.Detail)
}

// Is tells whether it is [ErrStale] or another one of them.
func (e *Error) Is(target error) bool { return target == kind(e.Code) }

// Unwrap gives the reason why there was no answer, nil if there was one.
func (e *Error) Unwrap() error { return e.cause }

const mostAttempts = 6

// call sends a request until it is answered, and reads the answer. All of ours may arrive twice: events and sessions
// have ids.
func (s *Service) call(
	ctx context.Context, user, method, path string, header http.Header, body []byte, answer any,
) (http.Header, error) {
	attempts := attempts{reach: s.reach, most: mostAttempts, patience: s.unavailable}
	for {
		request, err := s.request(ctx, user, method, path, body)
		if err != nil {
			return nil, err
		}
		maps.Copy(request.Header, header)
		response, err := s.http.Do(request)
		if err == nil {
			s.reach.away.Store(false)
			err = read(response, answer)
		}
		if err == nil {
			return response.Header, nil
		}
		if err := attempts.pause(ctx, err); err != nil {
			return nil, err
		}
	}
}

// request is a request with what all have, as the token of the user.
func (s *Service) request(ctx context.Context, user, method, path string, body []byte) (*http.Request, error) {
	if !strings.HasPrefix(path, "/") {
		return nil, errors.New("agent sessions: app_name, user_id and session_id are required, and are not . or ..")
	}
	if s.reach.invalid != nil {
		return nil, s.reach.invalid
	}
	request, err := http.NewRequestWithContext(ctx, method, s.reach.address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
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
	if err != nil || response.StatusCode < 300 && answer == nil {
		return err
	}
	problem := &Error{Detail: string(body)}
	if response.StatusCode < 300 {
		if problem.cause = json.Unmarshal(body, answer); problem.cause == nil {
			return nil
		}
		problem.Detail = "this is no answer of the service: " + problem.cause.Error()
	} else {
		_ = json.Unmarshal(body, problem) // which is not JSON if something before the service has answered
	}
	problem.Status = response.StatusCode
	problem.temporary = slices.Contains([]int{429, 502, 503, 504}, problem.Status)
	problem.RetryAfter, _ = time.ParseDuration(response.Header.Get("Retry-After") + "s")
	return problem
}
