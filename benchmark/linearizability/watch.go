package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Message is one of a watch.
type message struct {
	// The seq of an event and when it was stored, in microseconds
	id string
	// Why the watch ends; empty for an event
	end string
}

// The id of the message with which a watch shows the newest event of a tag.
func idOf(tag string) string {
	fields := strings.Split(tag, ".")
	return fields[0] + "." + fields[2]
}

// Reads messages until one does not want more.
func messages(stream io.Reader, each func(message) bool) {
	lines := bufio.NewScanner(stream)
	id := ""
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		var end struct{ Reason string }
		if name == "id" {
			id = value
		}
		if name == "data" {
			json.Unmarshal([]byte(value), &end)
			if !each(message{id, end.Reason}) {
				return
			}
		}
	}
}

// Why a watch ends before it shows anything; no reason if it shows an event, or waits for one.
func watched(ctx context.Context, stream io.Reader) *Output {
	out := &Output{Status: http.StatusOK}
	messages(stream, func(first message) bool {
		out.End = first.end
		return false
	})
	if ctx.Err() != nil {
		return nil
	}
	return out
}

// Watches the session over the loss. What follows a lost event is recorded as the response to a watch from there.
func (r *Round) watch(ctx context.Context) {
	request, err := request(ctx, r.cluster.any()+r.sessions, r.id, Input{Kind: "watch"})
	if err != nil {
		return
	}
	response, err := client.Do(request)
	if err != nil {
		return
	}
	defer response.Body.Close()
	var last message
	messages(response.Body, func(next message) bool {
		r.lock.Lock()
		defer r.lock.Unlock()
		if !r.follows(next, last) {
			last = next
			return next.end == ""
		}
		r.history = append(r.history, Operation{Client: clients, Asked: int64(r.over.Sub(r.begin)),
			Answered: int64(time.Since(r.begin)), Input: Input{Kind: "watch", After: last.id, Lost: true},
			Output: &Output{Status: http.StatusOK, End: next.end}})
		return false
	})
}

// Whether a message of the remaining history comes after that of a lost event. That a session is deleted may also be true
// of one that is lost.
func (r *Round) follows(next, last message) bool {
	seq, _ := parts(last.id)
	_, stored := parts(next.id)
	micros, _ := strconv.ParseInt(stored, 10, 64)
	return seq > r.newest && !r.over.IsZero() && next.end != "SESSION_DELETED" && (next.end != "" || micros > r.over.UnixMicro())
}
