package pasted

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// go tool pprof -raw prints a whole profile:
//
//	PeriodType: cpu nanoseconds
//	Period: 10000000
//	Time: 2025-02-11 10:11:12.5 +0000 UTC
//	Duration: 10.1
//	Samples:
//	samples/count cpu/nanoseconds
//	        300 3000000000: 1 2 3
//	                key:[value]
//	Locations
//	     1: 0x4a1b2c M=1 sort.Strings /usr/local/go/src/sort/sort.go:40:0 s=38
//	             example.com/shop.inlined /srv/shop/main.go:7:0 s=3
//	Mappings
var (
	rawHead     = regexp.MustCompile(`(?m)^PeriodType: (\w+) (\w+)$`)
	rawTypes    = regexp.MustCompile(`^(?:\w+/\w+(?:\[dflt\])? ?)+$`)
	rawSample   = regexp.MustCompile(`^ *((?:-?\d+ *)+):((?: \d+)+) *$`)
	rawLocation = regexp.MustCompile(`^ *(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(?:\[F\] )?(.*)$`)
	rawLine     = regexp.MustCompile(`^(.*\S) (\S+?):(\d+)(?::\d+)? s=\d+$`)
)

// A rawText is such a text while it is read.
type rawText struct {
	p         profile.Profile
	locations map[uint64]*profile.Location
	functions map[place]*profile.Function
	last      *profile.Location // whose further lines follow
}

func ofRaw(text []byte) []Piece {
	r := rawText{locations: make(map[uint64]*profile.Location), functions: make(map[place]*profile.Function)}
	if m := rawHead.FindSubmatch(text); m != nil {
		r.p.PeriodType = &profile.ValueType{Type: string(m[1]), Unit: string(m[2])}
	}
	eachLine(text, func(line []byte) { r.line(string(bytes.TrimRight(line[:min(len(line), 1<<12)], " \t"))) })
	r.p.Sample = slices.DeleteFunc(r.p.Sample, func(s *profile.Sample) bool {
		return slices.ContainsFunc(s.Location, func(l *profile.Location) bool { return len(l.Line) == 0 })
	})
	r.p.Location = slices.DeleteFunc(r.p.Location, func(l *profile.Location) bool { return len(l.Line) == 0 })
	var b bytes.Buffer
	if len(r.p.Sample) == 0 || r.p.CheckValid() != nil || r.p.Write(&b) != nil {
		return nil
	}
	return []Piece{{Data: b.Bytes()}}
}

func (r *rawText) line(text string) {
	number := func(digits string) int64 { v, _ := strconv.ParseInt(digits, 10, 64); return v } // 0 for what is too large
	key, value, _ := strings.Cut(text, ": ")
	switch {
	case key == "Period":
		r.p.Period = number(value)
	case key == "Duration":
		if d, err := strconv.ParseFloat(value, 64); err == nil && d > 0 && d < 1e9 {
			r.p.DurationNanos = int64(d * 1e9)
		}
	case key == "Time":
		if at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", value); err == nil {
			r.p.TimeNanos = at.UnixNano()
		}
	case len(r.p.SampleType) == 0 && rawTypes.MatchString(text):
		for _, of := range strings.Fields(text) {
			typ, unit, _ := strings.Cut(strings.TrimSuffix(of, "[dflt]"), "/")
			r.p.SampleType = append(r.p.SampleType, &profile.ValueType{Type: typ, Unit: unit})
		}
	case rawLocation.MatchString(text):
		m := rawLocation.FindStringSubmatch(text)
		r.last = r.location(uint64(number(m[1])))
		r.frame(m[2])
	case r.last == nil && rawSample.MatchString(text):
		r.sample(rawSample.FindStringSubmatch(text), number)
	case r.last != nil && strings.HasPrefix(text, " "):
		r.frame(strings.TrimSpace(text))
	case text == "Mappings":
		r.last = &profile.Location{}
	}
}

func (r *rawText) sample(m []string, number func(string) int64) {
	s := &profile.Sample{}
	for _, v := range strings.Fields(m[1]) {
		s.Value = append(s.Value, number(v))
	}
	for _, id := range strings.Fields(m[2]) {
		if l := r.location(uint64(number(id))); l != nil && len(s.Location) < maxDepth {
			s.Location = append(s.Location, l)
		}
	}
	if len(s.Value) == len(r.p.SampleType) && len(r.p.Sample) < maxRows {
		r.p.Sample = append(r.p.Sample, s)
	}
}

// location is one by its number, which samples name before it comes; nil for none.
func (r *rawText) location(id uint64) *profile.Location {
	l := r.locations[id]
	if l == nil && id > 0 && len(r.locations) < maxRows {
		l = &profile.Location{ID: id}
		r.locations[id], r.p.Location = l, append(r.p.Location, l)
	}
	return l
}

// frame adds a line to the last location.
func (r *rawText) frame(text string) {
	m := rawLine.FindStringSubmatch(text)
	if m == nil || r.last == nil || r.last.ID == 0 || len(r.last.Line) >= maxDepth {
		return
	}
	at := place{function: m[1], file: m[2]}
	f := r.functions[at]
	if f == nil {
		f = &profile.Function{ID: uint64(len(r.functions) + 1), Name: m[1], SystemName: m[1], Filename: m[2]}
		r.functions[at], r.p.Function = f, append(r.p.Function, f)
	}
	line, _ := strconv.ParseInt(m[3], 10, 32) // beyond that it is none
	r.last.Line = append(r.last.Line, profile.Line{Function: f, Line: line})
}
