package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// The responses that must come at least once; otherwise too little was tried.
var needed = []string{"create 200", "create 409", "append 200", "append 200 replayed", "append 404", "append 412",
	"delete 204", "delete 412", "read 200", "read 404"}

// Report is the result so far.
type Report struct {
	// A folder for all histories; empty to keep only those with a fault, in a folder of their own
	keep  string
	kills int
	// How often the database lost its newest writes
	losses int

	lock       sync.Mutex
	sessions   int
	operations int
	answers    map[string]int
	faults     []string
}

func (r *Report) judge(id string, history History) {
	fault := findFault(history)
	r.lock.Lock()
	defer r.lock.Unlock()
	r.sessions++
	r.operations += len(history)
	for _, operation := range history {
		r.answers[kindOf(operation)]++
	}
	if r.keep != "" {
		r.write(r.keep, id, history)
	}
	if fault != "" {
		r.faults = append(r.faults, "Session "+id+": "+fault+"\n"+r.keepFault(id, history))
	}
}

func kindOf(operation Operation) string {
	if operation.Output == nil {
		return operation.Input.Kind + " without answer"
	}
	text := fmt.Sprint(operation.Input.Kind, " ", operation.Output.Status)
	if operation.Output.Replayed {
		text += " replayed"
	}
	if operation.Input.Lost {
		text += " lost"
	}
	return text
}

// Prints why there is a fault, and the files with the history and a picture of it.
func (r *Report) keepFault(id string, history History) string {
	folder, err := os.MkdirTemp("", "agent-sessions-history-")
	if err != nil {
		return err.Error()
	}
	path := r.write(folder, id, history)
	why, err := explain(history, path+".html")
	if err != nil {
		return err.Error()
	}
	return why + "kept in " + path + ", with a picture beside it"
}

func (r *Report) write(folder, id string, history History) string {
	path := filepath.Join(folder, id+".jsonl")
	if err := history.write(path); err != nil {
		r.faults = append(r.faults, err.Error())
	}
	return path
}

// Prints the report, and returns the exit code.
func (r *Report) print(to io.Writer) int {
	for _, fault := range r.faults {
		fmt.Fprintln(to, fault)
	}
	fmt.Fprintf(to, "%d sessions, %d operations, %d kills, %d losses, %d faults\n", r.sessions, r.operations, r.kills,
		r.losses, len(r.faults))
	fmt.Fprintln(to, strings.Join(r.counts(), ", "))
	var untried []string
	needed := needed
	if r.losses > 0 {
		needed = append(slices.Clone(needed), "append 412 lost", "page 400 lost", "watch 200 lost")
	}
	for _, answer := range needed {
		if r.answers[answer] == 0 {
			untried = append(untried, answer)
		}
	}
	if len(untried) > 0 {
		fmt.Fprintln(to, "Too little was tried: never answered were", strings.Join(untried, ", "))
	}
	if len(r.faults)+len(untried) > 0 {
		return 1
	}
	return 0
}

func (r *Report) counts() []string {
	var counts []string
	for answer, count := range r.answers {
		counts = append(counts, fmt.Sprint(answer, ": ", count))
	}
	slices.Sort(counts)
	return counts
}
