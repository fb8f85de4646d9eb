package pasted

import (
	"bytes"
	"regexp"
)

// A mark is a line that only the runtime, or go tool pprof, writes.
var marks = regexp.MustCompile(`goroutine \d+ (?:[a-z]+=\S+ )*\[[a-zA-Z][^\]\n]*\](?::| \{)` +
	`|(?:goroutine|threadcreate|goroutineleak) profile: total \d` +
	`|heap profile: \d+: \d+ \[|--- (?:mutex|contention):` +
	`|fatal error: (?:all goroutines|concurrent map|runtime: |out of memory|stack overflow|fault|unexpected signal)` +
	`|http: panic serving |gc \d+ @[\d.]+s \d+%: |SCHED \d+ms: gomaxprocs=` +
	`|flat +flat% +sum% +cum +cum%|-----------\+-------|ROUTINE =====`)

// firstMark is where the first mark begins.
func firstMark(text []byte) (at int, ok bool) {
	m := marks.FindIndex(text)
	if m == nil {
		return 0, false
	}
	return m[0], true
}

// What a line begins, once it is clean.
var (
	header = regexp.MustCompile(`^goroutine (\d+) (?:[a-z]+=\S+ )*\[`)
	counts = regexp.MustCompile(`^(?:(?:goroutine|threadcreate|goroutineleak) profile: total \d|` +
		`heap profile: \d+: \d+ \[|--- (?:mutex|contention):)`)
	dies = regexp.MustCompile(`^(?:fatal error: |panic: |SIG[A-Z]{2,7}: |runtime: out of memory|` +
		`runtime: goroutine stack |unexpected fault address )`)
	caught = []byte("http: panic serving ")
)

// lineOf is the line around a place in a text.
func lineOf(text []byte, at int) []byte {
	from := bytes.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := bytes.Cut(text[from:], []byte("\n"))
	return line
}
