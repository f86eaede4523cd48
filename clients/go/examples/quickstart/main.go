// The shortest program whose sessions live in Agent Sessions.
package main

import (
	"context"
	"fmt"
	"log"

	"agentsessions.dev/agentsessions"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"
)

func main() {
	ctx := context.Background()
	sessions := agentsessions.New("") // $AGENT_SESSIONS_URL, or http://localhost:8080
	created, err := sessions.Create(ctx, &session.CreateRequest{
		AppName: "my-app", UserID: "alice", State: map[string]any{"user:name": "Alice"},
	})
	if err != nil {
		log.Fatal(err)
	}
	hello := session.NewEvent(ctx, "i-1")
	hello.Author = "user"
	hello.LLMResponse = model.LLMResponse{Content: genai.NewContentFromText("Hello", "user")}
	hello.Actions.StateDelta["topic"] = "greeting"
	if err := sessions.AppendEvent(ctx, created.Session, hello); err != nil {
		log.Fatal(err)
	}
	stored, err := sessions.Get(ctx, &session.GetRequest{
		AppName: "my-app", UserID: "alice", SessionID: created.Session.ID(),
	})
	if err != nil {
		log.Fatal(err)
	}
	topic, _ := stored.Session.State().Get("topic")
	fmt.Println(topic, stored.Session.Events().Len(), "event")
}
