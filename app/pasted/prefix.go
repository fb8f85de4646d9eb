package pasted

import (
	"bytes"
	"regexp"
	"time"
)

// A cleaner takes off each line what a log, a quotation or an indentation put before it.
type cleaner struct {
	clean func(line []byte) (rest []byte, at time.Time)
	ofLog bool // what is taken off is a log's, which every line has
}

// A logForm is what a program that passes lines on puts before them.
type logForm struct {
	prefix *regexp.Regexp // its first group is the time, if it has one
	layout string         // of the time
}

const stamp = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)`

// logForms are what is known; several may stand one behind the other.
var logForms = []logForm{
	{regexp.MustCompile(`^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?) \S+ [^\s:\[]+(?:\[\d+\])?: ?`), time.Stamp},
	{regexp.MustCompile(`^(` + stamp + `) \S+ [^\s:\[]+\[\d+\]: ?`), time.RFC3339Nano}, // journald, short-iso
	{regexp.MustCompile(`^(` + stamp + `) (?:stdout|stderr) [FP] `), time.RFC3339Nano}, // CRI
	{regexp.MustCompile(`^(` + stamp + `)[ \t]`), time.RFC3339Nano},                    // docker and kubectl --timestamps
	{regexp.MustCompile(`^\[(` + stamp + `)\] ?`), time.RFC3339Nano},                   // Jenkins
	{regexp.MustCompile(`^<\d{1,3}>\d? ?`), ""},                                        // syslog's priority
	{regexp.MustCompile(`^\[pod/[^\]\s]+\] `), ""},                                     // kubectl --prefix
	{regexp.MustCompile(`^[\w./-]+ +\| ?`), ""},                                        // docker compose
	{regexp.MustCompile(`^(?:> ?)+`), ""},                                              // a quotation
	{regexp.MustCompile(`^ *\d{1,7}(?:[:|]|\t| {2})[ \t]?`), ""},                       // the numbers of lines
}

// maxForms is how many stand before a line at most.
const maxForms = 3

// newCleaner finds out what stands before the line of a mark; nil if nothing does.
func newCleaner(text []byte, at int, now time.Time) *cleaner {
	line := lineOf(text, at)
	from := bytes.Index(line, marks.Find(line))
	if from <= 0 || tableHead.Match(line) || callsHead.Match(line) {
		return nil
	}
	before := line[:from]
	if len(bytes.Trim(before, " \t")) == 0 {
		return &cleaner{clean: indented(before)}
	}
	clean := ofLog(now)
	rest, _ := clean(line)
	own := bytes.Contains(line, caught) || bytes.Contains(line, ginHead) // a logger of the program's stands before it
	if bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), line[from:]) || own && len(rest) < len(line) {
		return &cleaner{clean, true}
	}
	return nil
}

// indented takes off an indentation: as much as the mark's line has, of lines that have as much.
func indented(by []byte) func([]byte) ([]byte, time.Time) {
	return func(line []byte) ([]byte, time.Time) {
		if rest, ok := bytes.CutPrefix(line, by); ok {
			return rest, time.Time{}
		}
		return bytes.TrimLeft(line, " "), time.Time{}
	}
}

// ofLog takes off what programs that pass lines on put before them.
func ofLog(now time.Time) func([]byte) ([]byte, time.Time) {
	return func(line []byte) (rest []byte, at time.Time) {
		for range maxForms {
			f, m := formOf(line)
			if m == nil {
				break
			}
			if len(m) > 2 && m[2] >= 0 && at.IsZero() {
				at = parsed(f.layout, string(line[m[2]:m[3]]), now)
			}
			line = line[m[1]:]
		}
		return line, at
	}
}

// formOf is the form that stands before a line, and where.
func formOf(line []byte) (f logForm, m []int) {
	head := line[:min(len(line), 300)]
	for _, f := range logForms {
		if m := f.prefix.FindSubmatchIndex(head); m != nil && m[1] > 0 {
			return f, m
		}
	}
	return logForm{}, nil
}

// parsed is a stamp's time; without a year it is of the last twelve months.
func parsed(layout, text string, now time.Time) time.Time {
	t, err := time.Parse(layout, text)
	if err != nil {
		return time.Time{}
	}
	if t.Year() == 0 {
		t = t.AddDate(now.Year(), 0, 0)
		if t.After(now.AddDate(0, 0, 1)) {
			t = t.AddDate(-1, 0, 0)
		}
	}
	return t
}
