//go:build linux

package gate

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/prove/trial"
)

// TestServiceGates is the other half of `make bench-gate`: gates of a server of 0.65 ms per request at 500 requests a
// second, with the default limits and settings, against itself and against 10 % more CPU per request.
// CASEBOOK_BENCH_GATE_SERVICE says how many of each: "10,5". Each gate prints a line, so that measurements in several
// parts can be added up.
func TestServiceGates(t *testing.T) {
	var nulls, planted int
	if n, err := fmt.Sscanf(os.Getenv("CASEBOOK_BENCH_GATE_SERVICE"), "%d,%d", &nulls, &planted); err != nil || n != 2 {
		t.Skip("a measurement of minutes: make bench-gate")
	}
	limits, err := ParseLimits("cpu_per_request:+5%,allocs:+1%")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("limits cpu_per_request:+5%%,allocs:+1%%; 500 requests a second\n")
	for _, c := range []struct {
		name, slower string
		limits       []Limit
		n            int
	}{
		{"none, the same server", "0", limits, nulls},
		{"+10 % CPU per request", "10", limits[:1], planted}, // without allocs, which rise too and would be found first
	} {
		r := newServer(t, workServer(t, "0"))
		r.write("cmd/server/main.go", workServer(t, c.slower))
		outcomes := make(map[Outcome]int)
		began := time.Now()
		for range c.n {
			load := loaded("/work")
			load.Rate, load.Slice, load.Warmup = 500, trial.DefaultSlice, trial.DefaultWarmup
			res, err := Run(t.Context(), Config{Dir: r.dir, Against: "main", Limits: c.limits, MeasureIdentical: true,
				Service: &Service{Package: "./cmd/server", Args: []string{"-addr", "127.0.0.1:{port}"}, Trial: load}})
			if err != nil {
				t.Fatal(err)
			}
			outcomes[res.Outcome]++
			fmt.Printf("  %-24s %-11s %4.0f s", c.name, res.Outcome, res.Seconds)
			for _, j := range res.Judgements {
				fmt.Printf("  %s %s, %d rounds, noise ±%.1f %%", j.Figure, j.move(), j.Rounds, 100*j.Noise)
				for _, b := range j.Because {
					fmt.Printf(", because %s", b.Function)
				}
			}
			fmt.Println()
		}
		if c.n > 0 {
			fmt.Printf("%-24s %d gates: %d passed, %d failed, %d cannot tell; %.0f s a gate\n", c.name, c.n,
				outcomes[Pass], outcomes[Fail], outcomes[CannotTell],
				time.Since(began).Seconds()/float64(c.n))
		}
	}
}
