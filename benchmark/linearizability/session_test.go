package main

import "testing"

// Small histories with one fault each, beside the same without it.
func TestFindsWhatMayNotHappen(t *testing.T) {
	for name, twins := range map[string]struct{ right, wrong History }{
		"a lost append": {
			right: History{created(), appended(1, "a", ""), reads(2, "1.x", "a")},
			wrong: History{created(), appended(1, "a", ""), reads(2, "0.x")},
		},
		"two appends at one revision": {
			right: History{created(), appended(1, "a", ""), appended(2, "b", "")},
			wrong: History{created(), appended(1, "a", ""), at(2, Input{Kind: "append", Events: []string{"b"}}, answered(200, "1.x"))},
		},
		"a stale append accepted": {
			right: History{created(), appended(1, "a", "0.x"), at(2, ifMatch("b", "0.x"), answered(412, "1.x"))},
			wrong: History{created(), appended(1, "a", "0.x"), appended(2, "b", "0.x")},
		},
		"an append refused though it is as demanded": {
			right: History{created(), appended(1, "a", "0.x")},
			wrong: History{created(), at(1, ifMatch("a", "0.x"), answered(412, "0.x"))},
		},
		"an append to a deleted session": {
			right: History{created(), deleted(), at(2, ifMatch("a", ""), answered(404, ""))},
			wrong: History{created(), deleted(), appended(1, "a", "").after(2)},
		},
		"a session that comes back": {
			right: History{created(), deleted(), at(2, Input{Kind: "create"}, answered(200, "0.y"))},
			wrong: History{created(), deleted(), at(2, Input{Kind: "create"}, answered(200, "0.x"))},
		},
		"events of the session before": {
			right: History{created(), appended(1, "a", ""), deleted().after(2), recreated(3), reads(4, "0.y")},
			wrong: History{created(), appended(1, "a", ""), deleted().after(2), recreated(3), reads(4, "1.y", "a")},
		},
		"a tag of the session before that holds": {
			right: History{created(), deleted(), recreated(2), at(3, ifMatch("a", "0.x"), answered(412, "0.y"))},
			wrong: History{created(), deleted(), recreated(2), at(3, ifMatch("a", "0.x"), answered(200, "1.y"))},
		},
		"the tag of an event that a restore has lost holds": {
			right: History{created(), appended(1, "b", ""), at(2, lost("a", "1.x.5"), answered(412, "1.x.6"))},
			wrong: History{created(), appended(1, "b", ""), at(2, lost("a", "1.x.5"), answered(200, "2.x.7"))},
		},
		"a page token of an event that a failover has lost holds": {
			right: History{created(), at(1, goesOn("page"), answered(400, ""))},
			wrong: History{created(), at(1, goesOn("page"), answered(200, ""))},
		},
		"a watch that shows another history than its last event": {
			right: History{created(), at(1, goesOn("watch"), &Output{Status: 200, End: "HISTORY_CHANGED"})},
			wrong: History{created(), at(1, goesOn("watch"), answered(200, ""))},
		},
		"a watch that ends with a session that exists": {
			right: History{created(), deleted(), at(2, goesOn("watch"), answered(404, ""))},
			wrong: History{created(), at(1, goesOn("watch"), &Output{Status: 200, End: "SESSION_DELETED"})},
		},
		"a read that goes back in time": {
			right: History{created(), appended(1, "a", ""), reads(2, "1.x", "a"), reads(3, "1.x", "a")},
			wrong: History{created(), appended(1, "a", ""), reads(2, "1.x", "a"), reads(3, "0.x")},
		},
		"a retry that is stored twice": {
			right: History{created(), appended(1, "a", ""), replayed(2, "a", "1.x")},
			wrong: History{created(), appended(1, "a", ""), appended(2, "a", "")},
		},
		"half a batch": {
			right: History{created(), batch(1, "a", "b"), reads(2, "2.x", "a", "b")},
			wrong: History{created(), batch(1, "a", "b"), reads(2, "1.x", "a")},
		},
		"a state that is not that of the newest event": {
			right: History{created(), batch(1, "a", "b"), at(2, Input{Kind: "read"}, &Output{Status: 200, Tag: "2.x", Events: []string{"a", "b"}, Last: "b"})},
			wrong: History{created(), batch(1, "a", "b"), at(2, Input{Kind: "read"}, &Output{Status: 200, Tag: "2.x", Events: []string{"a", "b"}, Last: "a"})},
		},
		"an answer that is none": {
			right: History{created(), at(1, ifMatch("a", ""), nil)},
			wrong: History{created(), at(1, ifMatch("a", ""), answered(500, ""))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if fault := findFault(twins.right); fault != "" {
				t.Error("right, but:", fault)
			}
			if fault := findFault(twins.wrong); fault == "" {
				t.Error("the fault is not found")
			}
		})
	}
}

