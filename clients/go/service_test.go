// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agentsessions.dev/agentsessions"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/platform"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/session/sessiontestsuite"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"
)

// app is new in each run, so that a run finds no data of an earlier run.
var app = "go-" + uuid.NewString()

func TestMain(m *testing.M) {
	if os.Getenv("AGENT_SESSIONS_URL") == "" {
		fmt.Println("skipped: AGENT_SESSIONS_URL names no service")
		return
	}
	os.Exit(m.Run())
}

// The test suite that ADK Go publishes for session services.
func TestSuiteOfADK(t *testing.T) {
	options := sessiontestsuite.SuiteOptions{SupportsUserProvidedSessionID: true, AppName: app + "-suite"}
	sessiontestsuite.RunServiceTests(t, options, func(t *testing.T) session.Service {
		s := agentsessions.New("")
		all, err := s.List(t.Context(), &session.ListRequest{AppName: options.AppName})
		check(t, err)
		for _, old := range all.Sessions {
			check(t, s.Delete(t.Context(), &session.DeleteRequest{
				AppName: old.AppName(), UserID: old.UserID(), SessionID: old.ID(),
			}))
		}
		return s
	})
}

func TestKeepsIdsAndRefusesThemTwice(t *testing.T) {
	s := agentsessions.New("")
	req := &session.CreateRequest{AppName: app, UserID: "u \"1\" é&+", SessionID: "own-1"}
	created, err := s.Create(t.Context(), req)
	check(t, err)
	equal(t, created.Session.ID(), "own-1")
	_, err = s.Create(t.Context(), req)
	is(t, err, agentsessions.ErrAlreadyExists)
	equal(t, get(t, s, created.Session).UserID(), "u \"1\" é&+")
	list, err := s.List(t.Context(), &session.ListRequest{AppName: app, UserID: "u \"1\" é&+"})
	check(t, err)
	equal(t, len(list.Sessions), 1)
}

func TestHidesSessionsOfSomebodyElse(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	_, err := s.Get(t.Context(), &session.GetRequest{AppName: app, UserID: "mallory", SessionID: created.ID()})
	is(t, err, agentsessions.ErrNotFound)
	for _, id := range []string{"", ".", ".."} {
		if s.Delete(t.Context(), &session.DeleteRequest{AppName: app, UserID: "alice", SessionID: id}) == nil {
			t.Errorf("%q is no id", id)
		}
	}
	check(t, s.Delete(t.Context(), &session.DeleteRequest{AppName: app, UserID: "mallory", SessionID: created.ID()}))
	check(t, s.Delete(t.Context(), &session.DeleteRequest{AppName: app, UserID: "alice", SessionID: created.ID()}))
	is(t, s.AppendEvent(t.Context(), created, event(1, nil)), agentsessions.ErrNotFound)
}

func TestReadsBackTheWholeEvent(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	sent := event(1, map[string]any{"a": map[string]any{"n": []any{1.0, 2.5, nil}}, "user:u": "x", "gone": nil})
	sent.Content = &genai.Content{Role: "model", Parts: []*genai.Part{
		{Text: "look <b>"},
		{InlineData: &genai.Blob{MIMEType: "image/png", Data: []byte{1, 2, 3, 4, 255, 254, 253, 62, 63}}},
		{FunctionCall: &genai.FunctionCall{ID: "c1", Name: "f_g", Args: map[string]any{"some_key": nil}}},
		{FunctionResponse: &genai.FunctionResponse{ID: "c1", Name: "f_g", Response: map[string]any{"big_key": 1.5}}},
	}}
	sent.Branch, sent.LongRunningToolIDs, sent.TurnComplete = "a.b", []string{"c1"}, true
	sent.CustomMetadata = map[string]any{"own_key": map[string]any{"n": 1.0}}
	sent.ErrorCode, sent.ErrorMessage, sent.Output = "E", "m", map[string]any{"out_put": true}
	sent.Actions.TransferToAgent, sent.Actions.Escalate = "other", true
	sent.Actions.ArtifactDelta["a.txt"] = 3
	check(t, s.AppendEvent(t.Context(), created, sent))
	stored := get(t, s, created)
	same(t, sent, stored.Events().At(0))
	value, err := stored.State().Get("gone")
	if value != nil || err != nil {
		t.Errorf("nil is a value: %v %v", value, err)
	}
}

