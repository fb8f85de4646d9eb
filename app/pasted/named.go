package pasted

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// A named text is one that people give, that has no evidence in it which could be judged.
type named struct {
	is   *regexp.Regexp
	what string // may use the groups of is
	next string
}

const (
	giveFile = "give the file that it was made from: go tool pprof -proto URL > profile.pb.gz fetches one"
	giveDump = "curl -o goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2' and ls -l /proc/PID/fd show what " +
		"is open"
)

func namedTexts() []named {
	return []named{
		{regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+[\d.]+ ns/op`), "the results of go test -bench: they say " +
			"how long, and not where", "give a profile of the benchmark: go test -bench NAME -cpuprofile cpu.pb.gz"},
		{regexp.MustCompile(`(?m)(?:old (?:time|alloc|allocs)/op.*delta|(?:sec|B|allocs)/op.*vs base)`),
			"a table of benchstat: it says what changed, and not where", "give profiles of both versions: casebook " +
				"diagnose --base old.pb.gz new.pb.gz"},
		{regexp.MustCompile(`^\s*(?:strict )?digraph `), "a picture of a graph (dot)", giveFile},
		{regexp.MustCompile(`(?m)^PeriodType: \w+ \w+$`), "the raw form of go tool pprof", giveFile},
		{regexp.MustCompile(`(?m)^Type: ((?:inuse|alloc)_objects|contentions)$`), "a table of $1 of go tool pprof: " +
			"numbers without their size are not judged", "print bytes or time (-sample_index=inuse_space, " +
			"alloc_space, delay), or " + giveFile},
		{regexp.MustCompile(`(?m)^Total: \d+ samples$`), "a table of an old go tool pprof, before Go 1.5", giveFile},
		{regexp.MustCompile(`too many open files`), "a log, in which the process has too many open files; it does " +
			"not say which", giveDump},
		{regexp.MustCompile(`(?m)^# Overhead +Command|^# Samples: .* of event`), "the text of perf report",
			"give its stacks: perf script | stackcollapse-perf.pl > stacks.folded"},
		{regexp.MustCompile(`(?m)^(?:Alloc|Sys|HeapAlloc|NumGC) ?= ?\d`), "numbers of runtime.MemStats: they say how " +
			"much, and not where", "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap'"},
	}
}

// namedHead is how much of a text is looked at.
const namedHead = 256 << 10

// Named says what a text is that holds nothing to judge, and what to give instead; "" for all that is no text.
func Named(data []byte) (what, next string) {
	text, _ := decoded(data)
	if text == nil || len(bytes.TrimSpace(text)) == 0 {
		return "", ""
	}
	text = text[:min(len(text), namedHead)]
	if places := raced(text); places != "" {
		return "a report of Go's race detector: " + places, "guard what these lines use by one lock, or let one " +
			"goroutine own it; profiles and dumps are judged here"
	}
	for _, n := range namedTexts() {
		if m := n.is.FindSubmatchIndex(text); m != nil {
			return string(n.is.Expand(nil, []byte(n.what), text, m)), n.next
		}
	}
	return "", ""
}

var (
	raceBegins = []byte("WARNING: DATA RACE")
	raceAccess = regexp.MustCompile(`(?m)^ *((?:Previous )?(?:[Rr]ead|[Ww]rite|atomic \w+)) ` +
		`(?:at 0x[0-9a-f]+ )?by .*:\n *(\S+?)\(\)\n *\S*?([^/\s]+:\d+)(?: \+0x|$)`)
)

// raced names the two places of the first race that a text reports.
func raced(text []byte) string {
	_, report, ok := bytes.Cut(text, raceBegins)
	if !ok {
		return ""
	}
	var at []string
	for _, m := range raceAccess.FindAllSubmatch(report, 2) {
		at = append(at, fmt.Sprintf("%s at %s (%s)", strings.ToLower(string(m[1])), m[2], m[3]))
	}
	if len(at) == 0 {
		return "it names the lines itself"
	}
	return strings.Join(at, ", ")
}
