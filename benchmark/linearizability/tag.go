package main

import (
	"strconv"
	"strings"
)

// The revision and the birth of a tag; either may be missing. More may follow: the time of the newest event.
func parts(tag string) (int, string) {
	revision, rest, _ := strings.Cut(tag, ".")
	birth, _, _ := strings.Cut(rest, ".")
	number, _ := strconv.Atoi(revision)
	return number, birth
}

// The session, with what a tag says of it, if the tag can belong to it. A tag that is only a number has no birth.
func (s Session) as(tag string) []Session {
	revision, birth := parts(tag)
	if s.birth == "" && birth != "" && !strings.Contains(" "+s.gone, " "+birth+" ") {
		s.birth = birth
	}
	return s.unchangedIf(tag == "" || revision == s.revision() && (birth == "" || birth == s.birth))
}

// Whether a tag can belong to the session, also if its birth is not known.
func (s Session) certainly(tag string) bool {
	revision, birth := parts(tag)
	return revision == s.revision() && (birth == "" || birth == s.birth)
}

// The sessions that a tag can belong to.
func told(sessions []Session, tag string) []Session {
	var fitting []Session
	for _, session := range sessions {
		fitting = append(fitting, session.as(tag)...)
	}
	return fitting
}
