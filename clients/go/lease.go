// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"

	"google.golang.org/adk/v2/platform"
)

// What [errors.Is] tells about an error of a [Service], besides [ErrStale] and others.
var (
	ErrBusy      error = kind("SESSION_BUSY") // somebody else has the lease of the session
	ErrLeaseLost error = kind("LEASE_LOST")   // it has ended, or somebody else has taken it
)

// AcquireRequest names a session, and says how its lease is to be.
type AcquireRequest struct {
	AppName, UserID, SessionID string

	// Holder is who takes it, for others to see. Something random is added. Optional: else this machine and process.
	Holder string
	// TTL is after how long the lease ends by itself, if this process dies or stops; 1 second to 1 hour. While the turn
	// lasts, it is renewed after a third of it. Optional: else a minute.
	TTL time.Duration
	// Exclusive refuses all other appends meanwhile, also those that do not care about leases.
	Exclusive bool
}

// Lease is the right to take a turn on a session, which one has at a time.
type Lease struct {
	// Number is sent with each append, and greater than those of all leases of the session before.
	Number int64 `json:"lease"`
	// Holder is who has it, as others see it.
	Holder string

	service    *Service
	user, path string
	turn       context.Context
	end        context.CancelCauseFunc
}

// Acquire takes the lease of a session for a turn; do so before the session is read. What is appended to it with the
// context that this gives, as by a runner that runs with it, is appended under the lease. The error is [ErrBusy] while
// somebody else has the lease, and an [*Error] that tells who, and for how long at most.
//
// The lease is renewed until it is released or the context ends. If it is lost all the same, because this process slept
// for longer than it lasts, nothing more is stored and the turn's context ends, both with [ErrLeaseLost]; see
// [context.Cause]. Somebody else may have begun a turn.
func (s *Service) Acquire(ctx context.Context, req *AcquireRequest) (turn context.Context, lease *Lease, err error) {
	host, _ := os.Hostname()
	holder := cmp.Or(req.Holder, host+":"+strconv.Itoa(os.Getpid())) + ":" + platform.NewUUID(ctx)
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID)
	l := &Lease{Holder: holder, service: s, user: req.UserID, path: path}
	key := leaseKey{s.reach.address, req.AppName, req.UserID, req.SessionID}
	l.turn, l.end = context.WithCancelCause(context.WithValue(ctx, key, l))
	ttl := cmp.Or(req.TTL, time.Minute)
	granted := make(chan error, 1)
	go func() { // what was asked for is answered even if the context ends, and given back then
		body := map[string]any{"holder": holder, "ttl": seconds(ttl), "exclusive": req.Exclusive}
		_, err := s.call(context.WithoutCancel(ctx), req.UserID, "POST", path+":acquire", nil, plain(body), l)
		granted <- err
	}()
	select {
	case err = <-granted:
	case <-ctx.Done():
		err = context.Cause(ctx)
		go func() {
			if <-granted == nil {
				_ = l.Release()
			}
		}()
	}
	if err != nil {
		l.end(err)
		return ctx, nil, err
	}
	go l.renew(ttl)
	return l.turn, l, nil
}

// Release gives the lease back and ends the turn's context. It works after the end of the context, too. A lease that is
// gone is no error; one that cannot be given back ends by itself.
func (l *Lease) Release() error {
	l.end(nil)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.turn), longestPause)
	defer cancel()
	_, err := l.service.call(ctx, l.user, "POST", l.path+":release", l.header(), nil, nil)
	return err
}

// leaseKey is where a context has the lease of a session.
type leaseKey struct{ address, app, user, session string }

// leaseOf is the lease under which a session is appended to, nil if there is none.
func (s *Service) leaseOf(ctx context.Context, own *storedSession) *Lease {
	lease, _ := ctx.Value(leaseKey{s.reach.address, own.App, own.User, own.Name}).(*Lease)
	return lease
}

// header names the lease, if there is one.
func (l *Lease) header() http.Header {
	if l == nil {
		return http.Header{}
	}
	return http.Header{"Lease": {strconv.FormatInt(l.Number, 10)}}
}

// heed ends the turn if this error of an append says that its lease is lost.
func (l *Lease) heed(err error) {
	if l != nil && errors.Is(err, ErrLeaseLost) {
		l.end(err)
	}
}

// renew renews the lease until the turn is over.
func (l *Lease) renew(ttl time.Duration) {
	for {
		select {
		case <-time.After(ttl / 3):
		case <-l.turn.Done():
			return
		}
		ctx, cancel := context.WithTimeout(l.turn, ttl/3)
		body := map[string]any{"ttl": seconds(ttl)}
		_, err := l.service.call(ctx, l.user, "POST", l.path+":acquire", l.header(), plain(body), nil)
		cancel()
		if errors.Is(err, ErrLeaseLost) || errors.Is(err, ErrNotFound) {
			l.end(err)
		}
		// After any other error the service may be back before the lease ends.
	}
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s" }
