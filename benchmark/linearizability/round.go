package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	clients    = 6
	enough     = 200
	remembered = 4
)

// Round is what some clients do at once to one session id, and the record of it.
type Round struct {
	cluster  *Cluster
	sessions string
	id       string
	begin    time.Time

	lock    sync.Mutex
	history History
	// What was seen and sent last
	tags []string
	sent [][]string
	// Whether everything that happens now will be lost by a restore, and how many requests that were
	losing   bool
	requests int
	// All tags of responses that no restore has lost, and those of the others
	kept, lost map[string]bool
}

func newRound(cluster *Cluster, sessions, id string) *Round {
	return &Round{cluster: cluster, sessions: sessions, id: id, begin: time.Now(), kept: map[string]bool{}, lost: map[string]bool{}}
}

// Runs the clients, and then reads the session once more from each replica.
func (r *Round) run(ctx context.Context) History {
	r.work(ctx, enough)
	for number := range r.cluster.replicas {
		r.do(ctx, 0, r.cluster.address(number), Input{Kind: "read"})
	}
	return r.history
}

// Runs the clients until there are so many requests.
func (r *Round) work(ctx context.Context, requests int) {
	var working sync.WaitGroup
	for number := range clients {
		working.Add(1)
		go func() {
			defer working.Done()
			for r.more(ctx, requests) {
				r.step(ctx, number)
			}
		}()
	}
	working.Wait()
}

func (r *Round) more(ctx context.Context, requests int) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.requests < requests && ctx.Err() == nil
}

// Sends a random request; a request without a response is sent again, if it has ids.
func (r *Round) step(ctx context.Context, number int) {
	in := r.choose()
	in.Lost = r.isLost(in.IfMatch)
	hurried, cancel := withDeadline(ctx)
	defer cancel()
	if out := r.do(hurried, number, r.cluster.any(), in); out == nil && in.Kind == "append" {
		r.do(ctx, number, r.cluster.any(), in)
	}
}

func (r *Round) choose() Input {
	dice := rand.IntN(100)
	switch {
	case dice < 10:
		return Input{Kind: "create"}
	case dice < 13:
		return Input{Kind: "delete", IfMatch: r.precondition()}
	case dice < 40:
		return Input{Kind: "read", Newest: []int{0, 0, 1, 3}[rand.IntN(4)]}
	case dice < 47:
		return Input{Kind: "append", Events: r.again(), IfMatch: r.precondition()}
	case dice < 57:
		return Input{Kind: "append", Events: r.fresh(2 + rand.IntN(2)), IfMatch: r.precondition()}
	}
	return Input{Kind: "append", Events: r.fresh(1), IfMatch: r.precondition()}
}

func (r *Round) isLost(tag string) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.lost[tag] && !r.losing
}

// None, the newest tag, an older one, or only the revision of one. After a restore, often the tag of a lost event.
func (r *Round) precondition() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	dice := rand.IntN(10)
	if dice < 4 || len(r.tags) == 0 {
		return ""
	}
	tag := r.tags[len(r.tags)-1]
	if dice == 4 {
		tag = r.tags[rand.IntN(len(r.tags))]
	}
	if dice == 5 {
		tag, _, _ = strings.Cut(tag, ".")
	}
	if dice >= 8 && !r.losing {
		for lost := range r.lost {
			return lost
		}
	}
	return tag
}

// Ids that no other event has.
func (r *Round) fresh(count int) []string {
	r.lock.Lock()
	defer r.lock.Unlock()
	var ids []string
	for i := range count {
		ids = append(ids, fmt.Sprintf("e%d-%d", len(r.sent), i))
	}
	r.sent = append(r.sent, ids)
	return ids
}

// Events that a client has sent before, if there are any.
func (r *Round) again() []string {
	r.lock.Lock()
	recent := r.sent[max(0, len(r.sent)-2*remembered):]
	r.lock.Unlock()
	if len(recent) == 0 {
		return r.fresh(1)
	}
	return recent[rand.IntN(len(recent))]
}

// Sends a request, and records it with its response.
func (r *Round) do(ctx context.Context, number int, address string, in Input) *Output {
	asked := time.Since(r.begin)
	out, err := ask(ctx, address, r.sessions, r.id, in)
	answered := time.Since(r.begin)
	if err != nil {
		// Nothing listened there, so nothing has happened; the next question may go to a replica that lives
		time.Sleep(time.Millisecond)
		return nil
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.requests++
	if !r.losing && (out != nil || in.Kind != "read") {
		r.history = append(r.history, Operation{Client: number, Asked: int64(asked), Answered: int64(answered), Input: in,
			Output: out})
	}
	if out != nil && out.Tag != "" && !r.losing {
		r.kept[out.Tag] = true
	} else if out != nil && out.Tag != "" && !r.kept[out.Tag] {
		r.lost[out.Tag] = true
	}
	if out != nil && out.Tag != "" && !slices.Contains(r.tags, out.Tag) {
		r.tags = append(r.tags[max(0, len(r.tags)-remembered):], out.Tag)
	}
	return out
}
