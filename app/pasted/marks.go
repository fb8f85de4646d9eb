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
	`|Goroutine \d+ in state [a-zA-Z]|panic recovered:|(?m: -> +\S+\.go:\d+$)` +
	`|flat +flat% +sum% +cum +cum%|-----------\+-------|ROUTINE =====|WARNING: DATA RACE`)

// hints are parts of every mark: looking for them is a hundred times faster than the pattern.
var hints = [][]byte{[]byte("oroutine "), []byte(" profile: "), []byte("heap profile: "), []byte("--- "),
	[]byte("fatal error: "), []byte("http: panic"), []byte("gc "), []byte("SCHED "), []byte("panic recovered:"),
	[]byte(" -> "), []byte(" flat% "), []byte("-+-"), []byte("ROUTINE "), raceBegins}

// firstMark is where the first mark begins.
func firstMark(text []byte) (at int, ok bool) {
	next := make([]int, len(hints)) // where each comes next; behind the text: no more
	for i := range next {
		next[i] = -1
	}
	for from := 0; from < len(text); {
		first := len(text)
		for i, h := range hints {
			if next[i] < from {
				next[i] = len(text)
				if k := bytes.Index(text[from:], h); k >= 0 {
					next[i] = from + k
				}
			}
			first = min(first, next[i])
		}
		if first == len(text) {
			break
		}
		begin := bytes.LastIndexByte(text[:first], '\n') + 1
		line := lineOf(text, first)
		if m := marks.FindIndex(line); m != nil {
			return begin + m[0], true
		}
		from = begin + len(line) + 1
	}
	return 0, false
}

// What a line begins, once it is clean.
var (
	header = regexp.MustCompile(`^goroutine (\d+) (?:[a-z]+=\S+ )*\[`)
	counts = regexp.MustCompile(`^(?:(?:goroutine|threadcreate|goroutineleak) profile: total \d|` +
		`heap profile: \d+: \d+ \[|--- (?:mutex|contention):)`)
	dies = regexp.MustCompile(`^(?:fatal error: |panic: |SIG[A-Z]{2,7}: |runtime: out of memory|` +
		`runtime: goroutine stack |unexpected fault address )`)
	// further on in a line: behind what a logger says, and in goleak's report
	laterHeader = regexp.MustCompile(`(?:^|[^a-z])(goroutine \d+ (?:[a-z]+=\S+ )*\[[a-zA-Z][^\]]*\]:)$`)
	leftHeader  = regexp.MustCompile(`Goroutine (\d+) in state ([a-zA-Z][^,\]]*), with .* on top of the stack:$`)
	caught      = []byte("http: panic serving ")
)

// isHeader reports whether a line begins a goroutine.
func isHeader(line []byte) bool {
	return bytes.HasPrefix(line, []byte("goroutine ")) && header.Match(line)
}

// lineOf is the line around a place in a text.
func lineOf(text []byte, at int) []byte {
	from := bytes.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := bytes.Cut(text[from:], []byte("\n"))
	return line
}

// isFrame reports whether a line can stand in a goroutine: a function with its arguments, its place, its creator, or
// the mark of frames that were left out. What else stands there is of a log that goes on, or the end of a JSON string.
func isFrame(line []byte) bool {
	line = bytes.TrimSpace(line)
	switch n := len(line); {
	case n == 0:
		return false
	case line[n-1] == ')':
		return bytes.IndexByte(line, '(') > 0
	case bytes.HasPrefix(line, []byte("created by ")), bytes.HasPrefix(line, []byte("...")),
		bytes.HasPrefix(line, []byte("panic during panic")):
		return true
	}
	colon := bytes.LastIndexByte(line, ':')
	if colon <= 0 || colon+1 == len(line) {
		return bytes.IndexByte(line, ' ') < 0 && bytes.IndexByte(line, '.') > 0 // a name without its arguments
	}
	digits := line[colon+1:]
	if i := bytes.IndexByte(digits, ' '); i >= 0 {
		if rest := digits[i+1:]; !bytes.HasPrefix(rest, []byte("+0x")) && !bytes.HasPrefix(rest, []byte("fp=")) {
			return false
		}
		digits = digits[:i]
	}
	return len(digits) > 0 && len(bytes.Trim(digits, "0123456789")) == 0
}
