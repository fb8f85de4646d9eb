package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/vitals"
)

func TestMovedText(t *testing.T) {
	var out bytes.Buffer
	v := newWatchView(&out, &out, false)
	began := time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	see := func(url string, from, seconds int, set func(i int, s *vitals.Sample)) {
		for i := from; i < from+seconds; i++ {
			s := vitals.NewSample(began.Add(time.Duration(i) * time.Second))
			set(i-from, &s)
			v.show(url, nil, casebook.Event{Kind: casebook.Sampled, Time: s.Time, Sample: s})
		}
	}
	leak := func(i int, s *vitals.Sample) {
		s.Set(vitals.HeapLive, float64(40+i)*(1<<20))
		s.Set(vitals.Goroutines, float64(1000-2*i))
	}
	see("a", 0, 360, leak)
	see("b", 0, 360, func(_ int, s *vitals.Sample) { s.Set(vitals.Goroutines, 1000) })
	want := "heap_live ×7.98 (49.0 MiB → 391 MiB), goroutines ÷3.28 (984 → 300)"
	if got := movedText(v.moved("a")); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := movedText(v.moved("b")) + movedText(v.moved("nobody")); got != "" {
		t.Errorf("%q moved where nothing did", got)
	}
	v.show("a", nil, casebook.Event{Kind: casebook.Restarted})
	if got := movedText(v.moved("a")); got != "" {
		t.Errorf("%q moved of a process that has just begun", got)
	}
	v.outlet.flush()
	v.json, v.out = true, &out
	see("a", 400, 360, leak)
	v.outlet.flush()
	out.Reset()
	v.summaryJSON("a", casebook.Status{}, v.moved("a"))
	if !strings.Contains(out.String(), `"moved":[{"signal":"heap_live","from":`) {
		t.Errorf("the summary is %s", out.String())
	}
}
