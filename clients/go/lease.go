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

// Errors of a [Service] for [errors.Is] that concern leases; see also [ErrStale] and others.
var (
	ErrBusy      error = kind("SESSION_BUSY") // another holder has the lease of the session
	ErrLeaseLost error = kind("LEASE_LOST")   // the lease has ended, or another holder has taken it
)

// AcquireRequest names a session and sets the options of its lease.
type AcquireRequest struct {
	AppName, UserID, SessionID string

	// Holder is the name of the lease holder that other clients see. The client adds a random suffix. Optional: the
	// default is this machine and process.
	Holder string
	// TTL is the time after which the lease expires if this process dies or stops, from 1 second to 1 hour. While the
	// turn lasts, the client renews the lease after each third of the TTL. Optional: the default is 1 minute.
	TTL time.Duration
	// Exclusive makes the service refuse all other appends while the lease is held, including appends without a lease.
	Exclusive bool
}

// Lease is the right to run a turn on a session. One holder has it at a time.
type Lease struct {
	// Number is sent with each append. It is greater than the number of every earlier lease of the session.
	Number int64 `json:"lease"`
	// Holder is the name of the lease holder that other clients see.
	Holder string

	service    *Service
	user, path string
	turn       context.Context
	end        context.CancelCauseFunc
}

// Acquire takes the lease of a session for a turn. Call it before you read the session. Appends with the returned
// context, such as those of a runner that uses it, are appends under the lease. The error is [ErrBusy] while another
// holder has the lease. It is an [*Error] that names the holder and the longest time that the lease lasts without
// renewal.
//
// The client renews the lease until the lease is released or the context ends. The lease is lost if this process sleeps
// longer than the TTL. Then the service stores nothing more of this turn, and the turn's context ends, both with
// [ErrLeaseLost]; see [context.Cause]. Another holder may have started a turn.
func (s *Service) Acquire(ctx context.Context, req *AcquireRequest) (turn context.Context, lease *Lease, err error) {
	host, _ := os.Hostname()
	holder := cmp.Or(req.Holder, host+":"+strconv.Itoa(os.Getpid())) + ":" + platform.NewUUID(ctx)
	path := pathTo("apps", req.AppName, "users", req.UserID, "sessions", req.SessionID)
	l := &Lease{Holder: holder, service: s, user: req.UserID, path: path}
	key := leaseKey{s.reach.address, req.AppName, req.UserID, req.SessionID}
	l.turn, l.end = context.WithCancelCause(context.WithValue(ctx, key, l))
	ttl := cmp.Or(req.TTL, time.Minute)
	granted := make(chan error, 1)
	go func() { // the request completes even if the context ends; the lease is released then
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

// Release releases the lease and ends the turn's context. It also works after the end of the context. A lease that no
// longer exists is no error. A lease that cannot be released expires.
func (l *Lease) Release() error {
	l.end(nil)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(l.turn), longestPause)
	defer cancel()
	_, err := l.service.call(ctx, l.user, "POST", l.path+":release", l.header(), nil, nil)
	return err
}

// leaseKey is the context key of the lease of a session.
type leaseKey struct{ address, app, user, session string }

// leaseOf returns the lease under which the client appends to a session, nil without a lease.
func (s *Service) leaseOf(ctx context.Context, own *storedSession) *Lease {
	lease, _ := ctx.Value(leaseKey{s.reach.address, own.App, own.User, own.Name}).(*Lease)
	return lease
}

// header returns the request header with the lease number, empty without a lease.
func (l *Lease) header() http.Header {
	if l == nil {
		return http.Header{}
	}
	return http.Header{"Lease": {strconv.FormatInt(l.Number, 10)}}
}

// heed ends the turn if the error of an append says that the lease is lost.
func (l *Lease) heed(err error) {
	if l != nil && errors.Is(err, ErrLeaseLost) {
		l.end(err)
	}
}

// renew renews the lease until the turn ends.
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
		// After any other error, the service may recover before the lease expires.
	}
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + "s" }
