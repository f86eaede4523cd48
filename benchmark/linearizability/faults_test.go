package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func recorded(t *testing.T) map[string]History {
	paths, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no histories", err)
	}
	histories := map[string]History{}
	for _, path := range paths {
		history, err := readHistory(path)
		if err != nil {
			t.Fatal(err)
		}
		histories[filepath.Base(path)] = history
	}
	return histories
}

// Puts a fault in at each operation that allows it, one after the other. The checker has to find each.
func inEach(t *testing.T, fault func(History, int) (History, bool)) {
	tried := 0
	for name, history := range recorded(t) {
		for i := range history {
			wrong, possible := fault(history, i)
			if !possible {
				continue
			}
			tried++
			if found := findFault(wrong); !strings.HasPrefix(found, "No order") {
				t.Errorf("%s: not found at %s: %s", name, line(wrong.operations()[i]), found)
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d faults could be put in", tried)
	}
}

// A copy with another operation at one index.
func replaced(history History, i int, change func(*Operation)) History {
	return changed(history, func(place int, operation *Operation) {
		if place == i {
			change(operation)
		}
	})
}

// A copy with other operations everywhere but at one index.
func rewritten(history History, i int, change func(*Operation)) History {
	return changed(history, func(place int, operation *Operation) {
		if place != i && operation.Output != nil {
			change(operation)
		}
	})
}

func changed(history History, change func(int, *Operation)) History {
	copied := slices.Clone(history)
	for i := range copied {
		if copied[i].Output != nil {
			output := *copied[i].Output
			copied[i].Output = &output
		}
		change(i, &copied[i])
	}
	return copied
}

func isStored(operation Operation) bool {
	return operation.Input.Kind == "append" && operation.Output != nil && operation.Output.Status == 200 &&
		!operation.Output.Replayed
}

func isShownLater(history History, operation Operation, revision int, birth string) bool {
	return slices.ContainsFunc(history, func(later Operation) bool {
		shown, sameBirth := tagOf(later)
		return later.Asked > operation.Answered && sameBirth == birth && shown >= revision &&
			(later.Output.Status != 200 || !later.Output.Replayed)
	})
}

func isShownBefore(history History, moment int64, revision int, birth string) bool {
	return slices.ContainsFunc(history, func(before Operation) bool {
		shown, sameBirth := tagOf(before)
		return before.Output != nil && before.Answered < moment && sameBirth == birth && shown > revision
	})
}

// A tag of a session that was seen before another session of the same id, both before a moment.
func tagOfADeletedSession(history History, moment int64) string {
	tag := ""
	for _, first := range history {
		_, birth := tagOf(first)
		isGone := slices.ContainsFunc(history, func(second Operation) bool {
			_, other := tagOf(second)
			return other != "" && other != birth && second.Asked > first.Answered && second.Answered < moment
		})
		if birth != "" && isGone {
			tag = first.Output.Tag
		}
	}
	return tag
}

// The tag with a revision that is smaller by count, if it is the given revision or a later one.
func without(tag string, count, revision int, birth string) string {
	number, sameBirth := parts(tag)
	if sameBirth != birth || number < revision {
		return tag
	}
	return strconv.Itoa(number-count) + "." + birth
}

func tagOf(operation Operation) (int, string) {
	if operation.Output == nil {
		return 0, ""
	}
	return parts(operation.Output.Tag)
}
