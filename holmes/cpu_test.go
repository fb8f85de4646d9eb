package holmes

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A trip that joins a case has a profile of its own where the case's says too little of the time after it.
func TestWhichProfilesAreEnough(t *testing.T) {
	began := time.Unix(1_700_000_000, 0)
	taken := func(phase casefile.Phase, seconds float64) []cpuPart {
		return []cpuPart{{Evidence: casefile.Evidence{Kind: casefile.CPU, Phase: phase, Taken: began,
			Seconds: seconds}}}
	}
	for _, c := range []struct {
		name  string
		taken []cpuPart
		trip  time.Duration // after the profile began
		want  bool
	}{
		{"its own", taken(casefile.During, 5), 0, true},
		{"another rule's, from the start", taken(casefile.During, 3), 0, true},
		{"another rule's, nearly over", taken(casefile.During, 3), 2 * time.Second, false},
		{"another rule's, over", taken(casefile.During, 3), 4 * time.Second, false},
		{"a window before", taken(casefile.Before, 10), 0, false},
		{"none", nil, 0, false},
	} {
		if got := enoughCPU(c.taken, began.Add(c.trip)); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
