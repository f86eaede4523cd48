package main

import (
	"fmt"
	"strings"
)

// Session is what the service stores under one session id. Two sessions are equal if all fields are: Porcupine compares
// the states that it has been in.
type Session struct {
	exists bool
	// The part of its tags that tells it from other sessions of its id; empty as long as no answer has told it.
	birth string
	// The ids of its events in order, a space behind each.
	events string
	// The births of the sessions that had its id before, a space behind each.
	gone string
	// Whether everything that was answered has happened.
	over bool
}

// The sessions that may exist after an operation; none if its response is wrong.
func (s Session) after(in Input, out *Output, shown *shown) []Session {
	if out == nil {
		return s.unanswered(in, shown)
	}
	switch (answer{in.Kind, out.Status}) {
	case answer{"create", 200}:
		return told(s.changed(in), out.Tag)
	case answer{"create", 409}:
		return s.unchangedIf(s.exists)
	case answer{"append", 200}:
		return s.appended(in, out)
	case answer{"append", 412}, answer{"delete", 412}:
		return s.refused(in, out)
	case answer{"append", 404}, answer{"read", 404}:
		return s.unchangedIf(!s.exists)
	case answer{"delete", 204}:
		return append(s.changed(in), s.unchangedIf(!s.exists)...)
	case answer{"read", 200}:
		return s.read(in, out)
	case answer{"page", 400}, answer{"page", 404}:
		return s.unchangedIf(in.Lost)
	case answer{"watch", 200}:
		return s.unchangedIf(in.Lost && (s.exists && out.End == "HISTORY_CHANGED" || !s.exists && out.End == "SESSION_DELETED"))
	case answer{"watch", 404}:
		return s.unchangedIf(!s.exists)
	}
	return nil
}

// Without a response it happens where it changes something, or never: then it comes after all others. So there are
// few orders to try.
func (s Session) unanswered(in Input, shown *shown) []Session {
	if in.Kind == end || s.over {
		s.over = true
		return []Session{s}
	}
	if in.Kind == "append" && !shown.allows(s, in.Events) {
		return nil
	}
	return s.changed(in)
}

type answer struct {
	kind   string
	status int
}

// The session after the operation; nothing if the session does not allow the operation.
func (s Session) changed(in Input) []Session {
	var changed []Session
	if in.Kind == "create" && !s.exists {
		return []Session{{exists: true, gone: s.gone}}
	}
	if !s.exists || in.Kind == "append" && s.find(in.Events) != missing {
		return nil
	}
	if in.Lost {
		return nil
	}
	for _, held := range s.as(in.IfMatch) {
		switch in.Kind {
		case "append":
			held.events += list(in.Events)
			changed = append(changed, held)
		case "delete":
			changed = append(changed, Session{gone: held.gone + list(known(held.birth))})
		}
	}
	return changed
}

// Stored events are returned as they were stored, whatever the precondition says.
func (s Session) appended(in Input, out *Output) []Session {
	if !out.Replayed {
		return told(s.changed(in), out.Tag)
	}
	revision, _ := parts(out.Tag)
	place := s.find(in.Events)
	return s.unchangedIf(s.exists && place > 0 && revision == place+len(in.Events)-1)
}

// A precondition has failed, and the response says what the session is instead.
func (s Session) refused(in Input, out *Output) []Session {
	var refused []Session
	for _, session := range s.as(out.Tag) {
		failed := in.Lost || in.IfMatch != "" && !session.certainly(in.IfMatch)
		refused = append(refused, session.unchangedIf(session.exists && failed && session.find(in.Events) == missing)...)
	}
	return refused
}

func (s Session) read(in Input, out *Output) []Session {
	events := strings.Fields(s.events)
	last := ""
	if len(events) > 0 {
		last = events[len(events)-1]
	}
	if in.Newest > 0 && in.Newest < len(events) {
		events = events[len(events)-in.Newest:]
	}
	if !s.exists || list(events) != list(out.Events) || last != out.Last {
		return nil
	}
	return s.as(out.Tag)
}

func (s Session) unchangedIf(right bool) []Session {
	if right {
		return []Session{s}
	}
	return nil
}

func (s Session) revision() int {
	return strings.Count(s.events, " ")
}

const missing = 0

// The seq of the first of these events, if all are stored side by side; missing if none is, -1 otherwise.
func (s Session) find(ids []string) int {
	if before, _, found := strings.Cut(" "+s.events, " "+list(ids)); found && len(ids) > 0 {
		return strings.Count(before, " ") + 1
	}
	for _, id := range ids {
		if strings.Contains(" "+s.events, " "+id+" ") {
			return -1
		}
	}
	return missing
}

func (s Session) String() string {
	if !s.exists {
		return "no session"
	}
	return fmt.Sprintf("%d.%s [%s]", s.revision(), s.birth, strings.TrimSpace(s.events))
}

func known(birth string) []string {
	return strings.Fields(birth)
}

func list(words []string) string {
	text := ""
	for _, word := range words {
		text += word + " "
	}
	return text
}
