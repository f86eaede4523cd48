package main

import (
	"hash/maphash"

	"github.com/anishathalye/porcupine"
)

// The sequential model: which sessions may exist after an operation with this response; none if the response is wrong.
func model(shown *shown) porcupine.Model {
	seed := maphash.MakeSeed()
	sessions := porcupine.NondeterministicModel{
		Init: func() []any { return []any{Session{}} },
		Step: func(state, input, output any) []any {
			var next []any
			for _, session := range state.(Session).after(input.(Input), output.(*Output), shown) {
				next = append(next, session)
			}
			return next
		},
		Hash:              func(state any) uint64 { return maphash.Comparable(seed, state) },
		DescribeOperation: func(input, output any) string { return describe(input.(Input), output.(*Output)) },
		DescribeState:     func(state any) string { return state.(Session).String() },
	}
	return sessions.ToModel()
}