// A request without a response may have happened at once, later or never, but not twice.
func TestLetsWhatWasNotAnsweredHappenOrNot(t *testing.T) {
	lost := at(1, ifMatch("a", "0.x"), nil)
	for name, history := range map[string]History{
		"at once":                    {created(), lost, reads(2, "1.x", "a")},
		"later":                      {created(), lost, reads(2, "0.x"), reads(3, "1.x", "a")},
		"never":                      {created(), lost, reads(2, "0.x"), appended(1, "b", "0.x").after(3)},
		"and the retry is a replay":  {created(), lost, replayed(2, "a", "1.x"), reads(3, "1.x", "a")},
		"and the retry is the first": {created(), lost, reads(2, "0.x"), appended(1, "a", "0.x").after(3), reads(4, "1.x", "a")},
		"a creation":                 {at(0, Input{Kind: "create"}, nil), reads(1, "0.x")},
		"a deletion": {created(), at(1, Input{Kind: "delete"}, nil), reads(2, "0.x"),
			at(3, Input{Kind: "read"}, answered(404, ""))},
	} {
		if fault := findFault(history); fault != "" {
			t.Error(name, fault)
		}
	}
	for name, history := range map[string]History{
		"twice":        {created(), lost, reads(2, "2.x", "a", "a")},
		"and undone":   {created(), lost, reads(2, "1.x", "a"), reads(3, "0.x")},
		"though stale": {created(), appended(1, "b", ""), lost.after(2), reads(3, "2.x", "b", "a")},
		"too early":    {created(), reads(1, "1.x", "a"), lost.after(2)},
	} {
		if fault := findFault(history); fault == "" {
			t.Error("not found:", name)
		}
	}
}

// Requests that overlap may take effect in any order; others may not.
func TestLetsRequestsOverlap(t *testing.T) {
	first, second := appended(2, "a", ""), appended(1, "b", "")
	first.Asked, first.Answered = 10, 50
	second.Asked, second.Answered = 20, 30
	if fault := findFault(History{created(), first, second}); fault != "" {
		t.Error(fault)
	}
	second.Asked, second.Answered = 60, 70
	if fault := findFault(History{created(), first, second}); fault == "" {
		t.Error("not found: the later one comes before the earlier one")
	}
}

func created() Operation {
	return at(0, Input{Kind: "create"}, answered(200, "0.x"))
}

func recreated(place int64) Operation {
	return at(place, Input{Kind: "create"}, answered(200, "0.y"))
}

func deleted() Operation {
	return at(1, Input{Kind: "delete"}, answered(204, ""))
}

// The append that makes this revision, at this index.
func appended(revision int64, id, condition string) Operation {
	return at(revision, ifMatch(id, condition), answered(200, string(rune('0'+revision))+".x"))
}

func batch(place int64, ids ...string) Operation {
	return at(place, Input{Kind: "append", Events: ids}, answered(200, string(rune('0'+len(ids)))+".x"))
}

func replayed(place int64, id, tag string) Operation {
	return at(place, ifMatch(id, "0.x"), &Output{Status: 200, Tag: tag, Replayed: true})
}

func reads(place int64, tag string, ids ...string) Operation {
	last := ""
	if len(ids) > 0 {
		last = ids[len(ids)-1]
	}
	return at(place, Input{Kind: "read"}, &Output{Status: 200, Tag: tag, Events: ids, Last: last})
}

func ifMatch(id, condition string) Input {
	return Input{Kind: "append", Events: []string{id}, IfMatch: condition}
}

func lost(id, condition string) Input {
	return Input{Kind: "append", Events: []string{id}, IfMatch: condition, Lost: true}
}

// Goes on from a lost event.
func goesOn(kind string) Input {
	return Input{Kind: kind, After: "1.5", Lost: true}
}

func answered(status int, tag string) *Output {
	return &Output{Status: status, Tag: tag}
}

// An operation that begins when all at earlier indexes have a response.
func at(place int64, in Input, out *Output) Operation {
	return Operation{Asked: 10 * place, Answered: 10*place + 5, Input: in, Output: out}
}

func (o Operation) after(place int64) Operation {
	return at(place, o.Input, o.Output)
}
