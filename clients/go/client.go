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

// Errors of a [Service] for [errors.Is]; see also [ErrUnavailable], [ErrBusy] and [ErrLeaseLost].
var (
	ErrStale         error = kind("STALE_SESSION") // the stored session has changed since the client read it
	ErrNotFound      error = kind("SESSION_NOT_FOUND")
	ErrAlreadyExists error = kind("ALREADY_EXISTS")
)

// kind is an error that consists of its code only.
type kind string

func (k kind) Error() string { return "agent sessions: " + string(k) }

// Error is an error response of the service, or a missing response.
type Error struct {
	Status int    // HTTP status; 0 without a response
	Code   string // stable code, such as SESSION_NOT_FOUND
	Detail string // text for people
	Holder string // with ErrBusy, the holder of the lease

	RetryAfter time.Duration `json:"-"` // Retry-After of the response, in whole seconds; 0 without one

	cause       error
	temporary   bool // a retry may succeed
	unconnected bool // the client could not connect
}

func (e *Error) Error() string {
	if e.Status == 0 {
		return "agent sessions: " + e.Detail
	}
	return fmt.Sprintf("agent sessions: %d %s: %s", e.Status, e.Code, e.Detail)
}

// Is reports whether the error has the code of [ErrStale] or of another error of this package.
func (e *Error) Is(target error) bool { return target == kind(e.Code) }

// Unwrap returns the reason why there is no response, nil if there is one.
func (e *Error) Unwrap() error { return e.cause }

const mostAttempts = 6

// call sends a request, retries it until there is a response, and reads the response. Each request of this package is
// safe to send twice: events have ids, and creations and saves have a key.
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

// request creates a request with the common headers, such as the token of the user.
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

// read reads a response into answer: as it is into a *[]byte, and as JSON into all else. It returns the error of an error response.
func read(response *http.Response, answer any) error {
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode < 300 && answer == nil {
		return err
	}
	if content, isContent := answer.(*[]byte); isContent && response.StatusCode < 300 {
		*content = body
		return nil
	}
	problem := &Error{Detail: string(body)}
	if response.StatusCode < 300 {
		if problem.cause = json.Unmarshal(body, answer); problem.cause == nil {
			return nil
		}
		problem.Detail = "this is no answer of the service: " + problem.cause.Error()
	} else {
		_ = json.Unmarshal(body, problem) // not JSON if a proxy in front of the service has responded
	}
	problem.Status = response.StatusCode
	problem.temporary = slices.Contains([]int{429, 502, 503, 504}, problem.Status)
	problem.RetryAfter, _ = time.ParseDuration(response.Header.Get("Retry-After") + "s")
	return problem
}
