// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

// Package agentsessions stores the sessions of ADK agents in Agent Sessions.
//
// It uses the HTTP API of service versions 0.1 and later. To use it, change one line of an agent:
//
//	runner.Config{SessionService: agentsessions.New("http://localhost:8080"), ...}
//
// [Service.Artifacts] stores artifacts there as well, and [NewMemory] finds what was said. Versions of artifacts begin
// with 1 in Go, where 0 means the newest version, and with 0 in the service and in all other languages. The package
// converts them, also in the artifactDelta of events: a version n in Go is version n-1 elsewhere.
package agentsessions

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/session"
)

// Version is the version of this package.
const Version = "0.1.0"

// Removed is the value in a state delta that removes its key. nil is a value like any other.
const Removed = "__ADK_SENTINEL_REMOVED__"

// Service is a [session.Service] over HTTP. It is safe for concurrent use by many goroutines.
type Service struct {
	reach       *reach
	unavailable time.Duration
	http        *http.Client
	token       func(context.Context, string) (string, error)
	anyRevision bool
	view        string
	artifacts   *atomic.Bool // whether the artifacts are in Agent Sessions, too
}

var _ session.Service = (*Service)(nil)

// Option changes how a [Service] works.
type Option func(*Service)

// WithAPIKey sets the API key of the service, instead of the key in AGENT_SESSIONS_API_KEY.
func WithAPIKey(key string) Option {
	return WithToken(func(context.Context, string) (string, error) { return key, nil })
}

// WithToken calls token for the user's token before each request. The user is empty when an app's sessions are listed.
func WithToken(token func(ctx context.Context, userID string) (string, error)) Option {
	return func(s *Service) { s.token = token }
}

// WithHTTPClient sets the HTTP client: its connection pool, TLS, and the time-out of one attempt. The default client
// has a time-out of 30 seconds, of which at most 10 seconds are for connecting.
func WithHTTPClient(client *http.Client) Option { return func(s *Service) { s.http = client } }

// WithoutStaleCheck appends events even if the session has changed since the client read it.
func WithoutStaleCheck() Option { return func(s *Service) { s.anyRevision = true } }

// New returns the session service at an address. An empty address means AGENT_SESSIONS_URL, or else
// http://localhost:8080. If the address is invalid, all requests fail with an error that says so.
func New(address string, options ...Option) *Service {
	address = cmp.Or(address, os.Getenv("AGENT_SESSIONS_URL"), "http://localhost:8080")
	client := &http.Client{Transport: transport(), Timeout: 30 * time.Second}
	s := &Service{
		reach: newReach(address), unavailable: 30 * time.Second, http: client, artifacts: new(atomic.Bool),
	}
	WithAPIKey(os.Getenv("AGENT_SESSIONS_API_KEY"))(s)
	for _, option := range options {
		option(s)
	}
	return s
}

// Create creates a session. The error is [ErrAlreadyExists] if a session with this id exists.
func (s *Service) Create(ctx context.Context, req *session.CreateRequest) (*session.CreateResponse, error) {
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions") + withRevision
	body := plain(map[string]any{"sessionId": req.SessionID, "state": kept(req.State)})
	created, err := s.session(ctx, req.UserID, "POST", path, retryKey(ctx), body)
	return (*session.CreateResponse)(created), err
}

// retryKey returns the header by which the service knows a retry of one creation or one save.
func retryKey(ctx context.Context) http.Header {
	return http.Header{"Idempotency-Key": {platform.NewUUID(ctx)}}
}

// Get reads a session. The error is [ErrNotFound] if it does not exist.
func (s *Service) Get(ctx context.Context, req *session.GetRequest) (*session.GetResponse, error) {
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID) + withRevision + s.view
	if req.NumRecentEvents > 0 {
		path += "&numRecentEvents=" + strconv.Itoa(req.NumRecentEvents)
	}
	if !req.After.IsZero() {
		path += "&afterTimestamp=" + req.After.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano)
	}
	return s.session(ctx, req.UserID, "GET", path, nil, nil)
}

