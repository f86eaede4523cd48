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
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentsessions.dev/agentsessions"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

func TestReadsSessionsAsTheyWere(t *testing.T) {
	s := agentsessions.New("")
	trip := trip(t, s)
	for seq, state := range []map[string]any{
		{"city": "Oslo"},
		{"city": "Rome", "days": 3.0},
		{"city": "Rome", "days": 5.0, "user:likes": "warmth"},
	} {
		then, err := s.SessionAt(t.Context(), named(trip), seq)
		check(t, err)
		same(t, values(then.Session), state)
		same(t, strings.Join(ids(then.Session), " "), strings.Join(ids(trip)[:seq], " "))
	}
	req := named(trip)
	req.NumRecentEvents = 1
	newest, err := s.SessionAt(t.Context(), req, 2)
	check(t, err)
	same(t, ids(newest.Session), ids(trip)[1:])

	then, err := s.SessionAt(t.Context(), named(trip), 1)
	check(t, err)
	is(t, s.AppendEvent(t.Context(), then.Session, event(3, nil)), agentsessions.ErrStale)
	_, err = s.SessionAt(t.Context(), named(trip), 3)
	equal(t, code(err), "INVALID_ARGUMENT")
}

func TestExplainsTheState(t *testing.T) {
	s := agentsessions.New("")
	trip := trip(t, s)
	now, err := s.StateAt(t.Context(), &agentsessions.StateAtRequest{AppName: app, UserID: "mira", SessionID: trip.ID()})
	check(t, err)
	set := func(seq int) *agentsessions.StateSource {
		e := trip.Events().At(seq - 1)
		return &agentsessions.StateSource{Seq: seq, EventID: e.ID, Author: "user", Timestamp: e.Timestamp.Local()}
	}
	same(t, now, &agentsessions.ExplainedState{
		Seq: 2, SharedStateCurrent: true,
		Keys: map[string]agentsessions.ExplainedValue{
			"city":       {Scope: "session", Value: "Rome", Event: set(1)},
			"days":       {Scope: "session", Value: 5.0, Event: set(2)},
			"user:likes": {Scope: "user", Value: "warmth", Event: set(2)},
		},
	})
	began, err := s.StateAt(t.Context(), &agentsessions.StateAtRequest{
		AppName: app, UserID: "mira", SessionID: trip.ID(), AtSeq: new(0),
	})
	check(t, err)
	same(t, began.Keys, map[string]agentsessions.ExplainedValue{"city": {Scope: "session", Value: "Oslo"}})
	equal(t, began.SharedStateCurrent, false)
	_, err = s.StateAt(t.Context(), &agentsessions.StateAtRequest{AppName: app, UserID: "mira", SessionID: "none"})
	is(t, err, agentsessions.ErrNotFound)
	_, err = s.StateAt(t.Context(), &agentsessions.StateAtRequest{AppName: app, UserID: "mira"})
	var answered *agentsessions.Error
	equal(t, err != nil && !errors.As(err, &answered), true)
}

func TestAForkGoesOnAlone(t *testing.T) {
	s := agentsessions.New("")
	trip := trip(t, s)
	fork := func(req agentsessions.ForkRequest) (session.Session, error) {
		req.AppName, req.UserID, req.SessionID = app, "mira", trip.ID()
		return s.Fork(t.Context(), &req)
	}
	plane, err := fork(agentsessions.ForkRequest{BeforeInvocationID: "i-2", NewSessionID: trip.ID() + "-plane"})
	check(t, err)
	equal(t, plane.ID(), trip.ID()+"-plane")
	same(t, ids(plane), ids(trip)[:1])
	same(t, values(plane), map[string]any{"city": "Rome", "days": 3.0, "user:likes": "warmth"})
	check(t, s.AppendEvent(t.Context(), plane, event(2, map[string]any{"plane": true})))
	same(t, ids(get(t, s, plane)), ids(plane))
	same(t, values(get(t, s, trip)), values(trip))

	nothing, err := fork(agentsessions.ForkRequest{AtSeq: new(0)})
	check(t, err)
	equal(t, nothing.Events().Len(), 0)
	all, err := fork(agentsessions.ForkRequest{DisplayName: "All of it"})
	check(t, err)
	same(t, ids(all), ids(trip))

	_, err = fork(agentsessions.ForkRequest{NewSessionID: trip.ID()})
	is(t, err, agentsessions.ErrAlreadyExists)
	_, err = fork(agentsessions.ForkRequest{BeforeInvocationID: "none"})
	equal(t, code(err), "INVOCATION_NOT_FOUND")
}