func TestReadsManyEventsInOrder(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	for number := range 250 {
		check(t, s.AppendEvent(t.Context(), created, event(number, nil)))
	}
	same(t, ids(created), ids(get(t, s, created)))
	window := func(req session.GetRequest) (invocations []string) {
		req.AppName, req.UserID, req.SessionID = app, "alice", created.ID()
		found, err := s.Get(t.Context(), &req)
		check(t, err)
		for e := range found.Session.Events().All() {
			invocations = append(invocations, e.InvocationID)
		}
		return invocations
	}
	equal(t, len(window(session.GetRequest{})), 250)
	same(t, window(session.GetRequest{NumRecentEvents: 2}), []string{"i-248", "i-249"})
	same(t, window(session.GetRequest{After: start.Add(248 * time.Second)}), []string{"i-248", "i-249"})
}

func TestFollowsThePagesOfAList(t *testing.T) {
	s := agentsessions.New("")
	var pages int
	counting := agentsessions.New("", agentsessions.WithHTTPClient(&http.Client{Transport: roundTrip(
		func(r *http.Request) (*http.Response, error) {
			query := r.URL.Query()
			query.Set("limit", "2")
			r.URL.RawQuery = query.Encode()
			pages++
			return http.DefaultTransport.RoundTrip(r)
		})}))
	ids := map[string]bool{}
	for range 5 {
		created, err := s.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: "lister"})
		check(t, err)
		ids[created.Session.ID()] = true
	}
	list, err := counting.List(t.Context(), &session.ListRequest{AppName: app, UserID: "lister"})
	check(t, err)
	for _, item := range list.Sessions {
		delete(ids, item.ID())
	}
	equal(t, len(ids), 0)
	equal(t, pages, 3)
	// The stale check applies to listed sessions, too.
	check(t, s.AppendEvent(t.Context(), list.Sessions[0], event(1, nil)))
	check(t, s.AppendEvent(t.Context(), list.Sessions[0], event(2, nil)))
	check(t, s.AppendEvent(t.Context(), get(t, s, list.Sessions[1]), event(1, nil)))
	is(t, s.AppendEvent(t.Context(), list.Sessions[1], event(2, nil)), agentsessions.ErrStale)
}

func TestChangesTheObjectAsTheStoredSessionChanges(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, map[string]any{"k": 1.0, "temp:dropped": 1.0, "removed": 1.0})
	before := created.LastUpdateTime()
	state, events := created.State(), created.Events()
	sent := event(1, map[string]any{
		"k": 2.0, "temp:t": 4.0, "app:a": 1.0, "user:u": nil, "removed": agentsessions.Removed,
	})
	check(t, s.AppendEvent(t.Context(), created, sent))
	same(t, maps.Collect(state.All()), map[string]any{"k": 2.0, "temp:t": 4.0, "app:a": 1.0, "user:u": nil})
	equal(t, events.Len(), 0)
	equal(t, created.Events().Len(), 1)
	if _, ok := created.Events().At(0).Actions.StateDelta["temp:t"]; ok {
		t.Error("temp: in the kept event")
	}
	stored := get(t, s, created)
	equal(t, created.LastUpdateTime(), stored.LastUpdateTime())
	equal(t, created.LastUpdateTime().After(before), true)
	same(t, slices.Collect(created.Events().All()), slices.Collect(stored.Events().All()))
	partial := event(2, map[string]any{"p": 1.0})
	partial.Partial = true
	check(t, s.AppendEvent(t.Context(), created, partial))
	equal(t, created.Events().Len(), 1)
	equal(t, get(t, s, created).Events().Len(), 1)
}

