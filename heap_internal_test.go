package casebook

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestLaterHalf: collections that ended soon after the first heap profile do not make the second one a later one.
func TestLaterHalf(t *testing.T) {
	first := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name  string
		ended []int // seconds after the first profile
		later bool
	}{
		{"two soon after it, none later", []int{1, 2}, false},
		{"one soon after it, one at the end", []int{2, 10}, false},
		{"two in the second half", []int{8, 10}, true},
		{"every second", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true},
		{"none", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			now := first.Add(10 * time.Second)
			var samples []vitals.Sample
			for i := 1; i <= 10; i++ {
				s := vitals.NewSample(first.Add(time.Duration(i) * time.Second))
				s.Set(vitals.GCRate, 0)
				if slices.Contains(tt.ended, i) {
					s.Set(vitals.GCRate, 1)
				}
				if s.Time.After(laterHalf(first, now)) {
					samples = append(samples, s)
				}
			}
			if got := cyclesIn(samples) >= laterCycles; got != tt.later {
				t.Errorf("%d cycles are seen in the second half: a later moment %t, want %t", cyclesIn(samples), got, tt.later)
			}
		})
	}
}
