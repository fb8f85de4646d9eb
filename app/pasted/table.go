package pasted

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// go tool pprof prints what it shows as text: -top a line for each function, -traces each stack.
//
//	File: velero                              -----------+-------------------------------
//	Type: inuse_space                               20ms   runtime.memmove
//	Duration: 30.1s, Total samples = …                     bytes.(*Buffer).Write
//	      flat  flat%   sum%        cum   cum%             main.handler
//	  155.13MB 77.09% 77.09%   189.20MB 94.03%  compress/flate.NewWriter
//
// The first knows no callers, neither knows lines.
var (
	typeLine     = regexp.MustCompile(`^Type: (\w+)`)
	savedLine    = regexp.MustCompile(`^Saved profile in (\S+)$`)
	durationLine = regexp.MustCompile(`^Duration: ([\d.]+)(\w+), Total samples = `)
	tableHead    = regexp.MustCompile(`^ +flat +flat% +sum% +cum +cum%`)
	tableRow     = regexp.MustCompile(`^ *(-?[\d.]+)([a-zA-Z]*) +[\d.]+% +[\d.]+% +[\d.]+[a-zA-Z]* +[\d.]+% +(\S.*)$`)
	traceRule    = regexp.MustCompile(`^-----------\+-----`)
	traceFirst   = regexp.MustCompile(`^ *([\d.]+)([a-zA-Z]*)   (\S.*)$`)
	traceNext    = regexp.MustCompile(`^             +(\S.*)$`)
	traceLabel   = regexp.MustCompile(`^ +\w[^ ]*: +\S`)
)

// maxRows bounds the rows and stacks of a text.
const maxRows = 100_000

// What a table's piece is called.
const (
	noteTop    = "a table of go tool pprof"
	noteTraces = "the traces of go tool pprof"
)

// A pprofText is what go tool pprof printed.
type pprofText struct {
	kind     string // "cpu", "inuse_space"
	source   string // the file
	duration int64  // ns
	rows     []row
	in       int // inTop, inTraces
	traces   bool
}

// A row is a number with its stack, the leaf first.
type row struct {
	value int64 // bytes, ns, or a count
	stack []string
}

const (
	inTop = iota + 1
	inTraces
)

// line takes a line of such a text.
func (t *pprofText) line(line []byte) bool {
	text := strings.TrimRight(string(line[:min(len(line), 1<<12)]), " ")
	switch {
	case tableHead.MatchString(text):
		t.in, t.rows, t.traces = inTop, nil, false // of several tables the last
	case traceRule.MatchString(text):
		t.in, t.traces = inTraces, true
	case len(text) == 0 || len(t.rows) >= maxRows:
		t.in = 0
		return false
	case t.in == inTop:
		return t.top(text)
	case t.in == inTraces:
		return t.trace(text)
	default:
		return t.about(text)
	}
	return true
}

func (t *pprofText) about(text string) bool {
	if m := typeLine.FindStringSubmatch(text); m != nil {
		t.kind = m[1]
		return true
	}
	if m := savedLine.FindStringSubmatch(text); m != nil {
		t.source = m[1]
		return true
	}
	if m := durationLine.FindStringSubmatch(text); m != nil {
		t.duration, _ = amount(m[1], m[2])
		return true
	}
	return false
}

func (t *pprofText) top(text string) bool {
	m := tableRow.FindStringSubmatch(text)
	if m == nil {
		t.in = 0
		return false
	}
	if v, ok := amount(m[1], m[2]); ok && v > 0 {
		t.rows = append(t.rows, row{v, []string{strings.TrimSuffix(m[3], " (inline)")}})
	}
	return true
}

func (t *pprofText) trace(text string) bool {
	if m := traceFirst.FindStringSubmatch(text); m != nil {
		if v, ok := amount(m[1], m[2]); ok && v > 0 {
			t.rows = append(t.rows, row{v, []string{strings.TrimSuffix(m[3], " (inline)")}})
			return true
		}
	}
	if m := traceNext.FindStringSubmatch(text); m != nil && len(t.rows) > 0 {
		last := &t.rows[len(t.rows)-1]
		if len(last.stack) < 500 {
			last.stack = append(last.stack, strings.TrimSuffix(m[1], " (inline)"))
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

// pieces are the profile of a text, if it says what it counts.
func (t *pprofText) pieces() []Piece {
	p := &profile.Profile{DurationNanos: t.duration}
	switch t.kind {
	case "cpu":
		p.SampleType = []*profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}
		p.PeriodType, p.Period = p.SampleType[0], 10_000_000
	case "inuse_space", "alloc_space":
		p.SampleType, p.DurationNanos = []*profile.ValueType{{Type: t.kind, Unit: "bytes"}}, 0
	case "goroutine":
		p.SampleType = []*profile.ValueType{{Type: t.kind, Unit: "count"}}
	}
	if len(t.rows) == 0 || p.SampleType == nil {
		return nil
	}
	at := make(map[string]*profile.Location)
	for _, r := range t.rows {
		s := &profile.Sample{Value: []int64{r.value}}
		for _, name := range r.stack {
			s.Location = append(s.Location, locationOf(p, at, name))
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil // a buffer has no errors
	}
	note := noteTop
	if t.traces {
		note = noteTraces
	}
	return []Piece{{Data: b.Bytes(), Note: note, Source: t.source, Most: t.most()}}
}

// most names the function with the most of what the rows have, at their leaves.
func (t *pprofText) most() string {
	sums, all, name := make(map[string]int64), int64(0), ""
	for _, r := range t.rows {
		leaf := r.stack[0]
		sums[leaf] += r.value
		all += r.value
		if name == "" || sums[leaf] > sums[name] {
			name = leaf
		}
	}
	return fmt.Sprintf("%s %.0f %%", name, 100*float64(sums[name])/float64(all))
}

// locationOf is the place of a function, which is made once.
func locationOf(p *profile.Profile, at map[string]*profile.Location, name string) *profile.Location {
	l := at[name]
	if l == nil {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name}
		l = &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f}}}
		p.Function, p.Location, at[name] = append(p.Function, f), append(p.Location, l), l
	}
	return l
}