func TestGivesIdAndTime(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	bare := &session.Event{Author: "user"}
	check(t, s.AppendEvent(t.Context(), created, bare))
	stored := get(t, s, created).Events().At(0)
	equal(t, stored.ID, bare.ID)
	equal(t, time.Since(stored.Timestamp) < time.Minute, true)
	equal(t, stored.Timestamp.Equal(bare.Timestamp), true)
}

func TestTurnsIntoTextWhatJSONCannotSay(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, map[string]any{"nan": math.NaN()})
	odd := event(1, map[string]any{"f": math.Inf(1), "deep": map[any]any{1: []any{func() {}, "x", nil}}, "ok": 1.0})
	odd.Content = &genai.Content{Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{
		Name: "f", Response: map[string]any{"c": complex(1, 2)},
	}}}}
	check(t, s.AppendEvent(t.Context(), created, odd))
	stored := get(t, s, created)
	state := maps.Collect(stored.State().All())
	equal(t, state["nan"], "NaN")
	equal(t, state["f"], "+Inf")
	equal(t, state["ok"], 1.0)
	items := state["deep"].(map[string]any)["1"].([]any)
	same(t, items[1:], []any{"x", nil})
	same(t, stored.Events().At(0).Content.Parts[0].FunctionResponse.Response, map[string]any{"c": "(1+2i)"})
	equal(t, stored.Events().At(0).InvocationID, "i-1")
}

func TestLeavesOutOfAValueWhatIsAroundIt(t *testing.T) {
	type node struct {
		Name     string
		Parent   *node
		Children []*node
	}
	tree := &node{Name: "root"}
	for range 3 {
		tree.Children = append(tree.Children, &node{Name: "leaf", Parent: tree})
	}
	circle := map[string]any{"a": 1.0}
	circle["itself"], circle["again"] = circle, []any{circle}
	s := agentsessions.New("")
	created := create(t, s, nil)
	check(t, s.AppendEvent(t.Context(), created, event(1, map[string]any{"tree": tree, "circle": circle})))
	state := maps.Collect(get(t, s, created).State().All())
	leaf := map[string]any{"Name": "leaf", "Parent": nil}
	same(t, state["tree"], map[string]any{"Name": "root", "Children": []any{leaf, leaf, leaf}})
	same(t, state["circle"], map[string]any{"a": 1.0, "itself": nil, "again": []any{nil}})
}

func TestReadsEventsOfOtherLanguages(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	post(t, "/apps/"+app+"/users/alice/sessions/"+created.ID()+"/events", `{"id": "e-1", "author": "a",
		"timestamp": 1767225600.25, "customMetadata": [{"key": "k", "stringValue": "of Java"}],
		"content": {"role": "model", "parts": [{"thoughtSignature": "_-8=", "text": "t", "unknown": 1},
			{"inlineData": {"mimeType": "image/png", "data": "_-8="}},
			{"functionCall": {"name": "f", "args": {"data": "_-8="}}}]},
		"actions": {"deletedArtifactIds": ["x"], "compaction": {"startTimestamp": 1, "endTimestamp": 2, "compactedContent": {"parts": []}}}}`)
	read := get(t, s, created).Events().At(0)
	equal(t, read.ID, "e-1")
	equal(t, read.Timestamp.UnixMilli(), int64(1767225600250))
	same(t, read.Content.Parts[0].ThoughtSignature, []byte{0xff, 0xef})
	same(t, read.Content.Parts[1].InlineData.Data, []byte{0xff, 0xef})
	equal(t, read.Content.Parts[2].FunctionCall.Args["data"], "_-8=")
}