func TestRewindsAndTheContextViewLeavesOutWhatWasRewound(t *testing.T) {
	s, context := agentsessions.New(""), agentsessions.New("", agentsessions.WithContextView())
	trip := trip(t, s)
	old := get(t, s, trip)
	back, err := s.Rewind(t.Context(), trip, "i-2")
	check(t, err)
	same(t, back.Actions.StateDelta, map[string]any{"days": 3.0})
	same(t, values(trip), map[string]any{"city": "Rome", "days": 3.0, "user:likes": "warmth"})
	same(t, slices.Collect(get(t, s, trip).Events().All()), slices.Collect(trip.Events().All()))
	_, err = s.Rewind(t.Context(), old, "i-1")
	is(t, err, agentsessions.ErrStale)
	_, err = s.Rewind(t.Context(), trip, "none")
	equal(t, code(err), "INVOCATION_NOT_FOUND")

	seen := get(t, context, trip)
	same(t, ids(seen), ids(trip)[:1])
	check(t, context.AppendEvent(t.Context(), seen, event(3, nil)))
	is(t, s.AppendEvent(t.Context(), trip, event(3, nil)), agentsessions.ErrStale)

	// The initial state of the session counts too; keys that did not exist become nil.
	_, err = s.Rewind(t.Context(), get(t, s, trip), "i-1")
	check(t, err)
	same(t, values(get(t, s, trip)), map[string]any{"city": "Oslo", "days": nil, "user:likes": "warmth"})
	equal(t, get(t, context, trip).Events().Len(), 0)
}

func TestALostAnswerRewindsAndForksOnce(t *testing.T) {
	proxy := os.Getenv("CONFORMANCE_FAULTS")
	if proxy == "" {
		t.Skip("CONFORMANCE_FAULTS names no proxy")
	}
	s := agentsessions.New(proxy)
	trip := trip(t, s)
	post(t, proxy+"/faults/unanswered", "")
	_, err := s.Rewind(t.Context(), trip, "i-2")
	check(t, err)
	post(t, proxy+"/faults/unanswered", "")
	copied, err := s.Fork(t.Context(), &agentsessions.ForkRequest{AppName: app, UserID: "mira", SessionID: trip.ID()})
	check(t, err)
	same(t, ids(copied), ids(trip))
	same(t, ids(get(t, s, trip)), ids(trip))
	equal(t, trip.Events().Len(), 3)
}

func TestACallWaitsUntilSomebodyAnswersIt(t *testing.T) {
	s := agentsessions.New("")
	trip := trip(t, s)
	same(t, pending(t, s, trip), []agentsessions.PendingCall{})
	asked := asking(3, "call-1")
	check(t, s.AppendEvent(t.Context(), trip, asked))
	same(t, pending(t, s, trip), []agentsessions.PendingCall{{
		EventID: asked.ID, Seq: 3, Since: trip.LastUpdateTime(), FunctionCall: asked.Content.Parts[0].FunctionCall,
	}})
	answer := event(4, nil)
	answer.Content = genai.NewContentFromFunctionResponse("book", map[string]any{"ok": true}, "user")
	answer.Content.Parts[0].FunctionResponse.ID = "call-1"
	check(t, s.AppendEvent(t.Context(), trip, answer))
	same(t, pending(t, s, trip), []agentsessions.PendingCall{})
	none := &agentsessions.PendingCallsRequest{AppName: app, UserID: "mira", SessionID: "none"}
	_, err := s.PendingCalls(t.Context(), none)
	is(t, err, agentsessions.ErrNotFound)
}

