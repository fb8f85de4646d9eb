package report

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A Start is when a process of the case's service began: an instance that was deployed or restarted.
type Start struct {
	Time     time.Time
	Version  string
	Instance string // its address; "" if that is not known
}

// A gcMark is a time between two samples in which GC cycles ended, in seconds after the trigger: samples have counts of
// cycles and not their moments. Times that touch are one mark when there are many.
type gcMark struct {
	From jsonFloat `json:"from"`
	To   jsonFloat `json:"to"`
	N    int       `json:"n"`
}

// maxGCMarks is above what a chart has pixels for.
const maxGCMarks = 600

// gcMarks finds the times in which GC cycles ended. It returns none, and whole is false, where gc_rate is a mean over
// other times than those between samples, as that of Prometheus: it does not say then how many cycles ended when.
func gcMarks(samples []vitals.Sample, zero time.Time) (marks []gcMark, whole bool) {
	var last time.Time // when the counter was read before: not in every sample of a process outside
	for i := range samples {
		s := &samples[i]
		rate, ok := s.Get(vitals.GCRate)
		if dt := s.Time.Sub(last).Seconds(); ok && !last.IsZero() && dt > 0 {
			n := math.Round(rate * dt)
			if math.Abs(rate*dt-n) > max(0.05, 0.01*n) {
				return nil, false
			}
			if n > 0 {
				marks = append(marks, gcMark{secondsAfter(last, zero), secondsAfter(s.Time, zero), int(n)})
			}
		}
		if _, read := s.Get(vitals.HeapAlloc); ok || read {
			last = s.Time
		}
	}
	if len(marks) > maxGCMarks {
		marks = touching(marks)
	}
	return marks, true
}

// touching makes one of marks that touch each other.
func touching(marks []gcMark) []gcMark {
	var out []gcMark
	for _, m := range marks {
		if n := len(out); n > 0 && out[n-1].To == m.From {
			out[n-1].To, out[n-1].N = m.To, out[n-1].N+m.N
			continue
		}
		out = append(out, m)
	}
	return out
}

// gcText says in words what the marks are; "" where nothing is known of cycles.
func gcText(samples []vitals.Sample, marks []gcMark, whole bool) string {
	has := false
	for i := range samples {
		_, ok := samples[i].Get(vitals.GCRate)
		has = has || ok
	}
	switch {
	case !has:
		return ""
	case !whole:
		return "Single GC cycles are not marked: gc_rate is a mean over other times than those between samples."
	}
	all := 0
	for _, m := range marks {
		all += m.N
	}
	if all == 0 {
		return "No GC cycle ended."
	}
	return count(float64(all)) + " GC " + plural(all, "cycle", "cycles") + " ended, in " + strconv.Itoa(len(marks)) +
		" of the times between two samples, which is as exactly as that is known."
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func secondsAfter(at, zero time.Time) jsonFloat {
	return jsonFloat(math.Round(at.Sub(zero).Seconds()*1000) / 1000)
}

// starts are the moments within the charts at which processes of the service began: the case's own, and those of other
// instances. One that replaced a version is named as what it is.
func starts(in Input, times []jsonFloat, zero time.Time) (out []span) {
	if len(times) == 0 {
		return nil
	}
	t := &in.Case.Target
	own := Start{Time: t.Started, Version: versionOf(t.Build)}
	for i, s := range append([]Start{own}, in.Starts...) {
		at := secondsAfter(s.Time, zero)
		if s.Time.IsZero() || at < times[0] || at > times[len(times)-1] {
			continue
		}
		label := "start"
		if s.Version != "" {
			label += " of " + s.Version
		}
		if i > 0 && s.Instance != "" {
			label += " at " + s.Instance
		}
		out = append(out, span{From: at, To: at, Label: label, Start: true})
	}
	return out
}

// versionOf is what people call a release: the module's version, otherwise the revision.
func versionOf(b casefile.Build) string {
	if b.Version != "" && b.Version != "(devel)" {
		return b.Version
	}
	return b.Revision[:min(len(b.Revision), 12)]
}

// Started reports whether the charts show a start.
func (t *timeline) Started() bool {
	return slices.ContainsFunc(t.Data.Spans, func(s span) bool { return s.Start })
}

// An eventRow is something that happened within the charts, in words.
type eventRow struct{ At, Text string }

// eventRows are the spans, which are by time, with the trigger between them.
func eventRows(spans []span, trigger string) (out []eventRow) {
	clock := func(at jsonFloat) string { return offset(time.Duration(float64(at) * float64(time.Second))) }
	told := func(spans []span) {
		for _, s := range spans {
			text := s.Label
			if !s.Start {
				text = "capture: " + text
			}
			if s.To > s.From {
				text += ", until " + clock(s.To)
			}
			out = append(out, eventRow{clock(s.From), text})
		}
	}
	after := slices.IndexFunc(spans, func(s span) bool { return s.From >= 0 })
	if after < 0 {
		after = len(spans)
	}
	told(spans[:after])
	if trigger != "" {
		out = append(out, eventRow{clock(0), trigger})
	}
	told(spans[after:])
	return out
}
