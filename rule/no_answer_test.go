package rule

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// noAnswers runs the built-in rule over the values of unanswered, one a second, NaN where it is absent, and counts.
func noAnswers(t *testing.T, values []float64) (fired int) {
	t.Helper()
	e, err := NewEngine([]Rule{noAnswer()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(600)
	for i, v := range values {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Unanswered, v)
		fired += len(e.Step(&s, h))
		h.Add(s)
	}
	return fired
}

func TestNoAnswer(t *testing.T) {
	silent := func(seconds ...float64) []float64 { return append(make([]float64, 30), seconds...) }
	for _, c := range []struct {
		name   string
		values []float64
		want   int
	}{
		{"a process that answers", silent(0, 0, 0), 0},
		{"two ticks that ran out of time", silent(6, 0, 0, 6, 0), 0},
		{"a stall of ten seconds", silent(6, 0), 0},
		{"a process that hangs", silent(6, 11, 16, 21, 26), 1},
		{"one that hangs again after it had come back", silent(6, 11, 16, 0, 6, 11), 1}, // within the cool-down
	} {
		if got := noAnswers(t, c.values); got != c.want {
			t.Errorf("%s: %d cases, want %d", c.name, got, c.want)
		}
	}
}
