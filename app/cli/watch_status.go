package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

func (v *watchView) sample(url, prefix string, e casebook.Event) {
	if v.live && !v.many {
		head := prefix + v.spans.text(e.Time)
		v.rewrite(head + sampleText(&e.Sample, v.width-1-terminal.Visible(head)))
		return
	}
	if e.Time.Sub(v.shown[url]) >= terminal.QuietLine {
		v.shown[url] = e.Time
		v.line(prefix + sampleText(&e.Sample, longLine))
	}
}

// longLine is enough for everything in a line that does not go to a terminal but to a log.
const longLine = 1000

// rewrite replaces the rewritten line with the text.
func (v *watchView) rewrite(text string) {
	v.clear()
	v.status = terminal.Clip(text, v.width-1)
	fmt.Fprint(v.err, v.status)
}

// A spanning is evidence that is being taken and takes time: several kinds at once.
type spanning struct {
	kinds []string
	until time.Time
	span  time.Duration
}

// capturing shows that a profile has started. On a terminal the rewritten line counts its seconds; elsewhere each
// profile gets one line.
func (v *watchView) capturing(prefix string, e casebook.Event) {
	s, span := &v.spans, time.Duration(e.Evidence.Seconds*float64(time.Second))
	if e.Evidence.Phase == casefile.After && e.Evidence.Kind == casefile.Heap {
		v.line(fmt.Sprintf("%s  minutes decide: the heap and the goroutines are taken once more in %s", prefix,
			number.Duration(span)))
		return
	}
	if e.Time.After(s.until) {
		*s = spanning{}
	}
	s.kinds = append(s.kinds, e.Evidence.Kind)
	if until := e.Time.Add(span); until.After(s.until) {
		s.until, s.span = until, span
	}
	if v.live && !v.many {
		v.rewrite(prefix + s.text(e.Time))
		return
	}
	v.line(fmt.Sprintf("%s  %s profile started, %s", prefix, e.Evidence.Kind, number.Duration(span)))
}

// profiling reports whether evidence that takes time is being taken.
func (v *watchView) profiling(now time.Time) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return now.Before(v.spans.until)
}

// text is "profiling cpu, mutex: 4 of 10 s  "; nothing when none is being taken.
func (s *spanning) text(now time.Time) string {
	if !now.Before(s.until) {
		return ""
	}
	gone := s.span - s.until.Sub(now)
	return fmt.Sprintf("profiling %s: %.0f of %.0f s  ", strings.Join(s.kinds, ", "), gone.Seconds(), s.span.Seconds())
}

// A sign is a signal that people look at first. If a line has no room for all, those of the lowest rank are left out
// first: a signal that says what is wrong stays longer than one that says how much there is.
type sign struct {
	id    vitals.ID
	label string
	rank  int
	still bool // is left out at 0
}

func signs() []sign {
	return []sign{
		{vitals.Unanswered, "no answer for", 0, true}, {vitals.CPU, "cpu", 1, false}, {vitals.GCCPU, "gc", 2, false},
		{vitals.HeapAlloc, "heap", 3, false}, {vitals.RSS, "rss", 5, false},
		{vitals.Goroutines, "goroutines", 4, false},
		{vitals.Throttled, "throttled", 6, true}, {vitals.HTTPRate, "requests", 7, false},
		{vitals.HTTPErrors, "errors", 8, true},
		{vitals.HTTPLatencyP99, "p99", 9, false}, {vitals.HTTPInFlight, "in flight", 10, true},
		{vitals.HeapObjects, "objects", 11, false},
	}
}

// sampleText shows the signals that people look at first, as many as fit.
func sampleText(s *vitals.Sample, room int) string {
	type shown struct {
		text string
		rank int
	}
	var parts []shown
	for _, g := range signs() {
		if x, ok := s.Get(g.id); ok && !(g.still && x == 0) {
			parts = append(parts, shown{g.label + " " + g.id.Signal().Unit.Format(x), g.rank})
		}
	}
	for {
		texts, last := make([]string, len(parts)), 0
		for i, p := range parts {
			texts[i] = p.text
			if p.rank > parts[last].rank {
				last = i
			}
		}
		line := strings.Join(texts, "  ")
		if len(parts) < 2 || len([]rune(line)) <= room {
			return line
		}
		parts = append(parts[:last], parts[last+1:]...)
	}
}