func TestListsAllCallsThatWaitTheOldestFirst(t *testing.T) {
	s := agentsessions.New("")
	trip := trip(t, s)
	var page, listed []string
	for number := range 1000 {
		page = append(page, fmt.Sprintf("call-%04d", number))
	}
	check(t, s.AppendEvent(t.Context(), trip, asking(3, page...)))
	check(t, s.AppendEvent(t.Context(), trip, asking(4, "a-call")))
	for _, waiting := range pending(t, s, trip) {
		listed = append(listed, waiting.FunctionCall.ID)
	}
	same(t, listed, append(page, "a-call"))
}

func TestWatchesWhatIsThereAndThenWhatComes(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	check(t, s.AppendEvent(t.Context(), created, event(1, nil)))
	next, stop := iter.Pull2(s.Watch(t.Context(), watching(created, new(0))))
	defer stop()
	first, err, _ := next()
	check(t, err)
	equal(t, first.Seq, 1)
	same(t, first.Event, created.Events().At(0))
	check(t, s.AppendEvent(t.Context(), created, event(2, map[string]any{"k": 1.0})))
	second, err, _ := next()
	check(t, err)
	equal(t, second.Seq, 2)
	same(t, second.Event, created.Events().At(1))
	check(t, s.Delete(t.Context(), &session.DeleteRequest{AppName: app, UserID: "alice", SessionID: created.ID()}))
	if watched, err, more := next(); more {
		t.Error("after the end", watched, err)
	}
}

func TestAWatchMissesAndRepeatsNothingWhenItIsCutOff(t *testing.T) {
	s := agentsessions.New("")
	created, cutter := create(t, s, nil), cut(t)
	seen := make(chan agentsessions.WatchedEvent)
	go func() {
		for watched, err := range agentsessions.New(cutter.url).Watch(t.Context(), watching(created, nil)) {
			if err == nil {
				seen <- watched
			}
		}
	}()
	cutter.await() // the watch has begun, and the service has sent no event
	cutter.cut()
	for number := range 10 {
		check(t, s.AppendEvent(t.Context(), created, event(number, nil)))
		if number%3 == 0 {
			cutter.cut()
		}
	}
	var all []string
	for number := range 10 {
		watched := <-seen
		equal(t, watched.Seq, number+1)
		all = append(all, watched.Event.ID)
	}
	same(t, all, ids(created))
}

func TestAWatchShowsNothingOfASessionThatTakesItsPlace(t *testing.T) {
	s, cutter := agentsessions.New(""), cut(t)
	created := create(t, s, nil)
	check(t, s.AppendEvent(t.Context(), created, event(1, nil)))
	for _, more := range []int{3, 1} { // the new session has more events than the first one, or fewer
		next, stop := iter.Pull2(agentsessions.New(cutter.url).Watch(t.Context(), watching(created, new(0))))
		for range created.Events().Len() {
			_, err, _ := next()
			check(t, err)
		}
		cutter.hold.Lock()
		cutter.cut()
		check(t, s.Delete(t.Context(), &session.DeleteRequest{AppName: app, UserID: "alice", SessionID: created.ID()}))
		req := &session.CreateRequest{AppName: app, UserID: "alice", SessionID: created.ID()}
		other, err := s.Create(t.Context(), req)
		check(t, err)
		for number := range more {
			check(t, s.AppendEvent(t.Context(), other.Session, event(number, nil)))
		}
		cutter.hold.Unlock()
		if watched, err, more := next(); more {
			t.Error("after the end", watched, err)
		}
		stop()
		created = other.Session
	}
}

func TestAWatchTellsThatItCannotGoOn(t *testing.T) {
	s := agentsessions.New("")
	failure := func(ctx context.Context, req *agentsessions.WatchRequest) (last error) {
		for _, err := range s.Watch(ctx, req) {
			last = err
		}
		return last
	}
	is(t, failure(t.Context(), &agentsessions.WatchRequest{AppName: app, UserID: "u", SessionID: "none"}), agentsessions.ErrNotFound)
	equal(t, failure(t.Context(), &agentsessions.WatchRequest{AppName: app}) != nil, true)
	created := create(t, s, nil)
	equal(t, code(failure(t.Context(), watching(created, new(7)))), "INVALID_ARGUMENT")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	is(t, failure(ctx, watching(created, nil)), context.DeadlineExceeded)
}

