// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentsessions.dev/agentsessions"
	"google.golang.org/adk/v2/session"
)

const unreadable = "agent_sessions_unreadable"

// full is an event with each kind of value that ADK Go reads, as ADK Python writes it.
const full = `{"id": "e", "author": "agent", "invocationId": "i", "timestamp": 1.5, "branch": "b", "partial": false,
	"content": {"role": "model", "parts": [
		{"text": "Hello", "thought": true, "thoughtSignature": "-_-_"},
		{"inlineData": {"mimeType": "image/png", "data": "-_-_"},
			"videoMetadata": {"startOffset": "1s", "endOffset": "2.5s", "fps": 0.5}},
		{"fileData": {"mimeType": "image/png", "fileUri": "gs://b/f"}},
		{"functionCall": {"id": "c", "name": "f", "args": {"k": null}}},
		{"functionResponse": {"id": "c", "name": "f", "response": {"k": 1},
			"parts": [{"inlineData": {"mimeType": "image/png", "data": "-_-_"}}]}},
		{"executableCode": {"code": "1", "language": "PYTHON"}},
		{"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}}]},
	"actions": {"stateDelta": {"k": 1}, "artifactDelta": {"f": 1}, "transferToAgent": "other", "escalate": true,
		"requestedToolConfirmations": {"c": {"hint": "h", "confirmed": true, "payload": {"k": null}}}},
	"customMetadata": {"k": [null]}, "longRunningToolIds": ["c"], "routes": ["r"],
	"usageMetadata": {"promptTokenCount": 1, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 1}]},
	"citationMetadata": {"citations": [{"startIndex": 1, "publicationDate": {"year": 2026, "month": 1, "day": 2}}]},
	"finishReason": "STOP", "errorMessage": "m", "avgLogprobs": 0.5, "modelVersion": "v", "output": [null],
	"nodeInfo": {"path": "a.b", "outputFor": ["a.b"]},
	"requestedInput": {"interruptId": "r", "responseSchema": {"type": ["object", "null"], "default": {"k": 1}}},
	"groundingMetadata": {"searchEntryPoint": {"sdkBlob": "-_-_"}, "webSearchQueries": ["q"],
		"groundingChunks": [{"maps": {"title": "t", "route": {"distanceMeters": 7, "duration": "2.5s"}}}],
		"groundingSupports": [{"segment": {"startIndex": 1}, "confidenceScores": [0.5]}]},
	"inputTranscription": {"text": "t", "finished": true}}`

func TestReadsBytesAndTimesInAnyField(t *testing.T) {
	octets := []byte{0xfb, 0xff, 0xbf}
	read := readBack(t, decoded(full), decoded(strings.NewReplacer(`"-_-_"`, `"+w"`, `"2.5s"`, "2.5").Replace(full)))
	for number, event := range read {
		if number == 1 {
			octets = []byte{0xfb}
		}
		same(t, event.CustomMetadata, map[string]any{"k": []any{nil}})
		equal(t, event.Timestamp, time.UnixMicro(1_500_000).UTC())
		parts := event.Content.Parts
		same(t, parts[0].ThoughtSignature, octets)
		same(t, parts[1].InlineData.Data, octets)
		same(t, parts[4].FunctionResponse.Parts[0].InlineData.Data, octets)
		same(t, event.GroundingMetadata.SearchEntryPoint.SDKBlob, octets)
		equal(t, parts[1].VideoMetadata.EndOffset, 2500*time.Millisecond)
		equal(t, event.GroundingMetadata.GroundingChunks[0].Maps.Route.Duration, 2500*time.Millisecond)
		equal(t, event.CitationMetadata.Citations[0].PublicationDate.String(), "2026-01-02")
		same(t, event.RequestedInput.ResponseSchema.Default, json.RawMessage(`{"k":1}`))
		same(t, event.Actions.RequestedToolConfirmations["c"].Payload, any(map[string]any{"k": nil}))
	}
}

func TestWritesWhatItReads(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, map[string]any{})
	sent := readBack(t, decoded(full))[0]
	check(t, s.AppendEvent(t.Context(), created, sent))
	read := get(t, s, created).Events().At(0)
	same(t, read.Content, sent.Content)
	same(t, read.GroundingMetadata, sent.GroundingMetadata)
}

func TestLeavesOutOnlyWhatIsWrongAndLogsItOnce(t *testing.T) {
	log := logged(t, func() {})
	for _, wrong := range [][2]string{
		{"content.parts.4.functionResponse.response", `"text"`},
		{"content.parts.3.functionCall.args", `["x"]`},
		{"content.parts.0.thoughtSignature", `"no Base64!"`},
		{"content.parts.1.inlineData.data", `{"type": "Buffer", "data": [1]}`},
		{"content.parts.4.functionResponse.parts.0.inlineData.data", `"data:image/png;base64,AQI="`},
		{"content.parts.1.videoMetadata.endOffset", `"soon"`},
		{"content.parts.5", `"text"`},
		{"content.parts.5", `null`},
		{"usageMetadata.promptTokenCount", `1.5`},
		{"citationMetadata.citations.0.startIndex", `"one"`},
		{"customMetadata", `[{"key": "k"}]`},
		{"actions.artifactDelta.f", `null`},
		{"requestedInput.responseSchema", `{"type": 7}`},
		{"longRunningToolIds", `{"k": 1}`},
	} {
		path, id := wrong[0], wrong[0]+wrong[1]
		event := changed(path, wrong[1])
		event["id"] = id
		for _, read := range readBack(t, event, event) {
			same(t, read.CustomMetadata[unreadable], any([]string{path}))
			equal(t, read.Content.Parts[0].Text, "Hello")
			same(t, read.Actions.StateDelta, map[string]any{"k": 1.0})
			equal(t, read.GroundingMetadata.WebSearchQueries[0], "q")
			equal(t, read.CitationMetadata.Citations[0].PublicationDate.String(), "2026-01-02")
		}
		line := fmt.Sprintf("Session s: ADK cannot hold these parts of the event %s, which are left out: %s", id, path)
		equal(t, strings.Count(log(), "level=WARN msg="+strconv.Quote(line)), 1)
	}
}

