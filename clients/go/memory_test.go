// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package agentsessions_test

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentsessions.dev/agentsessions"
	"github.com/google/uuid"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/memory"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/loadmemorytool"
	"google.golang.org/adk/v2/tool/preloadmemorytool"
	"google.golang.org/genai"
)

func TestFindsWhatWasSaidWithTheTurnsAroundIt(t *testing.T) {
	s, m, user := agentsessions.New(""), agentsessions.NewMemory(""), uuid.NewString()
	trip := createFor(t, s, user)
	say(t, s, trip, "user", "Where do we stay?")
	hit := say(t, s, trip, "agent", "In Kyoto, near the river")
	say(t, s, trip, "user", "Fine")
	check(t, m.AddSessionToMemory(t.Context(), trip))
	found := search(t, m, user, "kyoto")
	if len(found) != 1 {
		t.Fatal(found)
	}
	equal(t, textOf(found[0]), "user: Where do we stay?\nagent: In Kyoto, near the river\nuser: Fine")
	equal(t, found[0].Author, "agent")
	equal(t, found[0].Timestamp, hit.Timestamp.UTC())
	if score, _ := found[0].CustomMetadata["score"].(float64); score <= 0 || score > 1 {
		t.Error(found[0].CustomMetadata)
	}
	delete(found[0].CustomMetadata, "score")
	same(t, found[0].CustomMetadata, map[string]any{"session_id": trip.ID(), "event_id": hit.ID, "seq": 2})
	equal(t, len(search(t, m, user+"-other", "kyoto")), 0)
	alone := agentsessions.NewMemory("", agentsessions.WithAround(0), agentsessions.WithLimit(2))
	equal(t, textOf(search(t, alone, user, "kyoto")[0]), "In Kyoto, near the river")
	equal(t, len(search(t, alone, user, "kyoto stay fine")), 2)
}

func TestFindsNothingForOddQueries(t *testing.T) {
	s, m, user := agentsessions.New(""), agentsessions.NewMemory(""), uuid.NewString()
	say(t, s, createFor(t, s, user), "user", "We stay in Kyoto")
	for _, query := range []string{
		strings.Repeat("x", 3000), "x" + strings.Repeat("🗻", 3000), "\x00", "\xff\xfe", `+-"(*) & | ! <->`, "\\", "%_",
	} {
		equal(t, len(search(t, m, user, query)), 0)
	}
	equal(t, len(search(t, m, user, "kyoto "+strings.Repeat("🗻", 3000))), 1)
}

func TestSendsNoRequestForABlankQuery(t *testing.T) {
	unused := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		t.Error(r.URL)
		return nil, http.ErrNotSupported
	})}
	m := agentsessions.NewMemory("", agentsessions.WithHTTPClient(unused))
	for _, query := range []string{"", " \n\t"} {
		if found := search(t, m, "alice", query); found != nil {
			t.Errorf("%#v", found)
		}
	}
}

func TestStoresEventsOfOtherSessionServicesOnce(t *testing.T) {
	m, user := agentsessions.NewMemory("", agentsessions.WithLimit(10)), uuid.NewString()
	elsewhere := session.InMemoryService()
	trip := createFor(t, elsewhere, user)
	tea := say(t, elsewhere, trip, "user", "Likes tea")
	for _, parts := range [][]*genai.Part{{{Text: "secret", Thought: true}, {Text: "Green tea"}}, {{Text: "secret", Thought: true}}, nil} {
		event := session.NewEvent(t.Context(), "i-1")
		event.LLMResponse.Content = &genai.Content{Parts: parts}
		check(t, elsewhere.AppendEvent(t.Context(), trip, event))
	}
	trip = get(t, elsewhere, trip)
	for range 2 {
		check(t, m.AddSessionToMemory(t.Context(), trip))
	}
	equal(t, factsOf(t, user), 2) // a search would hide doubles
	found := search(t, m, user, "tea secret")
	texts := []string{}
	for _, entry := range found {
		texts = append(texts, textOf(entry))
	}
	slices.Sort(texts)
	same(t, texts, []string{"Green tea", "Likes tea"})
	at := slices.IndexFunc(found, func(entry memory.Entry) bool { return textOf(entry) == "Likes tea" })
	equal(t, found[at].Author, "user")
	equal(t, found[at].Timestamp, tea.Timestamp.UTC().Truncate(time.Microsecond))
	equal(t, found[at].CustomMetadata["session_id"], any(trip.ID()))
	equal(t, found[at].CustomMetadata["event_id"], any(tea.ID))
	if m.AddSessionToMemory(t.Context(), nil) == nil {
		t.Error("nil is no session")
	}
}