// Runs in synctest's own time, with canned responses of the service.
func TestAWatchGoesOnWithANewTokenAndGivesUpAfterAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		message := func(seq int) string { return fmt.Sprintf("id: %d.17\ndata: {\"id\": \"e-%d\"}\n\n", seq, seq) }
		const end = "event: end\ndata: {\"reason\": \"CREDENTIALS_EXPIRED\"}\n\n"
		answers := []any{
			message(1) + end, message(2) + "id: 3.17\ndata: {\"id\": \"e-", 503, "silence", message(3), "no answer",
			message(4) + "event: end\ndata: {\"reason\": \"SESSION_EXPIRED\"}\n\n",
		}
		var asked []string
		tokens, began := 0, time.Now()
		token := func(context.Context, string) (string, error) { tokens++; return fmt.Sprint("t-", tokens), nil }
		var answer roundTrip = func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.RawQuery+" "+r.Header.Get("Last-Event-ID")+" "+r.Header.Get("Authorization"))
			if len(answers) == 0 {
				return nil, errors.New("refused")
			}
			next := answers[0]
			answers = answers[1:]
			response := &http.Response{StatusCode: 200, Header: http.Header{"Etag": {`"7.abc.1"`}}}
			switch next {
			case 503:
				response.StatusCode = 503
				response.Header.Set("Retry-After", "7")
				response.Body = io.NopCloser(strings.NewReader("{}"))
			case "no answer":
				<-r.Context().Done()
				return nil, r.Context().Err()
			case "silence":
				response.Body = io.NopCloser(silent{r.Context()})
			default:
				response.Body = io.NopCloser(strings.NewReader(next.(string)))
			}
			return response, nil
		}
		s := agentsessions.New("http://s", agentsessions.WithToken(token),
			agentsessions.WithHTTPClient(&http.Client{Transport: answer, Timeout: time.Second}))
		req := &agentsessions.WatchRequest{AppName: "a", UserID: "u", SessionID: "s"}
		var seen []string
		for watched, err := range s.Watch(t.Context(), req) {
			check(t, err)
			seen = append(seen, fmt.Sprintln(watched.Seq, watched.Event.ID))
		}
		same(t, seen, []string{"1 e-1\n", "2 e-2\n", "3 e-3\n", "4 e-4\n"})
		same(t, asked, []string{
			"  Bearer t-1", "afterSeq=1 1.17 Bearer t-2", "afterSeq=2 2.17 Bearer t-3", "afterSeq=2 2.17 Bearer t-4",
			"afterSeq=2 2.17 Bearer t-5", "afterSeq=3 3.17 Bearer t-6", "afterSeq=3 3.17 Bearer t-7",
		})
		if took := time.Since(began); took < 97*time.Second || took > 99*time.Second { // 7 + 45 + 45 and short pauses
			t.Error(took)
		}

		began = time.Now()
		for _, err := range s.Watch(t.Context(), req) {
			if err == nil || !strings.Contains(err.Error(), "refused") {
				t.Error(err)
			}
		}
		if took := time.Since(began); took < 40*time.Second || took > 90*time.Second {
			t.Error(took)
		}
	})
}

func TestASecondTurnIsToldWhoIsAtIt(t *testing.T) {
	s, other := agentsessions.New(""), agentsessions.New("")
	created := create(t, s, nil)
	turn, lease, err := s.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{
		Holder: "worker-7", TTL: 4 * time.Second, Exclusive: true,
	}))
	check(t, err)
	_, _, err = other.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{}))
	is(t, err, agentsessions.ErrBusy)
	busy, _ := errors.AsType[*agentsessions.Error](err)
	equal(t, busy.Holder, lease.Holder)
	equal(t, strings.HasPrefix(busy.Holder, "worker-7:"), true)
	equal(t, busy.RetryAfter > 0 && busy.RetryAfter <= 4*time.Second, true)

	// The client renews the lease during the turn; only appends with its context are under it.
	time.Sleep(9 * time.Second)
	check(t, turn.Err())
	is(t, other.AppendEvent(t.Context(), get(t, other, created), event(1, nil)), agentsessions.ErrBusy)
	is(t, s.AppendEvent(t.Context(), created, event(1, nil)), agentsessions.ErrBusy)
	check(t, s.AppendEvent(turn, created, event(1, nil)))
	_, err = s.Rewind(turn, created, "i-1")
	check(t, err)
	check(t, other.AppendEvent(turn, created, event(2, nil)))
	check(t, s.AppendEvent(turn, create(t, s, nil), event(1, nil)))

	check(t, lease.Release())
	check(t, lease.Release())
	is(t, turn.Err(), context.Canceled)
	turn, second, err := other.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{}))
	check(t, err)
	equal(t, second.Number > lease.Number, true)
	check(t, s.AppendEvent(t.Context(), created, event(2, nil))) // allowed, since the second lease is not exclusive
	check(t, other.AppendEvent(turn, get(t, other, created), event(3, nil)))
	check(t, second.Release())
}