func TestReadsAnEventWithAnyWrongValue(t *testing.T) {
	logged(t, func() {})
	var paths []string
	var wrong []map[string]any
	for _, path := range pathsOf(decoded(full), "") {
		for _, value := range []string{`"no Base64 or number!"`, `7`, `1.5`, `true`, `["x"]`, `{}`, `null`, `[null, null]`} {
			if !slices.Contains([]string{"id", "author", "timestamp"}, path) {
				paths, wrong = append(paths, path), append(wrong, changed(path, value))
			}
		}
	}
	marked := 0
	for number, event := range readBack(t, wrong...) {
		path := paths[number]
		dropped, _ := event.CustomMetadata[unreadable].([]string)
		for _, other := range dropped {
			if !strings.HasPrefix(other+".", path+".") && !strings.HasPrefix(path+".", other+".") {
				t.Errorf("%s: %v", path, dropped)
			}
		}
		if !strings.HasPrefix(path, "content") && len(event.Content.Parts) != 7 || event.InvocationID == "" && path != "invocationId" {
			t.Errorf("%s: %v", path, event)
		}
		marked += min(len(dropped), 1)
	}
	if marked < 300 {
		t.Error(marked)
	}
}

func TestKeepsTheSessionAndItsWatchAndStoresAReadableEventNext(t *testing.T) {
	log := logged(t, func() {})
	s := agentsessions.New("")
	created := create(t, s, nil)
	post(t, "/apps/"+app+"/users/alice/sessions/"+created.ID()+"/events", `{"id": "e", "author": "agent",
		"invocationId": "i", "timestamp": 1.5, "customMetadata": [{"key": "of Java"}],
		"content": {"parts": [{"text": "Hello"}, {"functionResponse": {"name": "f", "response": "of Rust"}}]}}`)
	read, beginning := get(t, s, created), 0
	events := []*session.Event{read.Events().At(0)}
	for watched, err := range s.Watch(t.Context(), watching(created, &beginning)) {
		check(t, err)
		events = append(events, watched.Event)
		break
	}
	for _, event := range events {
		same(t, event.CustomMetadata, map[string]any{
			unreadable: []string{"content.parts.1.functionResponse.response", "customMetadata"},
		})
		equal(t, event.Content.Parts[1].FunctionResponse.Name, "f")
	}
	equal(t, strings.Count(log(), "\n"), 1)
	check(t, s.AppendEvent(t.Context(), read, event(2, nil)))
	equal(t, get(t, s, created).Events().Len(), 2)
}

// readBack reads events of a session as an older version of the service returns them.
func readBack(t *testing.T, events ...map[string]any) []*session.Event {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"id": "s", "appName": "a", "userId": "u", "events": events})
	}))
	defer server.Close()
	s := agentsessions.New(server.URL)
	read, err := s.Get(t.Context(), &session.GetRequest{AppName: "a", UserID: "u", SessionID: "s"})
	check(t, err)
	equal(t, read.Session.Events().Len(), len(events))
	return slices.Collect(read.Session.Events().All())
}

func decoded(text string) map[string]any {
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		panic(err)
	}
	return fields
}

// changed returns the full event with another value at a path.
func changed(path, value string) map[string]any {
	event := decoded(full)
	steps, place := strings.Split(path, "."), any(event)
	for _, step := range steps[:len(steps)-1] {
		place = at(place, step)
	}
	last := steps[len(steps)-1]
	changed := decoded(`{"v": ` + value + `}`)["v"]
	if fields, ok := place.(map[string]any); ok {
		fields[last] = changed
	} else {
		index, _ := strconv.Atoi(last)
		place.([]any)[index] = changed
	}
	return event
}

func at(value any, step string) any {
	if fields, ok := value.(map[string]any); ok {
		return fields[step]
	}
	index, _ := strconv.Atoi(step)
	return value.([]any)[index]
}

func pathsOf(value any, path string) (paths []string) {
	add := func(step string, inner any) {
		paths = append(paths, strings.TrimPrefix(path+"."+step, "."))
		paths = append(paths, pathsOf(inner, paths[len(paths)-1])...)
	}
	switch value := value.(type) {
	case map[string]any:
		for step, inner := range value {
			add(step, inner)
		}
	case []any:
		for step, inner := range value {
			add(strconv.Itoa(step), inner)
		}
	}
	return paths
}