func TestIgnoresAnEventWhoseIDIsThereWithAnotherText(t *testing.T) {
	m, user := agentsessions.NewMemory("", agentsessions.WithLimit(10)), uuid.NewString()
	for _, texts := range [][]string{{"Likes tea"}, {"Likes coffee", "Likes cake"}} {
		elsewhere := session.InMemoryService()
		created, err := elsewhere.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: user, SessionID: "elsewhere"})
		check(t, err)
		for i, text := range texts {
			event := session.NewEvent(t.Context(), "i-1")
			event.ID, event.Author = "e"+strconv.Itoa(i), "user"
			event.LLMResponse.Content = genai.NewContentFromText(text, "user")
			event.LLMResponse.CustomMetadata = map[string]any{"channel": "chat"}
			check(t, elsewhere.AppendEvent(t.Context(), created.Session, event))
		}
		check(t, m.AddSessionToMemory(t.Context(), get(t, elsewhere, created.Session)))
	}
	texts := []string{}
	for _, entry := range search(t, m, user, "likes tea coffee cake") {
		equal(t, entry.CustomMetadata["channel"], any("chat"))
		texts = append(texts, textOf(entry))
	}
	slices.Sort(texts)
	same(t, texts, []string{"Likes cake", "Likes tea"})
}

// An agent knows in its second session what was said in the first. The question, which is stored already, is no memory.
func TestAnAgentKnowsWhatWasSaidInAnEarlierSession(t *testing.T) {
	for name, memoryTool := range map[string]tool.Tool{"load": loadmemorytool.New(), "preload": preloadmemorytool.New()} {
		t.Run(name, func(t *testing.T) {
			s, user, asking := agentsessions.New(""), uuid.NewString(), &askingModel{}
			guide, err := llmagent.New(llmagent.Config{
				Name: "guide", Model: asking, Instruction: "Help.", Tools: []tool.Tool{memoryTool},
			})
			check(t, err)
			r, err := runner.New(runner.Config{
				AppName: app, Agent: guide, SessionService: s, MemoryService: agentsessions.NewMemory(""),
			})
			check(t, err)
			for _, message := range []string{"We stay in Kyoto, near the river", "Where do we stay, in Kyoto?"} {
				id := createFor(t, s, user).ID()
				content := genai.NewContentFromText(message, "user")
				for event, err := range r.Run(t.Context(), user, id, content, agent.RunConfig{}) {
					check(t, err)
					equal(t, event.ErrorMessage, "")
				}
			}
			if !strings.Contains(asking.last, "We stay in Kyoto, near the river") {
				t.Error("the model does not know it: ", asking.last)
			}
			equal(t, strings.Count(asking.last, "Where do we stay, in Kyoto?"), 1)
		})
	}
}

// askingModel is a model that looks into memory if it can, and keeps the last request.
type askingModel struct{ last string }

func (*askingModel) Name() string { return "asking" }

func (m *askingModel) GenerateContent(_ context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		text, err := json.Marshal([]any{req.Contents, req.Config})
		m.last = string(text)
		parts := req.Contents[len(req.Contents)-1].Parts
		answer := genai.NewPartFromText("I see.")
		if _, canLoad := req.Tools["load_memory"]; canLoad && parts[len(parts)-1].FunctionResponse == nil {
			// Other words than those of the user, as a model chooses them
			answer = genai.NewPartFromFunctionCall("load_memory", map[string]any{"query": "Where do we stay?"})
		}
		yield(&model.LLMResponse{Content: &genai.Content{Role: "model", Parts: []*genai.Part{answer}}}, err)
	}
}

func createFor(t *testing.T, s session.Service, user string) session.Session {
	t.Helper()
	created, err := s.Create(t.Context(), &session.CreateRequest{AppName: app, UserID: user})
	check(t, err)
	return created.Session
}

func say(t *testing.T, s session.Service, in session.Session, author, text string) *session.Event {
	t.Helper()
	event := session.NewEvent(t.Context(), "i-1")
	event.Author, event.LLMResponse.Content = author, genai.NewContentFromText(text, "user")
	check(t, s.AppendEvent(t.Context(), in, event))
	return event
}

func search(t *testing.T, m memory.Service, user, query string) []memory.Entry {
	t.Helper()
	found, err := m.SearchMemory(t.Context(), &memory.SearchRequest{AppName: app, UserID: user, Query: query})
	check(t, err)
	return found.Memories
}

// factsOf returns the number of facts that the service stores about a user.
func factsOf(t *testing.T, user string) int {
	t.Helper()
	url := os.Getenv("AGENT_SESSIONS_URL") + "/apps/" + app + "/users/" + user + "/memories"
	request, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	check(t, err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("AGENT_SESSIONS_API_KEY"))
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	defer response.Body.Close()
	var page struct{ Memories []any }
	check(t, json.NewDecoder(response.Body).Decode(&page))
	return len(page.Memories)
}

func textOf(entry memory.Entry) string {
	texts := []string{}
	for _, part := range entry.Content.Parts {
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, "")
}