func TestALostTurnStoresNothingMore(t *testing.T) {
	s, other := agentsessions.New(""), agentsessions.New("")
	for _, noticed := range []bool{false, true} { // the client learns of the loss from an append, or from a renewal
		created := create(t, s, nil)
		ttl := map[bool]time.Duration{false: time.Hour, true: time.Second}[noticed]
		turn, lease, err := s.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{TTL: ttl}))
		check(t, err)
		steal(t, created, lease)
		_, others, err := other.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{}))
		check(t, err)
		if noticed {
			<-turn.Done()
		}
		is(t, s.AppendEvent(turn, created, event(1, nil)), agentsessions.ErrLeaseLost)
		is(t, context.Cause(turn), agentsessions.ErrLeaseLost)
		is(t, s.AppendEvent(turn, created, event(1, nil)), agentsessions.ErrLeaseLost)
		equal(t, get(t, s, created).Events().Len(), 0)
		check(t, lease.Release())
		_, _, err = s.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{}))
		is(t, err, agentsessions.ErrBusy)
		check(t, others.Release())
	}
}

func TestALeaseThatNobodyWaitsForAnyMoreIsGivenBack(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	ctx, cancel := context.WithCancel(t.Context())
	slow := agentsessions.New("", agentsessions.WithHTTPClient(&http.Client{Transport: roundTrip(
		func(r *http.Request) (*http.Response, error) {
			response, err := http.DefaultTransport.RoundTrip(r)
			cancel() // the lease is granted, and the client has not received the response
			return response, err
		})}))
	_, lease, err := slow.Acquire(ctx, acquiring(created, agentsessions.AcquireRequest{}))
	if err == nil { // the response was faster than the cancellation
		check(t, lease.Release())
	} else {
		is(t, err, context.Canceled)
	}
	for {
		_, lease, err := s.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{}))
		if err == nil {
			check(t, lease.Release())
			return
		}
		is(t, err, agentsessions.ErrBusy)
		time.Sleep(50 * time.Millisecond)
	}
}

func TestARunnerAppendsUnderTheLease(t *testing.T) {
	s := agentsessions.New("")
	created := create(t, s, nil)
	talker, err := llmagent.New(llmagent.Config{Name: "talker", Model: yes{}})
	check(t, err)
	r, err := runner.New(runner.Config{AppName: app, Agent: talker, SessionService: s})
	check(t, err)
	run := func(ctx context.Context) (last error) {
		message := genai.NewContentFromText("How many?", "user")
		for _, err := range r.Run(ctx, "alice", created.ID(), message, agent.RunConfig{}) {
			last = err
		}
		return last
	}
	turn, lease, err := s.Acquire(t.Context(), acquiring(created, agentsessions.AcquireRequest{Exclusive: true}))
	check(t, err)
	is(t, run(t.Context()), agentsessions.ErrBusy)
	check(t, run(turn))
	check(t, lease.Release())
	equal(t, get(t, s, created).Events().Len(), 2)
}

// yes is a model that says yes.
type yes struct{ scripted }

func (yes) GenerateContent(context.Context, *model.LLMRequest, bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		yield(&model.LLMResponse{Content: genai.NewContentFromText("Yes.", "model")}, nil)
	}
}

