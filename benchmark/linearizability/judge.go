package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// The time limit of the search for an order. Correct histories take milliseconds.
const patience = time.Minute

// How many of the last operations of an order are printed.
const printed = 10

// Why no order of a history explains all of its responses; empty if one does.
func findFault(history History) string {
	switch porcupine.CheckOperationsTimeout(model(shownBy(history)), history.operations(), patience) {
	case porcupine.Ok:
		return ""
	case porcupine.Unknown:
		return "Undecided after " + patience.String()
	}
	return "No order explains all answers"
}

// Which operations an order explains and where it ends, for a history with a fault; and the same as a picture. It takes
// much longer than to find the fault.
func explain(history History, picture string) (string, error) {
	operations := history.operations()
	model := model(shownBy(history))
	_, info := porcupine.CheckOperationsVerbose(model, operations, patience)
	return describeFault(model, operations, longest(info)), porcupine.VisualizePath(model, info, picture)
}

// The longest order that explains the responses of some operations.
func longest(info porcupine.LinearizationInfo) []porcupine.Operation {
	var best []porcupine.Operation
	for _, partition := range info.PartialLinearizationsOperations() {
		for _, order := range partition {
			if len(order) > len(best) {
				best = order
			}
		}
	}
	return best
}

func describeFault(model porcupine.Model, operations, order []porcupine.Operation) string {
	var text strings.Builder
	state := model.Init()
	placed := map[porcupine.Operation]bool{}
	for _, operation := range order {
		_, state = model.Step(state, operation.Input, operation.Output)
		placed[key(operation)] = true
	}
	fmt.Fprintf(&text, "The longest order has %d of %d operations and ends with\n",
		len(order), len(operations))
	for _, operation := range order[max(0, len(order)-printed):] {
		fmt.Fprintln(&text, "  -", line(operation))
	}
	fmt.Fprintln(&text, "  =", model.DescribeState(state))
	fmt.Fprintln(&text, "and then none of these fits:")
	for _, operation := range next(operations, placed) {
		fmt.Fprintln(&text, "  ?", line(operation))
	}
	return text.String()
}

// Operations that are not in the order yet and that began before the first response among them.
func next(operations []porcupine.Operation, placed map[porcupine.Operation]bool) []porcupine.Operation {
	var left []porcupine.Operation
	for _, operation := range operations {
		if !placed[key(operation)] {
			left = append(left, operation)
		}
	}
	sort.Slice(left, func(i, j int) bool { return left[i].Return < left[j].Return })
	due := left[0].Return
	var open []porcupine.Operation
	for _, operation := range left {
		if operation.Call <= due {
			open = append(open, operation)
		}
	}
	return open
}

// Identifies an operation: a client sends one request at a time.
func key(operation porcupine.Operation) porcupine.Operation {
	return porcupine.Operation{ClientId: operation.ClientId, Call: operation.Call}
}

func line(operation porcupine.Operation) string {
	until := "never"
	if operation.Output.(*Output) != nil {
		until = fmt.Sprintf("%.3f", float64(operation.Return)/1e6)
	}
	return fmt.Sprintf("client %d [%.3f..%s ms] %s", operation.ClientId, float64(operation.Call)/1e6, until,
		describe(operation.Input.(Input), operation.Output.(*Output)))
}
