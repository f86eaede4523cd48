// One turn at a time, somebody who watches, a look at the past, another try, and back.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"agentsessions.dev/agentsessions"
	"google.golang.org/adk/v2/session"
)

func main() {
	if err := live(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func live(ctx context.Context) error {
	sessions := agentsessions.New("", agentsessions.WithContextView())
	created, err := sessions.Create(ctx, &session.CreateRequest{
		AppName: "my-app", UserID: "alice", State: map[string]any{"city": "Oslo"},
	})
	if err != nil {
		return err
	}
	trip := created.Session

	turn, lease, err := sessions.Acquire(ctx, &agentsessions.AcquireRequest{
		AppName: "my-app", UserID: "alice", SessionID: trip.ID(),
	})
	if errors.Is(err, agentsessions.ErrBusy) {
		return fmt.Errorf("somebody else is at it: %w", err)
	} else if err != nil {
		return err
	}
	defer lease.Release()
	rome := session.NewEvent(turn, "turn-1") // or: for event, err := range runner.Run(turn, ...)
	rome.Author = "planner"
	rome.Actions.StateDelta["city"] = "Rome"
	if err := sessions.AppendEvent(turn, trip, rome); err != nil {
		return err // errors.Is(err, agentsessions.ErrLeaseLost) if this process slept for too long
	}

	for watched, err := range sessions.Watch(ctx, &agentsessions.WatchRequest{
		AppName: "my-app", UserID: "alice", SessionID: trip.ID(), AfterSeq: new(0),
	}) {
		if err != nil {
			return err
		}
		fmt.Println("event", watched.Seq, "by", watched.Event.Author)
		break // or go on until the session is deleted
	}

	explained, err := sessions.StateAt(ctx, &agentsessions.StateAtRequest{
		AppName: "my-app", UserID: "alice", SessionID: trip.ID(),
	})
	if err != nil {
		return err
	}
	city := explained.Keys["city"]
	fmt.Println(city.Value, "since event", city.Event.Seq)

	fork, err := sessions.Fork(ctx, &agentsessions.ForkRequest{
		AppName: "my-app", UserID: "alice", SessionID: trip.ID(), BeforeInvocationID: "turn-1", DisplayName: "What if?",
	})
	if err != nil {
		return err
	}
	before, _ := fork.State().Get("city")
	if _, err := sessions.Rewind(turn, trip, "turn-1"); err != nil {
		return err
	}
	now, _ := trip.State().Get("city")
	fmt.Println("before:", before, "and again:", now)
	return nil
}
