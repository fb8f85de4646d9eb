package casework

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/vitals"
)

// names returns the signals that moved.
func names(moves []vitals.Move) string {
	var all []string
	for _, m := range moves {
		all = append(all, m.Signal.Name)
	}
	return strings.Join(all, ", ")
}

// What moved is known per target, and forgotten when another process replaces it.
func TestRecordOfMoves(t *testing.T) {
	r := record{moves: make(map[string]*vitals.Moves)}
	began := time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
	see := func(url string, from, seconds int, set func(i int, s *vitals.Sample)) {
		for i := from; i < from+seconds; i++ {
			s := vitals.NewSample(began.Add(time.Duration(i) * time.Second))
			set(i-from, &s)
			r.see(&Event{URL: url, Event: casebook.Event{Kind: casebook.Sampled, Time: s.Time, Sample: s}})
		}
	}
	leak := func(i int, s *vitals.Sample) {
		s.Set(vitals.HeapLive, float64(40+i)*(1<<20))
		s.Set(vitals.Goroutines, float64(1000-2*i))
	}
	see("a", 0, 360, leak)
	see("b", 0, 360, func(_ int, s *vitals.Sample) { s.Set(vitals.Goroutines, 1000) })
	if got := names(r.moved("a")); got != "heap_live, goroutines" {
		t.Errorf("%q moved, want heap_live and goroutines", got)
	}
	if got := names(r.moved("b")) + names(r.moved("nobody")); got != "" {
		t.Errorf("%q moved where nothing did", got)
	}
	r.see(&Event{URL: "a", Event: casebook.Event{Kind: casebook.Restarted}})
	if got := names(r.moved("a")); got != "" {
		t.Errorf("%q moved of a process that has just begun", got)
	}
	see("a", 400, 360, leak)
	line, err := json.Marshal(Summary{Moved: r.moved("a")}.Line())
	if err != nil || !strings.Contains(string(line), `"moved":[{"signal":"heap_live","from":`) {
		t.Errorf("the last line is %s (%v)", line, err)
	}
}
