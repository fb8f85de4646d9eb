package pasted

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// go tool pprof prints what it shows as text: -top a line for each function, -traces each stack, -tree and -peek who
// calls whom (tree.go), -list the lines of functions (listing.go).
//
//	File: velero                              -----------+-------------------------------
//	Type: inuse_space                               20ms   runtime.memmove
//	Duration: 30.1s, Total samples = …                     bytes.(*Buffer).Write
//	      flat  flat%   sum%        cum   cum%             main.handler
//	  155.13MB 77.09% 77.09%   189.20MB 94.03%  compress/flate.NewWriter
//
// The first knows no callers, and but for -list and -lines none knows lines.
var (
	fileLine     = regexp.MustCompile(`^File: (\S+)$`)
	typeLine     = regexp.MustCompile(`^Type: (\w+)`)
	savedLine    = regexp.MustCompile(`^Saved profile in (\S+)$`)
	durationLine = regexp.MustCompile(`^Duration: ([\d.]+)(\w+), Total samples = `)
	totalLine    = regexp.MustCompile(`^(?:Showing nodes accounting for .* of|Total:|[\d.]+\w* of) ([\d.]+)([a-zA-Z]*)` +
		`(?: total.*)?$`)
	tableHead  = regexp.MustCompile(`^ +flat +flat% +sum% +cum +cum%`)
	tableRow   = regexp.MustCompile(`^ *(-?[\d.]+)([a-zA-Z]*) +[\d.]+% +[\d.]+% +([\d.]+)([a-zA-Z]*) +[\d.]+% +(\S.*)$`)
	traceRule  = regexp.MustCompile(`^-{11}\+-----`)
	traceFirst = regexp.MustCompile(`^ *([\d.]+)([a-zA-Z]*)   (\S.*)$`)
	traceNext  = regexp.MustCompile(`^             +(\S.*)$`)
	traceLabel = regexp.MustCompile(`^ +\w[^ ]*: +\S`)
	atLine     = regexp.MustCompile(`^(.*\S) (\S+\.(?:go|s|c|cc|cpp|h)):(\d+)$`)
)

// tableHints are parts of the lines outside of tables: of most lines there are none.
var tableHints = [][]byte{[]byte("flat%"), []byte("-+-"), []byte("ROUTINE "), []byte("File: "), []byte("Type: "),
	[]byte("Saved profile in "), []byte("Duration: "), []byte("Showing nodes "), []byte("Total: "), []byte(" total ")}

// Bounds on the rows and stacks of a text, and on a stack.
const (
	maxRows   = 100_000
	maxDepth  = 500
	maxFrames = 1_000_000 // of all stacks: some texts name a stack by less than its frames
)

// A pprofText is what go tool pprof printed.
type pprofText struct {
	binary   string // the file name of the program
	kind     string // "cpu", "inuse_space"; "" where the text does not say it
	source   string // the file
	duration int64  // ns
	total    int64  // of all that was recorded, shown or not
	unit     string // of the first number
	form     form
	in       form // what the lines are, now
	rows     []row
	frames   int   // in rows that were added
	wholes   []row // of -top: what is in a function and below it
	calls    callGraph
	list     listing
}

// A form is one of the texts that go tool pprof prints.
type form int

const (
	formTop form = iota + 1
	formTraces
	formTree
	formList
	formExport
)

// A row is a number with its stack, the leaf first.
type row struct {
	value int64 // bytes, ns, or a count
	stack []place
	code  string // of the line, if the text has it
}

// A place is a function, with its line where the text has it.
type place struct {
	function, file string
	line           int64
}

// placeOf reads a name as pprof prints it: "strings.(*Builder).grow /usr/local/go/src/strings/builder.go:68 (inline)".
func placeOf(name string) place {
	name = strings.TrimSuffix(strings.TrimSpace(name), " (inline)")
	name = strings.TrimSuffix(name, " (partial-inline)")
	m := atLine.FindStringSubmatch(name)
	if m == nil {
		return place{function: name}
	}
	line, err := strconv.ParseInt(m[3], 10, 32)
	if err != nil {
		return place{function: m[1], file: m[2]}
	}
	return place{m[1], m[2], line}
}

