package pasted

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/google/pprof/profile"
)

// What a table's piece is called, and what it does not say.
var forms = map[form]struct{ note, lacks string }{
	formTop:    {"a table of go tool pprof", "at which line, or who calls it"},
	formTraces: {"the traces of go tool pprof", "at which line"},
	formTree:   {"the calls that go tool pprof shows", "at which line"},
	formList:   {"the lines that go tool pprof lists", "who calls it, and what it calls"},
	formExport: {"stacks that another tool exported", "at which line"},
}

// Table is the kind of a piece without data: a table of numbers that no detector can use, which names the function with
// most of them nevertheless.
const Table = "table"

// without is what such numbers do not say.
var without = map[string]string{"inuse_objects": "how large they are", "alloc_objects": "how large they are",
	"contentions": "for how long"}

// pieces are the profile of a text, if it is of a kind that can be judged.
func (t *pprofText) pieces() []Piece {
	rows := t.rows
	if t.form == formTree {
		rows = t.calls.stacks()
	}
	p, width := t.empty()
	switch {
	case len(rows) == 0:
		return nil
	case p == nil && without[t.kind] != "":
		f := forms[t.form]
		return []Piece{{Kind: Table, Note: f.note + " of " + t.kind, Source: t.source, Most: t.mostOf(rows) + t.below(),
			Lacks: without[t.kind] + ", " + f.lacks, Module: t.module()}}
	case p == nil:
		return nil
	}
	at := make(map[place]*profile.Location)
	for _, r := range append(rows, t.rest(rows)...) {
		s := &profile.Sample{Value: make([]int64, width)}
		s.Value[0], s.Value[width-1] = 1, r.value
		for _, place := range r.stack {
			s.Location = append(s.Location, locationOf(p, at, place))
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return nil // a buffer has no errors
	}
	f := forms[t.form]
	if t.form == formExport && rows[0].stack[0].line > 0 { // it says all that a profile does
		return []Piece{{Data: b.Bytes(), Module: t.module()}}
	}
	if t.kind == "" {
		f.note += ", of " + t.kindOrGuess() + " by its unit"
	}
	return []Piece{{Data: b.Bytes(), Note: f.note, Source: t.source, Most: t.mostOf(rows) + t.below(), Lacks: f.lacks,
		Module: t.module()}}
}

// kindOrGuess is what the text counts. Where it does not say so, the unit does: time is the processor's, unless it was
// spent where goroutines wait; bytes are what is in use, which pprof shows if nothing else is asked for.
func (t *pprofText) kindOrGuess() string {
	switch {
	case t.kind != "":
		return t.kind
	case strings.HasSuffix(t.unit, "B"):
		return "inuse_space"
	case t.unit == "":
		return ""
	case t.waits():
		return "delay"
	}
	return "cpu"
}

// waits reports whether the largest number is where goroutines wait, or let others wait.
func (t *pprofText) waits() bool {
	var most row
	for _, r := range t.rows {
		if r.value > most.value {
			most = r
		}
	}
	return most.value > 0 && waiting.MatchString(most.stack[0].function+" "+most.code)
}

// waiting is in the name of a function that a block or mutex profile blames, or in the code that calls it.
var waiting = regexp.MustCompile(`nlock\b|\.Wait\b|<-|\bselect \{|^runtime\.(?:chanrecv|chansend|selectgo)`)

// empty is a profile of what the text counts, and how many values its samples have; nil for what no detector knows.
func (t *pprofText) empty() (*profile.Profile, int) {
	p := &profile.Profile{DurationNanos: t.duration}
	types := func(names ...string) {
		for _, n := range names {
			kind, unit, _ := strings.Cut(n, "/")
			p.SampleType = append(p.SampleType, &profile.ValueType{Type: kind, Unit: unit})
		}
	}
	switch kind := t.kindOrGuess(); kind {
	case "cpu":
		types("cpu/nanoseconds")
		p.PeriodType, p.Period = p.SampleType[0], 10_000_000
	case "inuse_space", "alloc_space":
		types(kind + "/bytes")
		p.DurationNanos = 0
	case "goroutine":
		types(kind + "/count")
	case "delay":
		types("contentions/count", "delay/nanoseconds") // how many they were is not in the text
	default:
		return nil, 0
	}
	return p, len(p.SampleType)
}

// rest is what the text leaves out of the total, so that shares are those of the whole.
func (t *pprofText) rest(rows []row) []row {
	left := t.total
	for _, r := range rows {
		left -= r.value
	}
	if left <= t.total/200 || t.kindOrGuess() == "goroutine" { // the numbers are rounded
		return nil
	}
	return []row{{value: left}}
}

// module is the module that the program seems to be of: where its file's name is an element of a package's path, the
// path up to there.
func (t *pprofText) module() string {
	name := path.Base(strings.ReplaceAll(t.binary, `\`, "/"))
	if t.binary == "" || name == "." || name == "main" {
		return ""
	}
	of := func(function string) string {
		before, _, ok := strings.Cut(function+"/", "/"+name+"/")
		if !ok {
			if before, _, ok = strings.Cut(function, "/"+name+"."); !ok {
				return ""
			}
		}
		if !strings.Contains(before, ".") || strings.ContainsAny(before, "( ") {
			return ""
		}
		return before + "/" + name
	}
	for _, rows := range [][]row{t.wholes, t.rows} {
		for _, r := range rows {
			for _, p := range r.stack {
				if m := of(p.function); m != "" {
					return m
				}
			}
		}
	}
	for _, n := range t.calls.nodes {
		if m := of(n.at.function); m != "" {
			return m
		}
	}
	return ""
}

// mostOf names the function with the most of what the rows have, with its line if the text has it: at their leaves, or
// where those are the runtime's or a lock's, above them.
func (t *pprofText) mostOf(rows []row) string {
	sums, all, most := make(map[place]int64), int64(0), place{}
	for _, r := range rows {
		at := r.stack[0]
		for _, p := range r.stack[1:] {
			if !beneath.MatchString(at.function) {
				break
			}
			at = p
		}
		sums[at] += r.value
		all += r.value
		if most == (place{}) || sums[at] > sums[most] {
			most = at
		}
	}
	name := most.function
	if most.line > 0 {
		name += fmt.Sprintf(" (%s:%d)", path.Base(most.file), most.line)
	}
	return fmt.Sprintf("%s %.0f %%", name, 100*float64(sums[most])/float64(max(all, t.total)))
}

// beneath are functions below the one that a reader can change.
var beneath = regexp.MustCompile(`^(?:runtime|sync|internal/sync|internal/runtime/\w+)\.|^\[not shown\]$`)

// below adds the function with the most in it and below it, of a table that has no callers: of the program's own, as
// far as that shows.
func (t *pprofText) below() string {
	module, most := t.module(), row{}
	for _, r := range t.wholes {
		f := r.stack[0].function
		if strings.HasPrefix(f, module) && f != "main.main" && !beneath.MatchString(f) && r.value > most.value {
			most = r
		}
	}
	if most.value == 0 {
		return ""
	}
	return fmt.Sprintf(", most with what it calls in %s %.0f %%", most.stack[0].function,
		100*float64(most.value)/float64(max(t.total, most.value)))
}

// locationOf is a place's location, which is made once.
func locationOf(p *profile.Profile, at map[place]*profile.Location, where place) *profile.Location {
	l := at[where]
	if l == nil {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: where.function, SystemName: where.function,
			Filename: where.file}
		l = &profile.Location{ID: f.ID, Line: []profile.Line{{Function: f, Line: where.line}}}
		p.Function, p.Location, at[where] = append(p.Function, f), append(p.Location, l), l
	}
	return l
}
