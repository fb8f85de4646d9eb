package compare

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/stat"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// A Capture is one side of a comparison of evidence: what was given, and what of it was read.
type Capture struct {
	Evidence []diagnose.Evidence
	Read     []diagnose.Artefact
}

// OfEvidence returns the page of two captures or cases: what is wrong with each, their vitals side by side, and the
// profiles that both have as differences. Vitals get no verdict: two captures are of two loads, and samples of one
// process that follow one another are not rounds.
func OfEvidence(old, latest string, a, b Capture, c *difference.Difference) report.Comparison {
	page := report.Comparison{
		Title: againstTitle(old, latest), Summary: changesSummary(c), Round: "sample",
		Sides: []report.Side{{Label: old}, {Label: latest}}, Findings: pageChanges(c),
		Method: []string{"Two findings are the same if kind and first function are the same. The captures were not " +
			"taken under one load, so the load may be what differs: casebook prove measures both sides under the " +
			"same load."},
	}
	page.Figures = vitalsFigures(a, b)
	if len(page.Figures) > 0 {
		page.Method = append(page.Method, "The figures are medians of the vitals that were sampled while the "+
			"evidence was taken, or before it if a case has none from that time.")
	}
	page.Profiles = profilePairs(a, b)
	if c.Relation != "" {
		page.Warnings = append(page.Warnings, "Before and after: "+c.Relation+".")
	}
	return page
}

// changesSummary counts the changes that press.
func changesSummary(c *difference.Difference) string {
	if len(c.Changes) == 0 {
		return "No findings, then or now."
	}
	pressing := 0
	for i := range c.Changes {
		if c.Changes[i].Pressing() {
			pressing++
		}
	}
	return fmt.Sprintf("%s, %d new or worse.", number.Things(len(c.Changes), "finding"), pressing)
}

func pageChanges(c *difference.Difference) *report.Changes {
	out := &report.Changes{}
	for _, b := range c.Against {
		out.Against = append(out.Against, report.Evidence{Kind: b.Kind, Before: b.Base, After: b.Now})
	}
	for i := range c.Totals {
		out.Totals = append(out.Totals, report.Moved{Name: c.Totals[i].Name, Text: c.Totals[i].Text()})
	}
	for i := range c.Places {
		p := &c.Places[i]
		out.Places = append(out.Places, report.Moved{State: p.State, Name: p.Function, Text: p.Text()})
	}
	for i := range c.Changes {
		ch := &c.Changes[i]
		f := ch.Finding()
		row := report.Change{State: ch.State, Score: scores(ch), Title: f.Title, Summary: f.Summary, Note: ch.Said()}
		if len(f.Where) > 0 {
			row.Where = f.Where[0].Function
		}
		out.List = append(out.List, row)
	}
	return out
}

func scores(c *difference.Change) string {
	score := func(f *casefile.Finding) string {
		if f == nil {
			return "–"
		}
		return fmt.Sprint(f.Score)
	}
	return score(c.Base) + " → " + score(c.Now)
}

// profileTitles are the kinds of profiles whose difference is drawn, and how they are called.
var profileTitles = [...]struct{ kind, title string }{
	{casefile.CPU, "CPU"}, {casefile.Heap, "Heap in use"}, {casefile.Goroutine, "Goroutines"},
	{casefile.Mutex, "Mutex"}, {casefile.Block, "Block"},
}

// profilePairs returns the profiles that both sides have.
func profilePairs(a, b Capture) []report.ProfilePair {
	var out []report.ProfilePair
	for _, p := range profileTitles {
		before, after := a.best(p.kind), b.best(p.kind)
		if before != nil && after != nil && isProfile(before.Data) && isProfile(after.Data) {
			out = append(out, report.ProfilePair{Name: p.title, Kind: p.kind, Before: before.Data, After: after.Data})
		}
	}
	return out
}

// isProfile reports whether data is a pprof protobuf: goroutine profiles may be text.
func isProfile(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) || len(data) > 0 && data[0] == 0x0a
}