// line takes a line of such a text.
func (t *pprofText) line(line []byte) bool {
	if t.in == 0 && !slices.ContainsFunc(tableHints, func(h []byte) bool { return bytes.Contains(line, h) }) {
		return false
	}
	text := strings.TrimRight(string(line[:min(len(line), 1<<12)]), " \t")
	switch {
	case t.begins(text):
		return true
	case len(t.rows) >= maxRows || len(text) == 0 && t.in != formList:
		t.in = 0
		return false
	}
	switch t.in {
	case formTop:
		return t.top(text)
	case formTraces:
		return t.trace(text)
	case formTree:
		return t.calls.line(t, text)
	case formList:
		return t.list.line(t, text)
	}
	return t.about(text)
}

// begins recognises the first line of a table. Of several tables of a text the last counts; lists of functions, which
// are of one profile, all do.
func (t *pprofText) begins(text string) bool {
	head := strings.Contains(text, " flat% ")
	switch {
	case head && callsHead.MatchString(text):
		t.start(formTree)
	case head && tableHead.MatchString(text):
		t.start(formTop)
	case strings.HasPrefix(text, "-----------+") && traceRule.MatchString(text):
		if t.form != formTraces {
			t.start(formTraces)
		}
		t.in = formTraces
	case t.list.begins(text):
		if t.form != formList {
			t.start(formList)
		}
		t.in = formList
	default:
		return false
	}
	return true
}

func (t *pprofText) start(f form) {
	t.in, t.form, t.rows, t.wholes, t.unit = f, f, nil, nil, ""
	t.calls = callGraph{}
}

func (t *pprofText) about(text string) bool {
	text = strings.TrimPrefix(text, "(pprof) ")
	switch {
	case fileLine.MatchString(text):
		t.binary = fileLine.FindStringSubmatch(text)[1]
	case typeLine.MatchString(text):
		t.kind = typeLine.FindStringSubmatch(text)[1]
	case savedLine.MatchString(text):
		t.source = savedLine.FindStringSubmatch(text)[1]
	case durationLine.MatchString(text):
		m := durationLine.FindStringSubmatch(text)
		t.duration, _ = amount(m[1], m[2])
	case totalLine.MatchString(text):
		m := totalLine.FindStringSubmatch(text)
		t.total, _ = amount(m[1], m[2])
	default:
		return false
	}
	return true
}

func (t *pprofText) top(text string) bool {
	m := tableRow.FindStringSubmatch(text)
	if m == nil {
		t.in = 0
		return false
	}
	at := []place{placeOf(m[5])}
	if v := t.amount(m[1], m[2]); v > 0 {
		t.rows = append(t.rows, row{value: v, stack: at})
	}
	if v := t.amount(m[3], m[4]); v > 0 && len(t.wholes) < maxRows {
		t.wholes = append(t.wholes, row{value: v, stack: at})
	}
	return true
}

func (t *pprofText) trace(text string) bool {
	if m := traceFirst.FindStringSubmatch(text); m != nil {
		if v := t.amount(m[1], m[2]); v > 0 {
			t.rows = append(t.rows, row{value: v, stack: []place{placeOf(m[3])}})
			return true
		}
	}
	if m := traceNext.FindStringSubmatch(text); m != nil && len(t.rows) > 0 {
		last := &t.rows[len(t.rows)-1]
		if len(last.stack) < maxDepth {
			last.stack = append(last.stack, placeOf(m[1]))
		}
		return true
	}
	return traceLabel.MatchString(text)
}

// units are those that pprof prints, in bytes and nanoseconds.
var units = map[string]float64{"": 1, "B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40, "ns": 1,
	"us": 1e3, "ms": 1e6, "s": 1e9, "mins": 60e9, "hrs": 3600e9, "days": 86400e9}

// amount is a number with its unit: "155.13MB".
func amount(number, unit string) (int64, bool) {
	v, err := strconv.ParseFloat(number, 64)
	by, known := units[unit]
	return int64(v * by), err == nil && known && v*by < 1<<60
}

// amount is a number of the table, 0 for one that cannot be. The first unit tells what it counts.
func (t *pprofText) amount(number, unit string) int64 {
	v, ok := amount(number, unit)
	if !ok || v <= 0 {
		return 0
	}
	if t.unit == "" {
		t.unit = unit
	}
	return v
}
