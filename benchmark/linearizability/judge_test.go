package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// Histories of the service, two replicas of which one was killed: the checker accepts them.
func TestExplainsWhatTheServiceAnswered(t *testing.T) {
	for name, history := range recorded(t) {
		if fault := findFault(history); fault != "" {
			t.Error(name, fault)
		}
	}
}

// The same, as if an append with a response had never been stored.
func TestFindsALostAppend(t *testing.T) {
	inEach(t, func(history History, i int) (History, bool) {
		lost := history[i]
		revision, birth := tagOf(lost)
		if !isStored(lost) || !isShownLater(history, lost, revision, birth) {
			return nil, false
		}
		count := len(lost.Input.Events)
		return rewritten(history, i, func(operation *Operation) {
			operation.Input.IfMatch = without(operation.Input.IfMatch, count, revision, birth)
			operation.Output.Tag = without(operation.Output.Tag, count, revision, birth)
			operation.Output.Events = slices.DeleteFunc(slices.Clone(operation.Output.Events),
				func(id string) bool { return slices.Contains(lost.Input.Events, id) })
		}), true
	})
}

func TestFindsAStaleAppendThatIsAccepted(t *testing.T) {
	inEach(t, func(history History, i int) (History, bool) {
		revision, birth := tagOf(history[i])
		stale := revision - len(history[i].Input.Events) - 1
		if !isStored(history[i]) || stale < 0 {
			return nil, false
		}
		return replaced(history, i, func(operation *Operation) {
			operation.Input.IfMatch = strconv.Itoa(stale) + "." + birth
		}), true
	})
}

func TestFindsAnAppendToADeletedSession(t *testing.T) {
	inEach(t, func(history History, i int) (History, bool) {
		gone := tagOfADeletedSession(history, history[i].Asked)
		if history[i].Input.Kind != "append" || history[i].Output == nil || history[i].Output.Status != 404 || gone == "" {
			return nil, false
		}
		revision, birth := parts(gone)
		return replaced(history, i, func(operation *Operation) {
			operation.Output.Status = 200
			operation.Output.Tag = strconv.Itoa(revision+len(operation.Input.Events)) + "." + birth
		}), true
	})
}

func TestFindsAReadThatGoesBackInTime(t *testing.T) {
	inEach(t, func(history History, i int) (History, bool) {
		revision, birth := tagOf(history[i])
		if history[i].Input.Kind != "read" || birth == "" {
			return nil, false
		}
		for _, before := range history {
			earlier, sameBirth := tagOf(before)
			if before.Input.Kind == "read" && before.Input.Newest == history[i].Input.Newest && sameBirth == birth &&
				earlier < revision && isShownBefore(history, history[i].Asked, earlier, birth) {
				return replaced(history, i, func(operation *Operation) { operation.Output = before.Output }), true
			}
		}
		return nil, false
	})
}

func TestReadsWhatItHasWritten(t *testing.T) {
	for name, history := range recorded(t) {
		path := filepath.Join(t.TempDir(), name)
		if err := history.write(path); err != nil {
			t.Fatal(err)
		}
		again, err := readHistory(path)
		if err != nil || len(again) != len(history) {
			t.Error(len(again), err)
		}
	}
}
