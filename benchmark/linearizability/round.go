package main

import (
	"context"
	"fmt"
	"math"
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
	// Whether everything that happens now will be lost, and how many requests that were
	losing   bool
	requests int
	// All tags of responses that were not lost, and those of the others
	kept, lost map[string]bool
	// The newest revision that will not be lost; the page tokens, and the ids of messages of a watch, that name a lost event
	newest int
	onward map[string][]string
	// When the loss was over, and the watch that is open then
	over     time.Time
	watching sync.WaitGroup
	endWatch func()
}

func newRound(cluster *Cluster, sessions, id string) *Round {
	return &Round{cluster: cluster, sessions: sessions, id: id, begin: time.Now(), kept: map[string]bool{},
		lost: map[string]bool{}, newest: math.MaxInt, onward: map[string][]string{}, endWatch: func() {}}
}

// Runs the clients, and then reads the session once more from each replica.
func (r *Round) run(ctx context.Context) History {
	r.work(ctx, enough)
	for number := range r.cluster.replicas {
		r.do(ctx, 0, r.cluster.address(number), Input{Kind: "read"})
	}
	r.endWatch()
	r.watching.Wait()
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

// Finds out what will not be lost, and watches what will.
func (r *Round) beginLoss(ctx context.Context) {
	if out := r.do(ctx, 0, r.cluster.any(), Input{Kind: "read"}); out != nil {
		r.newest, _ = parts(out.Tag)
	}
	watch, end := context.WithCancel(ctx)
	r.endWatch = end
	r.watching.Add(1)
	go func() {
		defer r.watching.Done()
		r.watch(watch)
	}()
}

// Runs the clients while what they write will be lost, until there are so many requests.
func (r *Round) lose(ctx context.Context, requests int) {
	r.setLosing(true, time.Time{})
	r.work(ctx, requests)
	r.setLosing(false, time.Now())
}

func (r *Round) setLosing(losing bool, over time.Time) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.losing, r.over = losing, over
}

// Sends a random request; a request without a response is sent again, if it has ids.
func (r *Round) step(ctx context.Context, number int) {
	in := r.choose()
	in.Lost = r.isLost(in)
	hurried, cancel := ctx, func() {}
	if !r.losing {
		// Nothing may happen after the loss that was asked before
		hurried, cancel = withDeadline(ctx)
	}
	defer cancel()
	if out := r.do(hurried, number, r.cluster.any(), in); out == nil && in.Kind == "append" {
		r.do(ctx, number, r.cluster.any(), in)
	}
}

func (r *Round) choose() Input {
	dice := rand.IntN(100)
	if in, possible := r.goOn(); possible && dice >= 90 {
		return in
	}
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

// The page of the newest event, which will be lost, or what goes on from an event that is lost.
func (r *Round) goOn() (Input, bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.losing {
		return Input{Kind: "page"}, true
	}
	kind := []string{"page", "watch"}[rand.IntN(2)]
	known := r.onward[kind]
	if len(known) == 0 {
		return Input{}, false
	}
	return Input{Kind: kind, After: known[rand.IntN(len(known))]}, true
}

func (r *Round) isLost(in Input) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	return (r.lost[in.IfMatch] || in.After != "") && !r.losing
}

// None, the newest tag, an older one, or only the revision of one. After a loss, often the tag of a lost event.
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
		return r.lostLike(tag)
	}
	return tag
}

// A lost tag, with the revision of another one if there is any; the other one if nothing is lost.
func (r *Round) lostLike(tag string) string {
	revision, _ := parts(tag)
	found := tag
	for lost := range r.lost {
		found = lost
		if same, _ := parts(lost); same == revision {
			break
		}
	}
	return found
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
	if !r.losing && (out != nil || in.writes()) {
		r.history = append(r.history, Operation{Client: number, Asked: int64(asked), Answered: int64(answered), Input: in,
			Output: out})
	}
	if out != nil && out.Tag != "" {
		r.remember(in, out)
	}
	return out
}

func (r *Round) remember(in Input, out *Output) {
	revision, _ := parts(out.Tag)
	if in.Kind == "page" {
		if revision > r.newest && out.Token != "" {
			r.onward["page"] = append(r.onward["page"], out.Token)
		}
		return
	}
	if !r.losing {
		r.kept[out.Tag] = true
	} else if !r.kept[out.Tag] {
		r.lost[out.Tag] = true
		if revision > r.newest {
			r.onward["watch"] = append(r.onward["watch"], idOf(out.Tag))
		}
	}
	if !slices.Contains(r.tags, out.Tag) {
		r.tags = append(r.tags[max(0, len(r.tags)-remembered):], out.Tag)
	}
}
