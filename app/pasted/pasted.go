// Package pasted finds evidence in texts as people have it.
//
// The problem: a dump rarely comes as the runtime wrote it. It is behind a log's prefix on each line, in one line of
// JSON with its line breaks escaped, in UTF-16 because a shell of Windows redirected it, indented in a ticket or
// between Markdown's fences, below the prompt and the command that printed it; and a log may hold several. The
// approach: one line that only the runtime writes (a goroutine's header, the first line of a ?debug=1 text, "fatal
// error: ") shows what stands before it; what stands there is taken off every line; what is left is cut into pieces
// where a new moment begins. GODEBUG's gctrace and schedtrace lines become vitals, the tables of go tool pprof and the
// stacks that other tools export a profile. What a text says itself of its goroutines (a race, a leak, a test that took
// too long) is a Fault.
//
// The limits: a text that needs none of this is left alone. Lines that a terminal has wrapped stay wrapped. What
// package stacks reads by itself (spaces for tabs, a lost "#") is left to it.
package pasted

import (
	"bytes"
	"time"
)

// A Piece is one piece of evidence that was found in a text.
type Piece struct {
	Kind  string // a kind of package casefile; "": the content says it
	Data  []byte
	Taken time.Time // by the stamps of the log; zero where it has none
	Note  string    // what it is and lacks, where it is not what its kind is elsewhere

	Source string // of a table: the file that it was made from, as the text says; "" for none
	Most   string // of a table: the function with the most of it, and its share: "compress/flate.NewWriter 83 %"
	Lacks  string // of a table: what it does not say of that: "at which line"
	Says   string // what the text itself says is wrong, as a sentence; "" for most
	Next   string // what to do about that
	Fault  Fault  // what it says of its goroutines
	Module string // of a table: the program's module, as far as it shows; "" if not
}

// maxPieces bounds what is made of one text: a log of months may hold a dump of each day, and the last ones count.
const maxPieces = 40

// largeDump is the size from which a text that begins with a goroutine is left alone: a service has written it, and a
// copy would take as much memory again.
const largeDump = 32 << 20

// Pieces returns the evidence in a text; nil where the file is no text, has none, or is to be read as it is. now is for
// stamps without a year.
func Pieces(data []byte, now time.Time) []Piece {
	text, changed := decoded(data)
	if text == nil {
		return nil
	}
	if lines, escaped := unescaped(text); escaped {
		text, changed = lines, true
	}
	if pieces := exported(text); pieces != nil {
		return pieces
	}
	at, ok := firstMark(text)
	if !ok {
		return nil
	}
	if !changed && at == 0 && len(text) > largeDump {
		return nil
	}
	c := newCleaner(text, at, now)
	changed = changed || c != nil
	s := splitter{now: now}
	s.split(text, c)
	pieces := s.pieces()
	changed = changed || s.normal
	if !changed && len(pieces) == 1 && pieces[0].Kind+pieces[0].Note+pieces[0].Says == "" &&
		pieces[0].Fault.IsZero() && len(pieces[0].Data) >= len(text) {
		return nil
	}
	return pieces[max(len(pieces)-maxPieces, 0):]
}

// eachLine calls f for each line of a text, without its end.
func eachLine(text []byte, f func(line []byte)) {
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		f(bytes.TrimSuffix(line, []byte("\r")))
	}
}
