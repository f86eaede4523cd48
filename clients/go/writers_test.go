// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"agentsessions.dev/agentsessions"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

// Writers in several languages increase a counter in one session at the same time. No increment is lost, a writer with
// an outdated session gets an error, and each writer can read the events of all others.
func TestCountsWithOtherLanguages(t *testing.T) {
	writers := strings.Fields(os.Getenv("CONFORMANCE_WRITERS"))
	if len(writers) == 0 {
		t.Skip("CONFORMANCE_WRITERS names no languages")
	}
	s := agentsessions.New("")
	read := func() session.Session {
		found, err := s.Get(t.Context(), &session.GetRequest{AppName: "writers", UserID: "alice", SessionID: "shared"})
		check(t, err)
		return found.Session
	}
	current, stale := read(), 0
	meet(t, writers, "read") // so that all first appends but one are stale
	for number := 0; number < 10; {
		count, err := current.State().Get("count")
		check(t, err)
		next := event(number, map[string]any{"count": count.(float64) + 1})
		next.Content = &genai.Content{Role: "model", Parts: []*genai.Part{
			genai.NewPartFromBytes([]byte{1, 255, 254, 62, 63}, "image/png"),
			{FunctionCall: &genai.FunctionCall{ID: "c1", Name: "count", Args: map[string]any{"by": "go"}}},
		}}
		if err := s.AppendEvent(t.Context(), current, next); errors.Is(err, agentsessions.ErrStale) {
			stale++
		} else {
			check(t, err)
			number++
		}
		current = read()
	}
	meet(t, writers, fmt.Sprint("stale ", stale))
	all := read()
	count, _ := all.State().Get("count")
	equal(t, count, any(float64(10*len(writers))))
	equal(t, all.Events().Len(), 10*len(writers))
	by := map[string]int{}
	for e := range all.Events().All() {
		same(t, e.Content.Parts[0].InlineData.Data, []byte{1, 255, 254, 62, 63})
		by[e.Content.Parts[1].FunctionCall.Args["by"].(string)]++
	}
	for _, writer := range writers {
		equal(t, by[writer], 10)
	}
}

// meet waits until all writers have reached this point; the script reads the content of the files.
func meet(t *testing.T, writers []string, text string) {
	place, _, _ := strings.Cut(text, " ")
	file := func(writer string) string {
		return os.Getenv("CONFORMANCE_MEETING") + "/" + writer + "." + place
	}
	check(t, os.WriteFile(file("go"), []byte(text), 0o600))
	for _, writer := range writers {
		for _, err := os.Stat(file(writer)); err != nil && t.Context().Err() == nil; _, err = os.Stat(file(writer)) {
			time.Sleep(20 * time.Millisecond)
		}
	}
}
