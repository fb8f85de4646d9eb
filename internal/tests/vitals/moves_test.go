package vitals_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

func TestMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	noisy := func(v, share float64) float64 { return v * (1 + share*random.NormFloat64()) }
	for _, c := range []struct {
		name    string
		seconds int
		set     func(i int, age float64, s *vitals.Sample) // age from 0 to 1
		want    string
	}{
		{"a leak of both", 360, func(i int, age float64, s *vitals.Sample) {
			if i%5 == 0 {
				s.Set(vitals.HeapLive, noisy(42e6+305e6*age, 0.03))
			}
			s.Set(vitals.Goroutines, noisy(3240+17360*age, 0.01))
		}, "heap_live goroutines"},
		{"a day of it", 86400, func(i int, age float64, s *vitals.Sample) {
			s.Set(vitals.Goroutines,
				noisy(100+1000*age, 0.05))
		},
			"goroutines"},
		{"level", 360, func(i int, age float64, s *vitals.Sample) {
			s.Set(vitals.HeapLive, noisy(42e6, 0.1))
			s.Set(vitals.Goroutines, noisy(3000, 0.1))
			s.Set(vitals.RSS, noisy(200e6, 0.1))
		}, ""},
		{"a sawtooth of RSS", 360, func(i int, age float64, s *vitals.Sample) { s.Set(vitals.RSS, 100e6+3e6*float64(i%50)) },
			""},
		{"many times of next to nothing", 360, func(i int, age float64, s *vitals.Sample) {
			s.Set(vitals.HeapLive, 1e6+9e6*age)
			s.Set(vitals.Goroutines, math.Round(5+30*age))
		}, ""},
		{"one spike at the end", 360, func(i int, age float64, s *vitals.Sample) {
			v := 100.0
			if i == 358 {
				v = 9000
			}
			s.Set(vitals.Goroutines, v)
		}, ""},
		{"it falls", 360, func(i int, age float64, s *vitals.Sample) { s.Set(vitals.OpenFiles, 1000-900*age) }, "open_files"},
		{"too short", 25, func(i int, age float64, s *vitals.Sample) { s.Set(vitals.Goroutines, 100+9000*age) }, ""},
		{"absent", 360, func(i int, age float64, s *vitals.Sample) {}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m vitals.Moves
			for i := range c.seconds {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				c.set(i, float64(i)/float64(c.seconds), &s)
				m.Add(&s)
			}
			var names []string
			for _, move := range m.Moved() {
				names = append(names, move.Signal.Name)
				t.Logf("%s ×%.2f: %g → %g", move.Signal.Name, move.Times(), move.From, move.To)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%q moved, want %q", got, c.want)
			}
		})
	}
}
