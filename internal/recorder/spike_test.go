//go:build unix

package recorder

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/cputime"
	"github.com/google/pprof/profile"
)

// spike burns d of CPU time. On a crowded machine that takes longer than d.
//
//go:noinline
func spike(d time.Duration) (sum int) {
	began, _ := cputime.Process()
	for used := began; used-began < d; used, _ = cputime.Process() {
		sum += burn(100_000)
	}
	return sum
}

// samplesOf counts the samples with a function on their stack.
func samplesOf(t testing.TB, w Window, function string) (n int) {
	t.Helper()
	p, err := profile.ParseData(w.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool {
			return slices.ContainsFunc(l.Line, func(l profile.Line) bool {
				return strings.HasSuffix(l.Function.Name,
					function)
			})
		}) {
			n += int(s.Value[0])
		}
	}
	return n
}