// trip creates a session with two events; its initial city is Oslo.
func trip(t *testing.T, s session.Service) session.Session {
	t.Helper()
	req := &session.CreateRequest{AppName: app, UserID: "mira", State: map[string]any{"city": "Oslo"}}
	created, err := s.Create(t.Context(), req)
	check(t, err)
	check(t, s.AppendEvent(t.Context(), created.Session, event(1, map[string]any{"city": "Rome", "days": 3.0})))
	check(t, s.AppendEvent(t.Context(), created.Session, event(2, map[string]any{"days": 5.0, "user:likes": "warmth"})))
	return created.Session
}

// asking calls a long-running tool for each id.
func asking(number int, ids ...string) *session.Event {
	e := event(number, nil)
	e.Author, e.Content, e.LongRunningToolIDs = "planner", &genai.Content{Role: "model"}, ids
	for _, id := range ids {
		call := &genai.FunctionCall{ID: id, Name: "book", Args: map[string]any{"city": "Rome"}}
		e.Content.Parts = append(e.Content.Parts, &genai.Part{FunctionCall: call})
	}
	return e
}

func pending(t *testing.T, s *agentsessions.Service, of session.Session) []agentsessions.PendingCall {
	t.Helper()
	calls, err := s.PendingCalls(t.Context(), &agentsessions.PendingCallsRequest{
		AppName: of.AppName(), UserID: of.UserID(), SessionID: of.ID(),
	})
	check(t, err)
	return calls
}

func values(s session.Session) map[string]any { return maps.Collect(s.State().All()) }

func named(s session.Session) *session.GetRequest {
	return &session.GetRequest{AppName: s.AppName(), UserID: s.UserID(), SessionID: s.ID()}
}

func watching(s session.Session, after *int) *agentsessions.WatchRequest {
	return &agentsessions.WatchRequest{AppName: s.AppName(), UserID: s.UserID(), SessionID: s.ID(), AfterSeq: after}
}

func acquiring(s session.Session, req agentsessions.AcquireRequest) *agentsessions.AcquireRequest {
	req.AppName, req.UserID, req.SessionID = s.AppName(), s.UserID(), s.ID()
	return &req
}

func code(err error) string {
	if problem, ok := errors.AsType[*agentsessions.Error](err); ok {
		return problem.Code
	}
	return fmt.Sprint(err)
}

// steal ends a lease as if this process had slept longer than its TTL.
func steal(t *testing.T, s session.Session, lease *agentsessions.Lease) {
	t.Helper()
	path := "/apps/" + s.AppName() + "/users/" + s.UserID() + "/sessions/" + s.ID() + ":release"
	request, err := http.NewRequest("POST", os.Getenv("AGENT_SESSIONS_URL")+path, nil)
	check(t, err)
	request.Header.Set("Lease", fmt.Sprint(lease.Number))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("AGENT_SESSIONS_API_KEY"))
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	check(t, response.Body.Close())
	equal(t, response.StatusCode, 204)
}

// silent is the body of a response that never continues.
type silent struct{ ctx context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// cutter forwards bytes between client and service, and cuts connections on request.
type cutter struct {
	url  string
	hold sync.Mutex // while locked, cutter makes no connection

	mu   sync.Mutex
	open []net.Conn
}

func cut(t *testing.T) *cutter {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	c := &cutter{url: "http://" + listener.Addr().String()}
	t.Cleanup(func() { _ = listener.Close(); c.cut() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	return c
}

func (c *cutter) serve(client net.Conn) {
	c.hold.Lock()
	service, err := net.Dial("tcp", strings.TrimPrefix(os.Getenv("AGENT_SESSIONS_URL"), "http://"))
	c.hold.Unlock()
	if err != nil {
		_ = client.Close()
		return
	}
	c.mu.Lock()
	c.open = append(c.open, client, service)
	c.mu.Unlock()
	go func() { _, _ = io.Copy(service, client) }()
	_, _ = io.Copy(client, service)
}

func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, connection := range c.open {
		_ = connection.Close()
	}
	c.open = nil
}

// await waits until a connection exists and the response has begun.
func (c *cutter) await() {
	for open := 0; open == 0; time.Sleep(10 * time.Millisecond) {
		c.mu.Lock()
		open = len(c.open)
		c.mu.Unlock()
	}
	time.Sleep(300 * time.Millisecond)
}
