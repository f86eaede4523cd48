// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ErrUnavailable means that the client cannot reach the service, or that the service cannot serve requests for now. The
// error names the address.
var ErrUnavailable error = kind("UNAVAILABLE")

// WithUnavailableTimeout sets how long the client retries a request while it cannot connect; the default is 30 seconds.
// The client logs the first failure. Errors that waiting cannot fix fail at once: an unknown host, an untrusted
// certificate, another protocol.
func WithUnavailableTimeout(timeout time.Duration) Option {
	return func(s *Service) { s.unavailable = timeout }
}

// reach is the address of the service, and whether the client can connect to it.
type reach struct {
	address string // without a trailing slash and without credentials or query
	invalid error  // the reason why the address is invalid
	away    atomic.Bool
}

func newReach(address string) *reach {
	parsed, err := url.Parse(address)
	if err != nil || !slices.Contains([]string{"http", "https"}, parsed.Scheme) || parsed.Host == "" {
		detail := fmt.Sprintf("the address of the service has to begin with http:// or https://: %q", address)
		return &reach{invalid: &Error{Code: "INVALID_ARGUMENT", Detail: detail, cause: err}}
	}
	parsed.User, parsed.RawQuery, parsed.Fragment = nil, "", ""
	return &reach{address: strings.TrimRight(parsed.String(), "/")}
}

// transport is the default transport with a connect time-out of 10 seconds, so that connecting does not take the whole
// time of an attempt.
var transport = sync.OnceValue(func() http.RoundTripper {
	usual, isUsual := http.DefaultTransport.(*http.Transport)
	if !isUsual {
		return http.DefaultTransport
	}
	usual = usual.Clone()
	usual.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	return usual
})

// failed returns the error of a request without a response. It logs the first failure to connect.
func (r *reach) failed(ctx context.Context, err error, patience time.Duration) *Error {
	cause := err
	var request *url.Error // its message names the path, and so the user
	if errors.As(err, &request) {
		cause = request.Err
	}
	problem := &Error{Code: "UNAVAILABLE", cause: err, temporary: !lasts(err)}
	problem.unconnected = problem.temporary && isUnconnected(err)
	switch {
	case !problem.temporary:
		problem.Detail = fmt.Sprintf("%s cannot be reached: %v", r.address, cause)
	case !problem.unconnected:
		problem.Detail = fmt.Sprintf("no answer from %s: %v", r.address, cause)
	default:
		if !r.away.Swap(true) {
			slog.WarnContext(ctx, "Agent Sessions cannot be reached, requests are sent again",
				"address", r.address, "for", patience, "error", cause)
		}
		problem.Detail = fmt.Sprintf("%s could not be reached for %v: %v", r.address, patience, cause)
	}
	return problem
}

// isUnconnected reports whether the client could not connect, so that it sent nothing.
func isUnconnected(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
}

// lasts reports whether the error is permanent: the host does not exist, its certificate is not trusted, or it uses
// another protocol.
func lasts(err error) bool {
	var host *net.DNSError
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	return errors.As(err, &host) && host.IsNotFound || errors.As(err, &record) || errors.As(err, &certificate) ||
		errors.As(err, &alert) || errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "malformed HTTP")
}

const longestPause, longestUnconnected = 10 * time.Second, 3 * time.Second

// attempts counts the attempts of one request, or the reconnects of a watch.
type attempts struct {
	reach    *reach
	most     int           // maximum number of attempts that may have reached the service
	patience time.Duration // how long to retry while the client cannot connect

	failed, sent int
	until        time.Time // when patience ends; zero while the client can connect
}

// pause waits before the next attempt. It returns an error if there is no next attempt: the last attempt failed, the
// service would refuse the same request again, or the context has ended.
func (a *attempts) pause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var problem *Error
	if !errors.As(err, &problem) {
		problem = a.reach.failed(ctx, err, a.patience)
	}
	wait := a.next(problem)
	if wait <= 0 {
		return problem
	}
	pausing, stop := context.WithTimeout(ctx, min(wait, longestPause))
	defer stop()
	<-pausing.Done()
	return context.Cause(ctx) // nil if only the pause ended
}

// next returns how long to wait before the next attempt, or 0 for no further attempt. The Retry-After of the service
// takes precedence.
func (a *attempts) next(problem *Error) time.Duration {
	usual := 100 * time.Millisecond << min(a.failed, 6)
	usual += rand.N(usual)
	a.failed++
	if problem.unconnected {
		if a.until.IsZero() {
			a.until = time.Now().Add(a.patience)
		}
		return min(usual, longestUnconnected, time.Until(a.until))
	}
	a.until = time.Time{}
	a.sent++
	if a.sent == a.most || !problem.temporary {
		return 0
	}
	return cmp.Or(problem.RetryAfter, usual)
}
