package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReadsTheMessagesOfAWatch(t *testing.T) {
	stream := "retry: 1000\nid: 1\n\nid: 2.1795248504366022\ndata: {\"id\": \"a\"}\n\n:\n\nevent: end\ndata: {\"reason\": \"HISTORY_CHANGED\"}\n\n"
	var all []message
	messages(strings.NewReader(stream), func(next message) bool {
		all = append(all, next)
		return true
	})
	id := "2.1795248504366022"
	if expected := []message{{id, ""}, {id, "HISTORY_CHANGED"}}; !slices.Equal(all, expected) || idOf("2.x.1795248504366022") != id {
		t.Error(all)
	}
}

// Revision 1 is the newest that was not lost, and the loss was over at 10 microseconds.
func TestKnowsWhatFollowsALostEvent(t *testing.T) {
	round := &Round{newest: 1, over: time.UnixMicro(10)}
	lost, kept := message{"2.9", ""}, message{"1.1", ""}
	for name, pair := range map[string]struct {
		next, last message
		expected   bool
	}{
		"an event of the other history": {message{"3.11", ""}, lost, true},
		"the end":                       {message{"2.9", "HISTORY_CHANGED"}, lost, true},
		"an event that is lost, too":    {message{"3.10", ""}, lost, false},
		"an event after a kept one":     {message{"2.11", ""}, kept, false},
		"the end of a session":          {message{"2.9", "SESSION_DELETED"}, lost, false},
	} {
		if round.follows(pair.next, pair.last) != pair.expected {
			t.Error(name)
		}
	}
	if (&Round{newest: 1}).follows(message{"3.11", ""}, lost) {
		t.Error("before the loss is over")
	}
}
