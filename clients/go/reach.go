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

// ErrUnavailable is that the service cannot be reached, or cannot serve requests for now. The error names the address.
var ErrUnavailable error = kind("UNAVAILABLE")

// WithUnavailableTimeout sends a request again for this long while no connection can be made, else for 30 seconds. The
// first failure is logged. What waiting cannot heal fails at once: a host that does not exist, a certificate that is not
// trusted, another protocol.
func WithUnavailableTimeout(timeout time.Duration) Option {
	return func(s *Service) { s.unavailable = timeout }
}

// reach is where the service is, and what is known of the way to it.
type reach struct {
	address string // without a slash at its end, and without what may be secret in it
	invalid error  // why it is no address
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

// transport is the usual one, but it does not spend the whole time of an attempt on making a connection.
var transport = sync.OnceValue(func() http.RoundTripper {
	usual, isUsual := http.DefaultTransport.(*http.Transport)
	if !isUsual {
		return http.DefaultTransport
	}
	usual = usual.Clone()
	usual.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
	return usual
})

// failed is the error of a request that got no answer. The first connection that cannot be made is logged.
func (r *reach) failed(ctx context.Context, err error, patience time.Duration) *Error {
	cause := err
	var request *url.Error // which names the path, and so the user
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

// isUnconnected tells whether no connection could be made, so that nothing was sent.
func isUnconnected(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
}

// lasts tells whether it stays so: there is no such host, its certificate is not trusted, or it speaks another protocol.
func lasts(err error) bool {
	var host *net.DNSError
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var alert tls.AlertError
	return errors.As(err, &host) && host.IsNotFound || errors.As(err, &record) || errors.As(err, &certificate) ||
		errors.As(err, &alert) || errors.Is(err, http.ErrSchemeMismatch) || strings.Contains(err.Error(), "malformed HTTP")
}

const longestPause, longestUnconnected = 10 * time.Second, 3 * time.Second

// attempts are those of one request, or those of a watch to go on.
type attempts struct {
	reach    *reach
	most     int           // of those that may have arrived
	patience time.Duration // while no connection can be made

	failed, sent int
	until        time.Time // while no connection can be made, when patience ends
}

// pause waits before another attempt. An error is that there is to be no other one: it was the last, the service would
// refuse the same request again, or the context has ended.
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
	return context.Cause(ctx) // nil if only the pause is over
}

// next is how long to wait before another attempt, as long as the service asks, if it does; 0 if there is to be none.
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
