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
	"os"
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

type client struct {
	address string
	http    *http.Client
	token   func(context.Context, string) (string, error)
}

type answer struct {
	header   http.Header
	body     []byte
	repeated bool // whether an earlier attempt may have succeeded
}

const (
	attempts     = 6
	longestPause = 10 * time.Second
)

func newClient(address string) client {
	address = cmp.Or(address, os.Getenv("AGENT_SESSIONS_URL"), "http://localhost:8080")
	key := os.Getenv("AGENT_SESSIONS_API_KEY")
	return client{
		address: strings.TrimRight(address, "/"),
		http:    &http.Client{Timeout: 30 * time.Second},
		token:   func(context.Context, string) (string, error) { return key, nil },
	}
}

// call sends a request until it is answered. All of ours may arrive twice: events and sessions have ids.
func (c *client) call(ctx context.Context, user, method, path, ifMatch string, value any) (answer, error) {
	if !strings.HasPrefix(path, "/") {
		return answer{}, errors.New("agent sessions: app_name, user_id and session_id are required, and are not . or ..")
	}
	var body []byte
	if value != nil {
		var err error
		if body, err = json.Marshal(plain(value)); err != nil {
			return answer{}, err
		}
	}
	for attempt := 1; ; attempt++ {
		request, err := http.NewRequestWithContext(ctx, method, c.address+path, bytes.NewReader(body))
		if err != nil {
			return answer{}, err
		}
		token, err := c.token(ctx, user)
		if err != nil {
			return answer{}, err
		}
		for name, text := range map[string]string{
			"Authorization": strings.TrimSuffix("Bearer "+token, "Bearer "),
			"Content-Type":  "application/json",
			"If-Match":      ifMatch,
			"User-Agent":    "agent-sessions-go/" + Version,
		} {
			if text != "" {
				request.Header.Set(name, text)
			}
		}
		result, pause, err := c.send(request)
		result.repeated = attempt > 1
		if err == nil || pause < 0 || attempt == attempts || ctx.Err() != nil {
			return result, err
		}
		usual := 100 * time.Millisecond << attempt
		select {
		case <-time.After(min(cmp.Or(pause, usual/2+rand.N(usual/2)), longestPause)):
		case <-ctx.Done():
			return result, ctx.Err()
		}
	}
}

// send tells also how long to wait before the next attempt: 0 as usual, negative if there should be none.
func (c *client) send(request *http.Request) (result answer, pause time.Duration, err error) {
	response, err := c.http.Do(request)
	if err != nil {
		return result, 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode < 300 {
		return answer{header: response.Header, body: body}, 0, err
	}
	problem := &Error{}
	if json.Unmarshal(body, problem) != nil {
		problem.Detail = string(body)
	}
	problem.Status = response.StatusCode
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return result, time.Duration(max(seconds, 0)) * time.Second, problem
	}
	return result, -1, problem
}