func TestTellsTheStaleWriterAndTheRepairWorks(t *testing.T) {
	s := agentsessions.New("")
	first := create(t, s, nil)
	second := get(t, s, first)
	check(t, s.AppendEvent(t.Context(), first, event(1, nil)))
	late := event(2, map[string]any{"late": true})
	err := s.AppendEvent(t.Context(), second, late)
	is(t, err, agentsessions.ErrStale)
	equal(t, second.Events().Len(), 0)
	repaired := get(t, s, second)
	check(t, s.AppendEvent(t.Context(), repaired, late))
	equal(t, get(t, s, first).Events().Len(), 2)
	behind := agentsessions.New("", agentsessions.WithoutStaleCheck())
	check(t, behind.AppendEvent(t.Context(), first, event(3, nil)))
	equal(t, get(t, s, first).Events().Len(), 3)
}

// remembered is a session of a program's own type.
type remembered struct {
	session.Session
	updated time.Time
}

func (r remembered) LastUpdateTime() time.Time { return r.updated }

func TestACopyOfAStaleObjectIsStale(t *testing.T) {
	s, other := agentsessions.New(""), agentsessions.New("")
	first := create(t, s, nil)
	copied := remembered{first, first.LastUpdateTime()}
	_, err := other.Rewind(t.Context(), copied, "no such invocation")
	equal(t, errors.Is(err, agentsessions.ErrStale), false)
	check(t, s.AppendEvent(t.Context(), first, event(1, nil)))
	is(t, s.AppendEvent(t.Context(), copied, event(2, nil)), agentsessions.ErrStale)
	is(t, other.AppendEvent(t.Context(), copied, event(2, nil)), agentsessions.ErrStale)
	_, err = other.Rewind(t.Context(), copied, "i-1")
	is(t, err, agentsessions.ErrStale)

	current := remembered{first, first.LastUpdateTime()}
	check(t, other.AppendEvent(t.Context(), current, event(3, nil)))
	is(t, s.AppendEvent(t.Context(), first, event(4, nil)), agentsessions.ErrStale)
	equal(t, get(t, s, first).Events().Len(), 2)
}

func TestACancelledAppendIsNotForgotten(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	deaf := roundTrip(func(r *http.Request) (*http.Response, error) {
		response, err := http.DefaultTransport.RoundTrip(r.WithContext(t.Context()))
		if r.Method == "POST" && strings.HasSuffix(r.URL.Path, "/events") && ctx.Err() == nil {
			cancel() // the service stores the event, and the client does not receive the response
			check(t, response.Body.Close())
			return nil, ctx.Err()
		}
		return response, err
	})
	s := agentsessions.New("", agentsessions.WithHTTPClient(&http.Client{Transport: deaf}))
	created, cancelled := create(t, s, nil), event(1, nil)
	is(t, s.AppendEvent(ctx, created, cancelled), context.Canceled)
	is(t, s.AppendEvent(t.Context(), created, event(2, nil)), agentsessions.ErrStale)
	check(t, s.AppendEvent(t.Context(), created, cancelled))
	check(t, s.AppendEvent(t.Context(), created, event(2, nil)))
	same(t, ids(created), ids(get(t, s, created)))
}

func TestQueuesAppendsToOneObject(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	var all sync.WaitGroup
	for number := range 40 {
		all.Go(func() { check(t, s.AppendEvent(t.Context(), created, event(number, nil))) })
	}
	all.Wait()
	stored := get(t, s, created)
	same(t, ids(created), ids(stored))
	equal(t, stored.Events().Len(), 40)
}

