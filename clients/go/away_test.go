// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions_test

import (
	"bytes"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"agentsessions.dev/agentsessions"
	"google.golang.org/adk/v2/session"
)

func TestWaitsForAServiceThatIsAway(t *testing.T) {
	address := unusedAddress(t)
	service, err := url.Parse(os.Getenv("AGENT_SESSIONS_URL"))
	check(t, err)
	logged := logged(t, func() { // the service starts after the first failure is logged
		listener, err := net.Listen("tcp", address)
		check(t, err)
		back := &http.Server{Handler: httputil.NewSingleHostReverseProxy(service)}
		t.Cleanup(func() { check(t, back.Close()) })
		go func() { _ = back.Serve(listener) }()
	})
	s := agentsessions.New("http://" + address)
	created := create(t, s, nil)
	equal(t, get(t, s, created).ID(), created.ID())
	equal(t, strings.Count(logged(), "\n"), 1)
	equal(t, strings.Contains(logged(), "http://"+address), true)
}

func TestSaysWhereNoServiceIs(t *testing.T) {
	address := "http://" + unusedAddress(t)
	logged := logged(t, func() {})
	s := agentsessions.New(address, agentsessions.WithUnavailableTimeout(200*time.Millisecond))
	for range 2 {
		_, err := s.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: "alice"})
		is(t, err, agentsessions.ErrUnavailable)
		if !strings.Contains(err.Error(), address+" could not be reached for 200ms") || strings.Contains(err.Error(), "alice") {
			t.Error(err)
		}
	}
	equal(t, strings.Count(logged(), "\n"), 1)
}

func TestFailsAtOnceWhereWaitingDoesNotHelp(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	secured := httptest.NewUnstartedServer(http.NotFoundHandler())
	secured.Config.ErrorLog = log.New(io.Discard, "", 0)
	secured.StartTLS()
	t.Cleanup(secured.Close)
	speechless, err := net.Listen("tcp", "127.0.0.1:0") // answers as a TLS server does to a client without TLS
	check(t, err)
	t.Cleanup(func() { check(t, speechless.Close()) })
	go func() {
		for connection, err := speechless.Accept(); err == nil; connection, err = speechless.Accept() {
			_, _ = connection.Write([]byte{21, 3, 3, 0, 2, 2, 70})
			_ = connection.Close()
		}
	}()
	for _, address := range []string{
		"http://no-such-host.invalid", strings.Replace(plain.URL, "http:", "https:", 1), secured.URL,
		"http://" + speechless.Addr().String(),
	} {
		err := deleted(t, address)
		is(t, err, agentsessions.ErrUnavailable)
		if !strings.Contains(err.Error(), address+" cannot be reached") {
			t.Error(err)
		}
	}
	for _, address := range []string{"localhost:8080", "127.0.0.1:8080", "ftp://localhost", "http://", "/"} {
		err := deleted(t, address)
		var problem *agentsessions.Error
		if !errors.As(err, &problem) || problem.Code != "INVALID_ARGUMENT" || !strings.Contains(err.Error(), address) {
			t.Error(err)
		}
	}
}

func deleted(t *testing.T, address string) error {
	t.Helper()
	s := agentsessions.New(address, agentsessions.WithUnavailableTimeout(time.Hour))
	return s.Delete(t.Context(), &session.DeleteRequest{AppName: app, UserID: "alice", SessionID: "s"})
}

func unusedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// logged captures the log, and calls first before the first line.
func logged(t *testing.T, first func()) func() string {
	t.Helper()
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	kept := &lines{first: first}
	slog.SetDefault(slog.New(slog.NewTextHandler(kept, nil)))
	return kept.String
}

type lines struct {
	mu    sync.Mutex
	text  bytes.Buffer
	first func()
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() == 0 {
		l.first()
	}
	return l.text.Write(line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
