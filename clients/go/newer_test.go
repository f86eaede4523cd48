// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions

import (
	"encoding/json"
	"testing"
	"time"
)

// newer has times where newer versions of ADK have them.
type newer struct {
	Compaction *struct {
		StartTimestamp time.Time `json:"startTimestamp"`
		EndTimestamp   time.Time `json:"endTimestamp"`
		ExcludedEvents []struct {
			Timestamp time.Time `json:"timestamp"`
		} `json:"excludedEvents"`
	} `json:"compaction"`
}

func TestTimesOfASummaryEqualTheTimesOfEvents(t *testing.T) {
	var fields map[string]any
	text := `{"compaction": {"startTimestamp": 1767225600.123456, "endTimestamp": "2026-01-01T00:00:00.123456789Z",
		"excludedEvents": [{"timestamp": "2026-01-01T01:00:00.123456789+01:00"}, {"timestamp": "soon"}]}}`
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatal(err)
	}
	read, dropped := readAs[newer](fields)
	if want := "compaction.excludedEvents.1.timestamp"; len(dropped) != 1 || dropped[0] != want {
		t.Errorf("dropped %v, want %s", dropped, want)
	}
	if start := read.Compaction.StartTimestamp; !start.Equal(time.UnixMicro(1767225600123456)) {
		t.Error(start)
	}
	if end := read.Compaction.EndTimestamp; end.Nanosecond() != 123456789 {
		t.Error(end)
	}
	read.Compaction.ExcludedEvents = read.Compaction.ExcludedEvents[:1]
	want := `{"compaction":{"endTimestamp":"2026-01-01T00:00:00.123456Z",` +
		`"excludedEvents":[{"timestamp":"2026-01-01T01:00:00.123456+01:00"}],"startTimestamp":"2026-01-01T00:00:00.123456Z"}}`
	if got := string(write(read)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWritesStateAsItIs(t *testing.T) {
	state := map[string]any{"large": int64(1<<62 + 1), "time": time.Unix(0, 1).UTC(), "duration": time.Second}
	want := `{"duration":1000000000,"large":4611686018427387905,"time":"1970-01-01T00:00:00.000000001Z"}`
	if got := string(write(state)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
