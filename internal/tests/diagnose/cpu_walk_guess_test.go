package diagnose_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestLoopThatGrew: a loop whose names do not tell is likely a search if it alone uses more CPU than before the
// trouble. With more requests everything does.
func TestLoopThatGrew(t *testing.T) {
	checkout.Need(t)
	start := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	now := diagnose.Evidence{Name: "cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, Taken: start.Add(time.Minute),
		Seconds: 5, Data: scaled(t, "forms/loops/open-newslice.pb.gz", "main.newSlice", 1, 10)}
	for _, tt := range []struct {
		name       string
		loop, rest float64 // times as much as now
		want       bool
	}{
		{"the loop alone", 0.3, 10, true},
		{"everything, as the load", 0.3, 3, false},
		{"nothing", 0.9, 10, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := now
			before.Name, before.Phase, before.Taken = "cpu-before.pb.gz", casefile.Before, start
			before.Data = scaled(t, "forms/loops/open-newslice.pb.gz", "main.newSlice", tt.loop, tt.rest)
			in := diagnose.Input{Evidence: []diagnose.Evidence{before, now}, Limits: casefile.Limits{CPUs: 2}}
			f, score := scoreOf(t, in, "cpu-linear-search")
			if score > 0 != tt.want {
				t.Fatalf("scores %d, want some: %v", score, tt.want)
			}
			if tt.want && !strings.Contains(f.Explanation, "what it walks has grown") {
				t.Errorf("explains %q, want that it grew", f.Explanation)
			}
		})
	}
}

// scaled is a CPU profile with the samples of one function, and those of all others, multiplied.
func scaled(t *testing.T, file, function string, loop, rest float64) []byte {
	t.Helper()
	p, err := profile.ParseData(checkout.File(t, file))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		by := rest
		if s.Location[0].Line[0].Function.Name == function {
			by = loop
		}
		for i := range s.Value {
			s.Value[i] = int64(by * float64(s.Value[i]))
		}
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
