package trial

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/internal/race"
)

func scheduled(t *testing.T, text string) *trial {
	t.Helper()
	s, err := load.ParseSchedule(text)
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{Config: Config{Pace: s, Slice: 250 * time.Millisecond}, random: rand.New(rand.NewPCG(1, 2))}
	if err := tr.checkLoad(); err != nil {
		t.Fatal(err)
	}
	return tr
}

// TestPieces: pieces of many blocks have the schedule's mean rate, and each comes from its own part of it.
func TestPieces(t *testing.T) {
	race.Skip(t)
	for _, text := range []string{"ramp 50..800 60s", "step 100..500 by 100 every 7s", "sine 50..450 every 3s 30s",
		"constant 200 10s", "ramp 500..40 1s then constant 40 1s"} {
		t.Run(text, func(t *testing.T) {
			tr := scheduled(t, text)
			const blocks = 2000
			total := 0.0
			var parts [minPieces]float64
			for range blocks {
				for k, p := range tr.pieces(minPieces) {
					total += float64(p.n)
					parts[k] += float64(p.n)
					if p.length != tr.Slice {
						t.Fatalf("a piece takes %v, want %v", p.length, tr.Slice)
					}
				}
			}
			// The moments near both ends of a schedule are in fewer slices: 2 s are eight.
			if mean := total / blocks / minPieces / tr.Slice.Seconds(); math.Abs(mean/tr.Rate-1) > 0.1 {
				t.Errorf("the pieces have %.1f requests a second, the schedule %.1f", mean, tr.Rate)
			}
			if text == "ramp 50..800 60s" && !(parts[0] < parts[1] && parts[1] < parts[2] && parts[2] < parts[3]) {
				t.Errorf("the parts of a ramp have %v requests, want them to rise", parts)
			}
		})
	}
}

// TestPiecesOfBursts: between bursts nothing arrives, and no piece is drawn from there if there is another choice.
func TestPiecesOfBursts(t *testing.T) {
	var offsets []time.Duration
	for second := range 40 {
		for i := range 50 {
			offsets = append(offsets, time.Duration(second)*time.Second+time.Duration(i)*time.Millisecond)
		}
	}
	tr := &trial{Config: Config{Slice: 250 * time.Millisecond,
		Pace: load.Schedule{Pace: load.Replay(offsets), Ends: offsets[len(offsets)-1] + 1}},
		random: rand.New(rand.NewPCG(1, 2))}
	for range 200 {
		for k, p := range tr.pieces(minPieces) {
			if p.n == 0 || p.n > 50 {
				t.Fatalf("piece %d has %d requests, want 1 to 50", k, p.n)
			}
		}
	}
}

// TestSteadyOfFew: a stretch in which no request would come gets one nevertheless: a block without requests has no
// figures.
func TestSteadyOfFew(t *testing.T) {
	tr := &trial{Config: Config{Rate: 0.01}, random: rand.New(rand.NewPCG(1, 2))}
	for range 20 {
		p := tr.steady(250 * time.Millisecond)
		if at, ok := p.pace(0); p.n != 1 || !ok || at < 0 || at >= p.length {
			t.Fatalf("%d requests, the first at %v, %v; want one within %v", p.n, at, ok, p.length)
		}
	}
}

// TestEven: both sides are profiled under the same load, over the whole schedule.
func TestEven(t *testing.T) {
	tr := scheduled(t, "ramp 50..800 60s")
	pieces := tr.even(4 * time.Second)
	n := 0.0
	for _, p := range pieces {
		n += float64(p.n)
	}
	if len(pieces) != 16 || math.Abs(n/4-tr.Rate) > 5 {
		t.Errorf("%d pieces with %.0f requests, want 16 with %.0f", len(pieces), n, 4*tr.Rate)
	}
	tr = &trial{Config: Config{Rate: 200, Slice: 250 * time.Millisecond, Arrivals: load.EvenArrivals}}
	if pieces := tr.even(3 * time.Second); len(pieces) != 1 || pieces[0].n != 600 {
		t.Errorf("of a constant rate there are %d pieces, want one with 600 requests", len(pieces))
	}
	tr = &trial{Config: Config{Rate: 200, Slice: 250 * time.Millisecond}, random: rand.New(rand.NewPCG(1, 2))}
	one, other := tr.even(3 * time.Second)[0], tr.even(3 * time.Second)[0]
	if one.n < 500 || one.n > 700 || one.n == other.n { // ± 4 standard deviations; of these two seeds they differ
		t.Errorf("random arrivals of 200 a second give %d and %d requests in 3 s, want two numbers near 600", one.n,
			other.n)
	}
}

func TestCheckLoad(t *testing.T) {
	for _, c := range []struct {
		text  string
		rate  float64
		slice time.Duration
		want  string
	}{
		{"constant 500", 0, 250 * time.Millisecond, "never ends"},
		{"sine 100..500 every 5s", 0, 250 * time.Millisecond,
			"give it a time, for instance: sine 100..500 every 5s 60s"},
		{"ramp 0..20 10s", 0, 250 * time.Millisecond,
			"10 requests a second on average, for 250ms are 2.5 requests a slice"},
		{"ramp 0..200 10s", 5, 250 * time.Millisecond, "both Rate and Pace"},
		{"ramp 0..200 10s", 0, 250 * time.Millisecond, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			s, err := load.ParseSchedule(c.text)
			if err != nil {
				t.Fatal(err)
			}
			cfg := Config{Pace: s, Rate: c.rate, Slice: c.slice}
			err = cfg.checkLoad()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("it says %v, want %q", err, c.want)
			}
		})
	}
}

// TestPasses: a schedule gets more pieces, unless too few blocks would fit into the time.
func TestPasses(t *testing.T) {
	ramp := load.Schedule{Pace: load.Constant(100), Ends: time.Minute}
	for _, c := range []struct {
		name                   string
		pace                   load.Schedule
		slice, max, prof, warm time.Duration
		want                   int
	}{
		{"a rate", load.Schedule{}, 250 * time.Millisecond, 3 * time.Minute, 0, time.Second, 2},
		{"a rate, slow to start", load.Schedule{}, 250 * time.Millisecond, 3 * time.Minute, 0, 20 * time.Second, 7},
		{"a schedule", ramp, 250 * time.Millisecond, 3 * time.Minute, 0, time.Second, 4},
		{"a schedule, little time", ramp, 500 * time.Millisecond, time.Minute, 0, time.Second, 3},
		{"a schedule, less with the profiles", ramp, 500 * time.Millisecond, time.Minute, 4 * time.Second, time.Second,
			3},
		{"a schedule, no time", ramp, 500 * time.Millisecond, 20 * time.Second, 0, time.Second, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := &trial{Config: Config{Pace: c.pace, Slice: c.slice, MaxTime: c.max, Profile: c.prof}}
			if n := tr.passes(c.warm); n != c.want {
				t.Errorf("%d passes, want %d", n, c.want)
			}
		})
	}
}
