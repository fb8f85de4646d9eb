package gate

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// TestGates is `make bench-gate`: it repeats gates of the same code, which must not fail, and of planted changes, which
// must, and prints how many did. CASEBOOK_BENCH_GATE is the number of gates of the same code. A quarter of that number
// is run for each other kind.
func TestGates(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("CASEBOOK_BENCH_GATE"))
	if err != nil || n < 1 {
		t.Skip("a measurement of minutes: make bench-gate")
	}
	plain := shop{work: 100, allocs: 3}
	slower, more, moved := plain, plain, plain
	slower.work, more.allocs = 110, 4
	moved.extra = "\nfunc init() { kept = new([32]byte) }\n" // other code at other addresses, none of it measured
	limits, err := ParseLimits("time:+5%,allocs:+1%")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("limits time:+5%%,allocs:+1%%; BenchmarkEncode hashes and allocates, BenchmarkPlain hashes\n")
	fmt.Printf("%-34s %5s %5s %5s %12s %9s\n", "change", "gates", "pass", "fail", "cannot tell", "s a gate")
	for _, c := range []struct {
		name string
		head shop
		n    int
	}{
		{"none, the same binary", plain, n},
		{"none, unmeasured code added", moved, (n + 3) / 4},
		{"+10 % of BenchmarkEncode's work", slower, (n + 3) / 4},
		{"+1 allocation", more, (n + 3) / 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t, plain)
			r.write("shop.go", c.head.source())
			outcomes := make(map[Outcome]int)
			began := time.Now()
			for range c.n {
				res, err := Run(t.Context(), Config{Dir: r.dir, Against: "main", Limits: limits,
					MeasureIdentical: true})
				if err != nil {
					t.Fatal(err)
				}
				outcomes[res.Outcome]++
				for _, j := range res.Judgements {
					if j.Outcome != Pass {
						t.Logf("%s: %s %s %s: %s %s %v", c.name, j.Outcome, j.Subject, j.headline(), j.numbers(),
							j.Reason, j.Because)
					}
				}
				t.Logf("%s", res.noiseText())
			}
			fmt.Printf("%-34s %5d %5d %5d %12d %9.1f\n", c.name, c.n, outcomes[Pass], outcomes[Fail],
				outcomes[CannotTell], time.Since(began).Seconds()/float64(c.n))
		})
	}
}