// best returns the evidence of a kind that says most about the trouble: taken during it, otherwise with the most
// samples; nil if there is none.
func (c Capture) best(kind string) *diagnose.Evidence {
	var best *diagnose.Evidence
	most := 0
	for _, a := range c.Read {
		if a.Kind != kind {
			continue
		}
		e := c.evidence(a)
		if e == nil {
			continue
		}
		during := e.Phase == casefile.During
		if best == nil || during && best.Phase != casefile.During || during == (best.Phase == casefile.During) &&
			a.Samples > most {
			best, most = e, a.Samples
		}
	}
	return best
}

// shownVitals are the signals that say most about a service, in the order of the page.
var shownVitals = [...]vitals.ID{
	vitals.CPU, vitals.GCCPU, vitals.AllocRate, vitals.HeapAlloc, vitals.HeapObjects, vitals.RSS, vitals.Goroutines,
	vitals.Threads, vitals.OpenFiles,
	vitals.SchedLatencyP99, vitals.MutexWait, vitals.Throttled, vitals.GCPause, vitals.HTTPRate, vitals.HTTPLatencyP99,
	vitals.HTTPErrors,
}

// vitalsFigures returns the signals that either side has, if both have vitals at all.
func vitalsFigures(a, b Capture) []report.Measured {
	before, after := a.samples(), b.samples()
	if len(before) == 0 || len(after) == 0 {
		return nil
	}
	var out []report.Measured
	catalog := &vitals.Catalog{}
	for _, id := range shownVitals {
		s := catalog.Signal(id)
		x, y := valuesOf(before, id), valuesOf(after, id)
		if x == nil && y == nil {
			continue
		}
		m := report.Measured{Text: s.Text, Rounds: report.Rounds{Before: x, After: y}}
		m.Figure = casefile.Figure{Name: s.Name, Unit: string(s.Unit), Before: medianStat(x), After: medianStat(y),
			P: 1}
		out = append(out, m)
	}
	return out
}

// samples returns the vitals of a side: those of the trouble, or the latest there are, which were sampled while the
// evidence was taken. What cannot be read ends them.
func (c Capture) samples() []vitals.Sample {
	best := c.best(casefile.Vitals)
	if best != nil && best.Phase == casefile.During {
		return samplesOf(best)
	}
	var latest []vitals.Sample
	for _, a := range c.Read {
		if e := c.evidence(a); e != nil && a.Kind == casefile.Vitals {
			s := samplesOf(e)
			if n := len(latest); n == 0 || len(s) > 0 && s[len(s)-1].Time.After(latest[n-1].Time) {
				latest = s
			}
		}
	}
	return latest
}

func samplesOf(e *diagnose.Evidence) []vitals.Sample {
	// diagnose has reported what is wrong with it
	_, samples, _ := vitals.ReadJSONLUpTo(bytes.NewReader(e.Data), room.Parsing())
	return samples
}

// evidence is what an artefact was read from; nil where that is not known.
func (c Capture) evidence(a diagnose.Artefact) *diagnose.Evidence {
	i := slices.IndexFunc(c.Evidence, func(e diagnose.Evidence) bool { return e.Name == a.Name })
	if i < 0 {
		return nil
	}
	return &c.Evidence[i]
}

// valuesOf returns the values of a signal, NaN where it is absent; nil if it always is.
func valuesOf(samples []vitals.Sample, id vitals.ID) []float64 {
	out := make([]float64, len(samples))
	had := false
	for i := range samples {
		v, ok := samples[i].Get(id)
		out[i] = v
		had = had || ok
	}
	if !had {
		return nil
	}
	return out
}

// medianStat returns the median of the values, without an interval: neighbouring samples are not independent.
func medianStat(values []float64) casefile.Stat {
	var there []float64
	for _, v := range values {
		if !math.IsNaN(v) {
			there = append(there, v)
		}
	}
	if len(there) == 0 {
		return casefile.Stat{}
	}
	m := stat.Median(there)
	return casefile.Stat{Value: m, Low: m, High: m, N: len(there)}
}