// session sends a request whose response is a session.
func (s *Service) session(
	ctx context.Context, user, method, path string, header http.Header, body []byte,
) (*session.GetResponse, error) {
	answer := &storedSession{}
	if _, err := s.call(ctx, user, method, path, header, body, answer); err != nil {
		return nil, err
	}
	for _, event := range answer.History {
		s.renumber(event, firstVersion)
	}
	return &session.GetResponse{Session: answer}, nil
}

// List lists the sessions of a user, without events. Without a user, it lists all sessions of the app, which requires
// an administrator.
func (s *Service) List(ctx context.Context, req *session.ListRequest) (*session.ListResponse, error) {
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions")
	if req.UserID == "" {
		path = pathTo("apps", req.AppName, "sessions")
	}
	list := &session.ListResponse{Sessions: []session.Session{}}
	query := url.Values{"includeRevision": {"true"}, "includeEval": {"true"}}
	for more := true; more; more = query.Get("pageToken") != "" {
		var page []*storedSession
		header, err := s.call(ctx, req.UserID, "GET", path+"?"+query.Encode(), nil, nil, &page)
		if err != nil {
			return nil, err
		}
		for _, item := range page {
			list.Sessions = append(list.Sessions, item)
		}
		query.Set("pageToken", header.Get("X-Next-Page-Token"))
	}
	return list, nil
}

// Delete deletes a session. It succeeds if the session does not exist.
func (s *Service) Delete(ctx context.Context, req *session.DeleteRequest) error {
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID)
	_, err := s.call(ctx, req.UserID, "DELETE", path, nil, nil, nil)
	return err
}

// AppendEvent appends an event and applies the same change to the session object. The error is [ErrStale] if the stored
// session has other events than the object: read the session again and append again. Appends to one object run one
// after the other. An event without an id or a time gets them.
//
// For a session object that this package did not read, such as a copy of your own type, LastUpdateTime identifies the
// revision. Such an object does not change: read the session again before the next append.
func (s *Service) AppendEvent(ctx context.Context, current session.Session, event *session.Event) error {
	if current == nil || event == nil {
		return errNothing
	}
	if event.Partial {
		return nil
	}
	own := storedOf(current)
	own.appending.Lock()
	defer own.appending.Unlock()
	event.ID = cmp.Or(event.ID, platform.NewUUID(ctx))
	event.Timestamp = cmp.Or(event.Timestamp, platform.Now(ctx)).Truncate(time.Microsecond) // the stored precision
	sent, after := *event, contents{}
	sent.Actions.StateDelta = kept(event.Actions.StateDelta)
	tag, err := s.add(ctx, own, "/events", write(s.stored(sent)), &after)
	if err != nil {
		return err
	}
	own.append(event.Actions.StateDelta, &sent, after.Updated, tag)
	return nil
}

var errNothing = errors.New("agent sessions: a session and an event are required")

// add appends to the revision that the object has read, and returns the new entity tag of the session.
func (s *Service) add(ctx context.Context, own *storedSession, action string, body []byte, answer any) (string, error) {
	lease := s.leaseOf(ctx, own)
	header := lease.header()
	path := pathTo("apps", own.App, "users", own.User, "sessions", own.Name) + action
	switch {
	case s.anyRevision:
	case own.Tag != "":
		header.Set("If-Match", own.Tag)
	case own.Updated != 0:
		path += "?lastUpdateTime=" + strconv.FormatFloat(own.Updated, 'f', 6, 64)
	}
	after, err := s.call(ctx, own.User, "POST", path, header, body, answer)
	lease.heed(err)
	return after.Get("ETag"), err
}

// withRevision requests the entity tag of each session.
const withRevision = "?includeRevision=true"

// pathTo returns the path for these names, or "" if a name such as .. would change the path.
func pathTo(names ...string) string {
	path := ""
	for _, name := range names {
		if strings.Trim(name, ".") == "" {
			return ""
		}
		path += "/" + url.PathEscape(name)
	}
	return path
}