func TestAsksForATokenPerUser(t *testing.T) {
	key := os.Getenv("AGENT_SESSIONS_API_KEY")
	if key == "" {
		t.Skip("the service asks for no key")
	}
	perUser := agentsessions.New("", agentsessions.WithToken(func(_ context.Context, user string) (string, error) {
		if user == "nobody" {
			return "", errors.New("who?")
		}
		return map[string]string{"alice": key}[user], nil
	}))
	get(t, perUser, create(t, perUser, nil))
	var refused *agentsessions.Error
	for user, code := range map[string]string{"bob": "UNAUTHENTICATED", "nobody": ""} {
		_, err := perUser.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: user})
		if err == nil || errors.As(err, &refused) != (code != "") || code != "" && refused.Code != code {
			t.Errorf("%s: %v", user, err)
		}
	}
	_, err := agentsessions.New("", agentsessions.WithAPIKey("wrong")).List(t.Context(), &session.ListRequest{AppName: app})
	if !errors.As(err, &refused) || refused.Status != 401 {
		t.Error(err)
	}
}

func TestSendsAgainAndNeverDoubles(t *testing.T) {
	proxy := os.Getenv("CONFORMANCE_FAULTS")
	if proxy == "" {
		t.Skip("CONFORMANCE_FAULTS names no proxy")
	}
	s := agentsessions.New(proxy)
	created := create(t, s, nil)
	faults := []string{"429", "503", "unsent", "half", "unanswered", "half-answered", "unanswered,half,503"}
	for number, fault := range faults {
		post(t, proxy+"/faults/"+fault, "")
		check(t, s.AppendEvent(t.Context(), created, event(number, map[string]any{"n": float64(number)})))
		equal(t, get(t, s, created).Events().Len(), number+1)
		same(t, ids(created), ids(get(t, s, created)))
	}
	for _, fault := range faults {
		post(t, proxy+"/faults/"+fault, "")
		state, id := map[string]any{"k": fault}, platform.NewUUID(t.Context())
		again, err := s.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: "alice", SessionID: id, State: state})
		check(t, err)
		equal(t, maps.Collect(again.Session.State().All())["k"], any(fault))
	}
	// A lost response does not hide an event that another writer has appended since.
	check(t, s.AppendEvent(t.Context(), get(t, s, created), event(7, nil)))
	post(t, proxy+"/faults/unanswered", "")
	is(t, s.AppendEvent(t.Context(), created, event(8, nil)), agentsessions.ErrStale)
	post(t, proxy+"/faults/"+strings.Repeat("unsent,", 50)+"unsent", "")
	err := s.AppendEvent(t.Context(), get(t, agentsessions.New(""), created), event(9, nil))
	is(t, err, agentsessions.ErrUnavailable)
	if err == nil || !strings.Contains(err.Error(), "no answer from "+proxy) {
		t.Error(err)
	}
	post(t, proxy+"/faults/pass", "")
	equal(t, get(t, s, created).Events().Len(), 8)
}

