package rule

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestMinuteSpikes: latencies that are high at the same seconds of each minute, as of keys that all end then, are told
// from those that are high at other times, and from load. Five must speak, and seven must not.
func TestMinuteSpikes(t *testing.T) {
	quiet := func(float64) float64 { return 0.006 }
	every := func(period, at, long, height float64) func(float64) float64 {
		return func(i float64) float64 {
			if p := math.Mod(i-at+period, period); p < long {
				return height
			}
			return 0.006
		}
	}
	chance := rand.New(rand.NewPCG(3, 4))
	var random [900]bool
	for i := range random {
		random[i] = chance.Float64() < 0.05
	}
	for _, c := range []struct {
		name string
		p99  func(i float64) float64
		rate float64
		want bool
	}{
		{"all keys end at second 0: 40 ms for ten seconds", every(60, 20, 10, 0.040), 2000, true},
		{"one second of each minute", every(60, 47, 1, 0.250), 500, true},
		{"a job of fifteen seconds", every(60, 5, 15, 0.060), 300, true},
		{"a second early, a second late", func(i float64) float64 {
			return every(60, 20+math.Mod(math.Floor((i+20)/60), 2), 5, 0.050)(i)
		}, 800, true},
		{"on top of slow answers", func(i float64) float64 { return 0.050 + every(60, 30, 8, 0.600)(i) }, 200, true},

		{"no spikes", quiet, 2000, false},
		{"now and then", func(i float64) float64 {
			if random[int(i)] {
				return 0.080
			}
			return 0.006
		}, 2000, false},
		{"every fifteen seconds", every(15, 3, 1, 0.050), 2000, false},
		{"once, and from then on", func(i float64) float64 {
			if i > 300 {
				return 0.080
			}
			return 0.006
		}, 2000, false},
		{"too small to be felt", every(60, 20, 10, 0.015), 2000, false},
		{"hardly any requests", every(60, 20, 10, 0.040), 3, false},
		{"requests come then", every(60, 20, 10, 0.040), -500, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := NewEngine([]Rule{latencySpikes()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			history, noise := vitals.NewHistory(601), rand.New(rand.NewPCG(1, 2))
			spoke := false
			for i := range len(random) {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				rate := c.rate
				if rate < 0 { // in the spikes four times as many
					rate = every(60, 20, 10, 4)(float64(i))*-c.rate + 100
				}
				s.Set(vitals.HTTPRate, rate*(0.9+0.2*noise.Float64()))
				s.Set(vitals.HTTPLatencyP99, c.p99(float64(i))*math.Exp(0.2*noise.NormFloat64()))
				spoke = len(e.Step(&s, history)) > 0 || spoke
				history.Add(s)
			}
			if spoke != c.want {
				t.Errorf("it tripped: %v, want %v", spoke, c.want)
			}
		})
	}
}
