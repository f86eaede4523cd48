package main

// What the responses of a history show of the seqs of events. It makes the search for an order short: an append without a
// response need not be tried where a later response shows another event, nor after all events that any response shows,
// because there it explains nothing.
type shown struct {
	events map[place]string
	// The greatest revision that is told of a session, by its birth.
	revisions map[string]int
	// The greatest revision of any session, and the greatest in a precondition that names no birth.
	greatest, named int
}

// The seq of an event in the session of a birth.
type place struct {
	birth string
	seq   int
}

func shownBy(history History) *shown {
	shown := &shown{events: map[place]string{}, revisions: map[string]int{}}
	for _, operation := range history {
		if revision, birth := parts(operation.Input.IfMatch); birth == "" {
			shown.named = max(shown.named, revision)
		}
		if operation.Output != nil {
			shown.add(operation.Input, operation.Output)
		}
	}
	return shown
}

func (s *shown) add(in Input, out *Output) {
	revision, birth := parts(out.Tag)
	s.revisions[birth] = max(s.revisions[birth], revision)
	s.greatest = max(s.greatest, revision)
	ids := out.Events
	if in.Kind == "append" && out.Status == 200 {
		ids = in.Events
	}
	for i, id := range ids {
		s.events[place{birth, revision - len(ids) + 1 + i}] = id
	}
}

// Whether an append without a response may be what a response shows, if it comes next.
func (s *shown) allows(session Session, ids []string) bool {
	revision := session.revision()
	for i, id := range ids {
		if other, known := s.events[place{session.birth, revision + 1 + i}]; known && other != id {
			return false
		}
	}
	last := s.revisions[session.birth]
	if session.birth == "" {
		last = s.greatest
	}
	return revision+len(ids) <= max(last, s.named)
}