func TestGoesOnAfterARestartOfTheService(t *testing.T) {
	file := os.Getenv("CONFORMANCE_RESTART")
	if file == "" {
		t.Skip("CONFORMANCE_RESTART names no file")
	}
	s := agentsessions.New("")
	created := create(t, s, nil)
	check(t, s.AppendEvent(t.Context(), created, event(1, nil)))
	check(t, os.WriteFile(file, nil, 0o600))
	for {
		if _, err := os.Stat(file); os.IsNotExist(err) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	check(t, s.AppendEvent(t.Context(), created, event(2, nil)))
	same(t, ids(created), ids(get(t, s, created)))
}

// Two turns of an agent with a tool produce the same session as ADK's in-memory service.
func TestRunsAnAgentAsInMemory(t *testing.T) {
	here, there := talk(t, session.InMemoryService()), talk(t, agentsessions.New(""))
	diff := cmp.Diff(here.Events, there.Events, cmpopts.IgnoreFields(session.Event{}, "ID", "InvocationID", "Timestamp"),
		cmpopts.EquateEmpty(), // Go's JSON leaves out arguments that are empty
		cmpopts.IgnoreFields(genai.FunctionCall{}, "ID"), cmpopts.IgnoreFields(genai.FunctionResponse{}, "ID"))
	if diff != "" {
		t.Errorf("other events (-in memory +agent sessions):\n%s", diff)
	}
	if diff := cmp.Diff(here.State, there.State); diff != "" {
		t.Errorf("another state:\n%s", diff)
	}
	equal(t, len(there.Events), 8)
}

func talk(t *testing.T, s session.Service) sessiontestsuite.ExpectedSession {
	type none struct{}
	count, err := functiontool.New(functiontool.Config{Name: "count", Description: "Counts."},
		func(ctx agent.Context, _ none) (map[string]any, error) {
			before, err := ctx.State().Get("count")
			if err != nil {
				before = 0.0
			}
			check(t, ctx.State().Set("count", before.(float64)+1))
			check(t, ctx.State().Set("user:total", before.(float64)+1))
			check(t, ctx.State().Set("nothing", nil))
			return map[string]any{"count": before.(float64) + 1}, nil
		})
	check(t, err)
	counter, err := llmagent.New(llmagent.Config{
		Name: "counter", Model: scripted{}, Instruction: "Count.", Tools: []tool.Tool{count}, OutputKey: "answer",
	})
	check(t, err)
	r, err := runner.New(runner.Config{AppName: app + "-run", Agent: counter, SessionService: s})
	check(t, err)
	created, err := s.Create(t.Context(), &session.CreateRequest{AppName: app + "-run", UserID: "talker"})
	check(t, err)
	for range 2 {
		message := genai.NewContentFromText("How many?", "user")
		for _, err := range r.Run(t.Context(), "talker", created.Session.ID(), message, agent.RunConfig{}) {
			check(t, err)
		}
	}
	return sessiontestsuite.Snapshot(get(t, s, created.Session))
}

// scripted is a model that calls the tool, and then returns the result of the tool.
type scripted struct{}

func (scripted) Name() string { return "scripted" }

func (scripted) GenerateContent(_ context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		parts := req.Contents[len(req.Contents)-1].Parts
		answer := &genai.Part{FunctionCall: &genai.FunctionCall{Name: "count", Args: map[string]any{}}}
		if response := parts[len(parts)-1].FunctionResponse; response != nil {
			answer = genai.NewPartFromText(fmt.Sprint(response.Response["count"], " so far"))
		}
		yield(&model.LLMResponse{Content: &genai.Content{Role: "model", Parts: []*genai.Part{answer}}}, nil)
	}
}

var start = time.Date(2026, 1, 1, 0, 0, 0, 123456000, time.UTC)

func event(number int, delta map[string]any) *session.Event {
	e := session.NewEvent(context.Background(), "i-"+strconv.Itoa(number))
	e.Author, e.Timestamp = "user", start.Add(time.Duration(number)*time.Second)
	e.Content = genai.NewContentFromText("message "+strconv.Itoa(number), "user")
	if delta != nil {
		e.Actions.StateDelta = delta
	}
	return e
}

func create(t *testing.T, s session.Service, state map[string]any) session.Session {
	t.Helper()
	created, err := s.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: "alice", State: state})
	check(t, err)
	return created.Session
}

func get(t *testing.T, s session.Service, of session.Session) session.Session {
	t.Helper()
	req := &session.GetRequest{AppName: of.AppName(), UserID: of.UserID(), SessionID: of.ID()}
	found, err := s.Get(t.Context(), req)
	check(t, err)
	return found.Session
}

func ids(s session.Session) (all []string) {
	for e := range s.Events().All() {
		all = append(all, e.ID)
	}
	return all
}

func post(t *testing.T, url, body string) {
	t.Helper()
	if strings.HasPrefix(url, "/") {
		url = os.Getenv("AGENT_SESSIONS_URL") + url
	}
	request, err := http.NewRequest("POST", url, strings.NewReader(body))
	check(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("AGENT_SESSIONS_API_KEY"))
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 {
		t.Fatal(response.Status, string(text), err)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func is(t *testing.T, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v is not %v", err, kind)
	}
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
