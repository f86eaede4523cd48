package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/anishathalye/porcupine"
)

// Input is the request of a client.
type Input struct {
	// create, append, read, delete, page or watch
	Kind string `json:"kind"`
	// The ids of the events to append, all or none of them.
	Events []string `json:"events,omitempty"`
	// The precondition, without quotes; empty for none.
	IfMatch string `json:"ifMatch,omitempty"`
	// A page token, or the id of the last message of a watch, to go on from.
	After string `json:"after,omitempty"`
	// Whether the precondition, or where to go on from, names an event that the database has lost. So it must not hold.
	Lost bool `json:"lost,omitempty"`
	// How many of the newest events to read; 0 for all.
	Newest int `json:"newest,omitempty"`
}

// Whether it may change the session.
func (in Input) writes() bool {
	return in.Kind == "create" || in.Kind == "append" || in.Kind == "delete"
}

// Output is the response of the service.
type Output struct {
	Status int `json:"status"`
	// What the session is now, without quotes: the revision, a dot, and what tells it from others of its id.
	Tag string `json:"tag,omitempty"`
	// Whether the events had been stored by an earlier request.
	Replayed bool `json:"replayed,omitempty"`
	// The ids of the events that were read.
	Events []string `json:"events,omitempty"`
	// The token of the page after the newest event.
	Token string `json:"token,omitempty"`
	// Why a watch has ended.
	End string `json:"end,omitempty"`
	// The value of the one key of the state, which each append sets to the id of its last event.
	Last string `json:"last,omitempty"`
}

// Operation is a request and its response. Without a response it may have happened at any time since, or never.
type Operation struct {
	Client int `json:"client"`
	// Nanoseconds since the beginning
	Asked    int64   `json:"asked"`
	Answered int64   `json:"answered,omitempty"`
	Input    Input   `json:"input"`
	Output   *Output `json:"output,omitempty"`
}

// History is all operations on one session id.
type History []Operation

// The kind of an operation after all that got a response; no client has sent it.
const end = "end"

func (h History) operations() []porcupine.Operation {
	var operations []porcupine.Operation
	var last int64
	for _, operation := range h {
		until := operation.Answered
		if operation.Output == nil {
			until = math.MaxInt64
		}
		last = max(last, operation.Asked, operation.Answered)
		operations = append(operations, porcupine.Operation{ClientId: operation.Client, Call: operation.Asked,
			Return: until, Input: operation.Input, Output: operation.Output})
	}
	return append(operations, porcupine.Operation{Call: last + 1, Return: last + 2, Input: Input{Kind: end}, Output: (*Output)(nil)})
}

// Writes one operation on each line.
func (h History) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := json.NewEncoder(file)
	for _, operation := range h {
		if err := lines.Encode(operation); err != nil {
			return err
		}
	}
	return file.Close()
}

func readHistory(path string) (History, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var history History
	lines := json.NewDecoder(bufio.NewReader(file))
	for {
		var operation Operation
		err := lines.Decode(&operation)
		if err == io.EOF {
			return history, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		history = append(history, operation)
	}
}

func describe(in Input, out *Output) string {
	text := in.Kind
	if in.IfMatch != "" {
		text += " if " + in.IfMatch
	}
	if in.After != "" {
		text += " after " + in.After
	}
	if in.Lost {
		text += " (lost)"
	}
	if in.Newest > 0 {
		text += fmt.Sprintf(" newest %d", in.Newest)
	}
	if len(in.Events) > 0 {
		text += fmt.Sprint(" ", in.Events)
	}
	if out == nil {
		return text + " -> no answer"
	}
	text += fmt.Sprint(" -> ", out.Status, " ", out.Tag, out.End)
	if out.Replayed {
		text += " replayed"
	}
	if in.Kind == "read" && out.Status == 200 {
		text += fmt.Sprint(" ", out.Events, " last ", out.Last)
	}
	return text
}
