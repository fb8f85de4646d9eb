package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A line with less room keeps the part that says what is wrong.
func TestSampleText(t *testing.T) {
	s := vitals.NewSample(time.Time{})
	for id, v := range map[vitals.ID]float64{
		vitals.CPU: 1.87, vitals.GCCPU: 0.31, vitals.HeapAlloc: 1.2e9, vitals.HeapObjects: 34e6, vitals.RSS: 1.6e9,
		vitals.Goroutines: 12345,
		vitals.Throttled:  0.4, vitals.HTTPRate: 1500, vitals.HTTPErrors: 0.12, vitals.HTTPLatencyP99: 2.5,
		vitals.HTTPInFlight: 3750,
	} {
		s.Set(id, v)
	}
	const all = "cpu 1.87 cores  gc 31 %  heap 1.12 GiB  rss 1.49 GiB  goroutines 12.3 k  throttled 40 %  " +
		"requests 1,500/s  errors 12 %  p99 2.5 s  in flight 3,750  objects 34 M"
	for _, c := range []struct {
		room int
		want string
	}{
		{500, all},
		{80, "cpu 1.87 cores  gc 31 %  heap 1.12 GiB  rss 1.49 GiB  goroutines 12.3 k"},
		{60, "cpu 1.87 cores  gc 31 %  heap 1.12 GiB  goroutines 12.3 k"},
		{0, "cpu 1.87 cores"}, // what cannot be shortened is clipped
	} {
		if got := sampleText(&s, c.room); got != c.want {
			t.Errorf("room for %d: %q, want %q", c.room, got, c.want)
		}
	}
	s.Set(vitals.Throttled, 0)
	s.Set(vitals.Unanswered, 12)
	if got := sampleText(&s, 500); strings.Contains(got, "throttled") ||
		!strings.HasPrefix(got, "no answer for 12 s") {
		t.Errorf("%q: nothing throttled is no news, no answer is the first", got)
	}
}

func TestProfilesCountTheirSeconds(t *testing.T) {
	var out, errs strings.Builder
	v := newWatchView(&out, &errs, false)
	at := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	begin := func(kind string, seconds float64) {
		v.capturing("", casebook.Event{Kind: casebook.Capturing, Time: at,
			Evidence: casefile.Evidence{Kind: kind, Seconds: seconds}})
	}
	begin("mutex", 5)
	begin("cpu", 10)
	if got := v.spans.text(at.Add(4 * time.Second)); got != "profiling mutex, cpu: 4 of 10 s  " {
		t.Errorf("after 4 s: %q", got)
	}
	if got := v.spans.text(at.Add(10 * time.Second)); got != "" || v.profiling(at.Add(10*time.Second)) {
		t.Errorf("after 10 s: %q", got)
	}
	v.outlet.flush()
	if got := errs.String(); !strings.Contains(got, "cpu profile started, 10 s") {
		t.Errorf("without a terminal it says %q", got)
	}
	at = at.Add(time.Minute)
	begin("cpu", 10)
	if got := v.spans.text(at); got != "profiling cpu: 0 of 10 s  " {
		t.Errorf("the next: %q", got)
	}
}
