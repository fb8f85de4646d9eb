//go:build unix

package recorder_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/cputime"
	"github.com/gocasebook/casebook/internal/recorder"
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

// The windows hold a spike that was over before anybody looked, also a spike across the end of a window.
func TestSpikeIsInAWindow(t *testing.T) {
	const length = 500 * time.Millisecond
	for _, quiet := range []time.Duration{0, 100 * time.Millisecond, 900 * time.Millisecond} {
		t.Run(fmt.Sprint("after=", quiet), func(t *testing.T) {
			c, stop := runReal(t, recorder.CPUConfig{Window: time.Second, Keep: maxKeep}) // on a starved machine it needs many
			defer stop()
			<-time.After(quiet)
			spike(length)
			found := 0
			for _, w := range c.Cut(t.Context()) {
				found += samplesOf(t, w, "recorder_test.spike")
			}
			if found < 10 { // 50 at 100 Hz, except in a gap; a machine with thrice the work lost half of them
				t.Errorf("%d samples of the spike are in the windows, want 10 or more", found)
			}
		})
	}
}

// samplesOf counts the samples with a function on their stack.
func samplesOf(t testing.TB, w recorder.Window, function string) (n int) {
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
