// Uses the clients that openapi-generator has made for Go.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"dev.agentsessions/generated/target/adk"
	"dev.agentsessions/generated/target/vertex"
)

func check(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func must[T any](answer T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func adkDialect(ctx context.Context, url string) {
	configuration := adk.NewConfiguration()
	configuration.Servers = adk.ServerConfigurations{{URL: url}}
	client := adk.NewAPIClient(configuration)

	state := map[string]any{"user:name": "Alice"}
	created := must(client.SessionsAPI.CreateSession(ctx, "generated", "go").SessionInput(adk.SessionInput{State: state}).Execute())
	check(created.State["user:name"] == "Alice" && created.Id != "", "created")

	event := adk.EventInput{
		Author:               adk.PtrString("user"),
		Content:              &adk.Content{Parts: []map[string]any{{"text": "Hello"}}},
		Actions:              &adk.EventActions{StateDelta: map[string]any{"topic": "greeting"}},
		AdditionalProperties: map[string]any{"mood": "sunny"},
	}
	appended := must(client.EventsAPI.AppendEvent(ctx, "generated", "go", created.Id).EventInput(event).Execute())
	check(appended.Revision == 1 && appended.Event.AdditionalProperties["mood"] == "sunny", "appended")

	_, _, err := client.EventsAPI.AppendEvent(ctx, "generated", "go", created.Id).EventInput(event).IfMatch(`"0"`).Execute()
	var failure *adk.GenericOpenAPIError
	check(errors.As(err, &failure), "stale")
	problem := failure.Model().(adk.ProblemDetail)
	check(problem.Status == 412 && problem.Code == "STALE_SESSION" && *problem.Revision == 1, "told why")

	events := must(client.EventsAPI.ListEvents(ctx, "generated", "go", created.Id).Execute()).Events
	check(len(events) == 1 && events[0].Id == appended.Event.Id && events[0].Timestamp > 1e9, "listed")

	session := must(client.SessionsAPI.GetSession(ctx, "generated", "go", created.Id).IncludeRevision(true).Execute())
	check(session.State["topic"] == "greeting" && session.Events[0].AdditionalProperties["mood"] == "sunny", "read")
	check(session.LastUpdateTime > created.LastUpdateTime && *session.Revision == 1, "read with its revision")

	if _, err = client.SessionsAPI.DeleteSession(ctx, "generated", "go", created.Id).IfMatch(*session.Etag).Execute(); err != nil {
		panic(err)
	}
}

func vertexDialect(ctx context.Context, url string) {
	configuration := vertex.NewConfiguration()
	configuration.Servers = vertex.ServerConfigurations{{URL: url}}
	client := vertex.NewAPIClient(configuration)

	input := vertex.SessionInput{UserId: "go", SessionState: map[string]any{"user:name": "Alice"}}
	operation := must(client.SessionsAPI.CreateSession(ctx, "my-project", "local", "generated").SessionInput(input).Execute())
	name := strings.Split(operation.Name, "/")
	id := name[len(name)-3]

	event := vertex.EventInput{Author: "user", Actions: &vertex.Actions{StateDelta: map[string]any{"topic": "greeting"}}}
	must(client.EventsAPI.AppendEvent(ctx, "my-project", "local", "generated", id).EventInput(event).Execute())
	events := must(client.EventsAPI.ListEvents(ctx, "my-project", "local", "generated", id).Execute()).SessionEvents
	check(len(events) == 1 && events[0].Author == "user" && !events[0].Timestamp.IsZero(), "listed")
	session := must(client.SessionAPI.GetSession(ctx, "my-project", "local", "generated", id).Execute())
	check(session.SessionState["topic"] == "greeting", "read")
	must(client.SessionAPI.DeleteSession(ctx, "my-project", "local", "generated", id).Execute())
}

func main() {
	url := os.Getenv("AGENT_SESSIONS_URL")
	adkDialect(context.Background(), url)
	vertexDialect(context.Background(), url)
	fmt.Println("generated/go: 2 passed, 0 failed")
}
