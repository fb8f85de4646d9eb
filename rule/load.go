package rule

import (
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// What explains growth is what comes from outside: requests and connections that were accepted. What a process does
// itself (goroutines, allocations, files that it opens, CPU) grows with a leak, and would hide it. Where the first of
// these is not known, the next best stands for it: "http_rate|read_rate" is the rate of requests, or of the bytes that
// are read where requests are not counted.

// loads are the signals of load that a test has in Beyond, alternatives one after another.
type loads struct {
	id     []vitals.ID
	signal []vitals.Signal
	entry  []int // the index in Beyond
}

func newLoads(beyond []string, catalog *vitals.Catalog) (l loads) {
	for i, names := range beyond {
		for name := range strings.SplitSeq(names, "|") {
			id, signal := find(name, catalog)
			l.id, l.signal, l.entry = append(l.id, id), append(l.signal, signal), append(l.entry, i)
		}
	}
	return l
}

// known calls visit for the first of each entry's signals that is known.
func (l *loads) known(is func(i int) bool, visit func(i int)) {
	done := -1
	for i, entry := range l.entry {
		if entry != done && is(i) {
			done = entry
			visit(i)
		}
	}
}

// loadWords are the signals of load for a person: "http_rate (else read_rate) or tcp_accepted".
func loadWords(beyond []string) string {
	var names []string
	for _, entry := range beyond {
		first, rest, more := strings.Cut(entry, "|")
		if more {
			first += " (else " + strings.ReplaceAll(rest, "|", ", else ") + ")"
		}
		names = append(names, first)
	}
	return or(names)
}

// validateLoads checks signals of load with alternatives.
func validateLoads(c *Condition, beyond []string, path string, catalog *vitals.Catalog, fault faultFunc) {
	for i, entry := range beyond {
		for name := range strings.SplitSeq(entry, "|") {
			validateLoad(c, name, fmt.Sprintf("%s[%d]", path, i), catalog, fault)
		}
	}
	if len(beyond) > maxBeyond {
		fault(path, "wants at most %d signals, not %d", maxBeyond, len(beyond))
	}
}
