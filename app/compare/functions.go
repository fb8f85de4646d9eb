package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Functions are the shares of a process's CPU by function, a map for each window of time. A function that is not in a
// window took nothing in it.
type Functions struct {
	Label   string
	Windows []map[string]float64
}

// leastShare is the share of the CPU, in some window of either side, below which a function has no row: with it the
// family of tests would have thousands of functions of a sample or two.
const leastShare = 0.01

// OfFunctions compares what each function takes of the CPU, on both sides. A function is judged as a benchmark is whose
// runs are the windows.
func OfFunctions(old, latest Functions, opt Options) (*Report, error) {
	names := rowsOf(old, latest)
	if len(names) == 0 {
		return nil, fmt.Errorf("no function takes %g %% of the CPU of %s or %s", 100*leastShare, old.Label, latest.Label)
	}
	r, err := OfBenchmarks([]Input{{Label: old.Label, Data: old.text(names)},
		{Label: latest.Label, Data: latest.text(names)}}, opt)
	if err != nil {
		return nil, err
	}
	r.rows(func(row *Row) {
		var at int
		if _, err := fmt.Sscanf(row.Name, rowName, &at); err == nil && at < len(names) {
			row.Name = names[at]
		}
	})
	r.Of = Profiles
	r.Method += " A value is a function's share of the CPU in one window: load that changes cancels out, and what " +
		"a function takes more, others take less. Neighbouring windows share their luck, which no test can see."
	return r, nil
}

// rowName is what a function is called while it is a benchmark: its own name may have anything in it.
const rowName = "F%d"

func rowsOf(sides ...Functions) []string {
	names := make(map[string]bool)
	for _, side := range sides {
		for _, window := range side.Windows {
			for name, share := range window {
				if share >= leastShare {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// text is the output of the benchmarks.
func (f Functions) text(names []string) *strings.Reader {
	var b strings.Builder
	b.WriteString("Unit share better=lower\n")
	for i, name := range names {
		for _, window := range f.Windows {
			fmt.Fprintf(&b, "Benchmark"+rowName+" 1 %g share\n", i, window[name])
		}
	}
	return strings.NewReader(b.String())
}
