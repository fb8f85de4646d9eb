package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// panels are the charts that most cases need, in reading order; signals of one panel share an axis.
var panels = [...][]vitals.ID{
	{vitals.CPU}, {vitals.GCCPU}, {vitals.HeapAlloc, vitals.HeapGoal}, {vitals.HeapObjects}, {vitals.AllocRate},
	{vitals.RSS, vitals.GoMemory}, {vitals.Goroutines}, {vitals.SchedLatencyP99}, {vitals.Throttled},
	{vitals.MutexWait}, {vitals.GCPause}, {vitals.ProbeTime},
}

// A timeline is the vitals of the case around the trigger.
type timeline struct {
	Shown  []chart // what tripped, and what is related to it
	Folded []chart // all other signals, the panels first
	Rows   []vitalRow
	Absent []absentSignal
	Notes  []string
	Events []eventRow
	GC     string // what is known of GC cycles, in words
	Data   timelineData
}

// A chart is one small multiple.
type chart struct {
	Index   int // in timelineData.Charts
	Signals []vitals.Signal
	Tripped bool // shows the trigger's signal
}

// An absentSignal is one that no sample has.
type absentSignal struct{ Name, Reason string }

// timelineData is what the charts are drawn from.
type timelineData struct {
	Zero   int64       `json:"zero"` // the trigger, milliseconds of Unix time
	T      []jsonFloat `json:"t"`    // seconds after the trigger
	Charts []chartData `json:"charts"`
	Spans  []span      `json:"spans"`
	GC     []gcMark    `json:"gc"`
}

type chartData struct {
	Unit   vitals.Unit `json:"unit"`
	Series []series    `json:"series"`
}

type series struct {
	Name string      `json:"name"`
	V    []jsonFloat `json:"v"` // null where absent
}

// A span is one capture on the time axis, in seconds after the trigger, or the start of a process. To equals From for a
// snapshot and a start.
type span struct {
	From  jsonFloat `json:"from"`
	To    jsonFloat `json:"to"`
	Label string    `json:"label"`
	Start bool      `json:"start,omitempty"`
}

// A jsonFloat is written to JSON with five significant digits, and as null when it is not finite.
type jsonFloat float64

// MarshalJSON implements json.Marshaler.
func (n jsonFloat) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e5 {
		return strconv.AppendInt(nil, int64(v), 10), nil
	}
	return strconv.AppendFloat(nil, v, 'g', 5, 64), nil
}

func newTimeline(in Input, zero time.Time) timeline {
	var t timeline
	samples, per := downsampled(in.Vitals)
	if per > 1 {
		t.Notes = append(t.Notes, "From every "+strconv.Itoa(per)+" samples the charts show the lowest and the "+
			"highest; the case has all samples.")
	}
	if in.StartsNote != "" {
		t.Notes = append(t.Notes, in.StartsNote)
	}
	t.Data.Zero = zero.UnixMilli()
	for _, s := range samples {
		t.Data.T = append(t.Data.T, jsonFloat(math.Round(s.Time.Sub(zero).Seconds()*1000)/1000))
	}
	t.Data.Spans = append(spans(in.Case.Evidence, zero), starts(in, t.Data.T, zero)...)
	slices.SortStableFunc(t.Data.Spans, func(a, b span) int { return cmp.Compare(a.From, b.From) })
	t.Events = eventRows(t.Data.Spans, in.Case.Trigger.Text)
	var whole bool
	t.Data.GC, whole = gcMarks(in.Vitals, zero)
	t.GC = gcText(in.Vitals, t.Data.GC, whole)
	p := presenceIn(in)
	shown, folded := p.layout(&in.Case, samples)
	for _, ids := range shown {
		t.Shown = append(t.Shown, t.addChart(ids, samples, &p))
	}
	for _, ids := range folded {
		t.Folded = append(t.Folded, t.addChart(ids, samples, &p))
	}
	t.Rows = vitalRows(in.Vitals, p, zero)
	t.Absent = absentSignals(p, in)
	return t
}

// layout chooses the charts that are shown next to the findings: that of the signal that tripped, and related ones
// until there are enough. The rest are in the order of the panels, of the signals that the service declared, and of all
// others.
func (p *presence) layout(c *casefile.Case, samples []vitals.Sample) (shown, folded [][]vitals.ID) {
	all := p.charts()
	ids, sure := p.related(c, samples)
	for i, id := range ids {
		if len(shown) >= maxCharts || len(shown) >= wantCharts && i >= sure {
			break
		}
		if at := slices.IndexFunc(all, func(chart []vitals.ID) bool { return slices.Contains(chart, id) }); at >= 0 {
			shown = append(shown, all[at])
			all = slices.Delete(all, at, at+1)
		}
	}
	for len(shown) < wantCharts && len(all) > 0 { // nothing relates: what is worth a look in every case
		shown, all = append(shown, all[0]), all[1:]
	}
	return shown, all
}

// charts returns the signals that have values, those of one panel together.
func (p *presence) charts() [][]vitals.ID {
	var panelled, own, others [][]vitals.ID
	placed := make(map[vitals.ID]bool)
	for _, panel := range panels {
		ids := slices.DeleteFunc(slices.Clone(panel), func(id vitals.ID) bool { return !p.has(id) })
		for _, id := range ids {
			placed[id] = true
		}
		if len(ids) > 0 {
			panelled = append(panelled, ids)
		}
	}
	for id := range vitals.ID(len(p.signals)) {
		switch {
		case placed[id] || !p.has(id):
		case int(id) >= vitals.NumSignals:
			own = append(own, []vitals.ID{id})
		default:
			others = append(others, []vitals.ID{id})
		}
	}
	return slices.Concat(panelled, own, others)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *timeline) addChart(ids []vitals.ID, samples []vitals.Sample, p *presence) chart {
	c := chart{Index: len(t.Data.Charts), Tripped: slices.ContainsFunc(ids, p.isTrip)}
	d := chartData{Unit: p.signals[ids[0]].Unit}
	for _, id := range ids {
		c.Signals = append(c.Signals, p.signals[id])
		s := series{Name: p.signals[id].Name}
		for i := range samples {
			s.V = append(s.V, jsonFloat(samples[i].Values[id]))
		}
		d.Series = append(d.Series, s)
	}
	t.Data.Charts = append(t.Data.Charts, d)
	return c
}

// spans lists the captures by time. Snapshots of the same second are one span.
func spans(evidence []casefile.Evidence, zero time.Time) []span {
	var out []span
	for _, e := range evidence {
		if e.Kind == casefile.Vitals || e.Taken.IsZero() {
			continue
		}
		from := jsonFloat(e.Taken.Sub(zero).Seconds())
		out = append(out, span{From: from, To: from + jsonFloat(max(e.Seconds, 0)), Label: e.Kind})
	}
	slices.SortStableFunc(out, func(a, b span) int {
		switch {
		case a.From < b.From:
			return -1
		case a.From > b.From:
			return 1
		}
		return strings.Compare(a.Label, b.Label)
	})
	return merged(out)
}

func merged(in []span) []span {
	var out []span
	for _, s := range in {
		if n := len(out); n > 0 && out[n-1].To == out[n-1].From && s.To == s.From && s.From-out[n-1].From < 1 {
			if !slices.Contains(strings.Split(out[n-1].Label, ", "), s.Label) {
				out[n-1].Label += ", " + s.Label
			}
			continue
		}
		out = append(out, s)
	}
	return out
}
