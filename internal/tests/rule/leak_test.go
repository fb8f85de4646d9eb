package rule_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A scene is a service as the default rules see it, each second: its signals and where its goroutines are.
type scene struct {
	name string
	// at sets what differs from a quiet service at second i; the trouble begins at second 180.
	at func(i int, s *vitals.Sample, r *rand.Rand) []vitals.Place
	// trips is the rule that must trip within two minutes after that; "" is for none within twenty minutes.
	trips string
}

const troubleAt = 180

// after is by how much something has grown at a pace a second since the trouble began.
func after(i int, pace float64) float64 { return pace * math.Max(float64(i-troubleAt), 0) }

// play runs the default rules over a scene, with a census every 15 s, and returns the first firing after second.
func (c *scene) play(t *testing.T, seconds int) (at int, f rule.Firing) {
	t.Helper()
	e, err := rule.NewEngine(rule.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	h, r := vitals.NewHistory(601), rand.New(rand.NewPCG(3, 4))
	for i := range seconds {
		s := calm(i, r)
		places := c.at(i, &s, r)
		if i%15 == 7 {
			e.Census(s.Time, places)
		}
		if fired := e.Step(&s, h); len(fired) > 0 {
			return i, fired[0]
		}
		h.Add(s)
	}
	return -1, rule.Firing{}
}

// calm is a second of a small service with some requests, watched by pprof alone.
func calm(i int, r *rand.Rand) vitals.Sample {
	s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
	noise := func(v, sigma float64) float64 { return v * math.Exp(sigma*r.NormFloat64()) }
	s.Set(vitals.CPU, math.Round(noise(5, 0.2))/100)
	s.Set(vitals.CPUShare, 0.02)
	s.Set(vitals.CPULimit, 2)
	s.Set(vitals.GoMaxProcs, 2)
	s.Set(vitals.MachineMemory, 16<<30)
	s.Set(vitals.RSS, 40<<20)
	s.Set(vitals.RSSAnon, 30<<20)
	s.Set(vitals.OffHeapAnon, 5<<20)
	s.Set(vitals.Goroutines, 20)
	s.Set(vitals.OpenFiles, 14)
	s.Set(vitals.AllocRate, noise(3e6, 0.1))
	s.Set(vitals.ReadRate, noise(1e5, 0.1))
	if i%15 == 0 {
		s.Set(vitals.TCPAccepted, 6)
	}
	if i%8 == 3 {
		s.Set(vitals.HeapLive, noise(12<<20, 0.02))
	}
	return s
}

// add adds to a signal's value.
func add(s *vitals.Sample, id vitals.ID, v float64) {
	if had, ok := s.Get(id); ok {
		s.Set(id, had+v)
	}
}

// waiting is goroutines at one place.
func waiting(fn, wait string, n float64) vitals.Place {
	key := uint64(7)
	for _, c := range fn {
		key = key*31 + uint64(c)
	}
	return vitals.Place{Key: key, Func: fn, Wait: wait, Count: int(n)}
}

func scenes() []scene {
	type sample = vitals.Sample
	return []scene{
		{"a goroutine for each session, one each five seconds", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := math.Floor(after(i, 0.2))
			add(s, vitals.Goroutines, n)
			return []vitals.Place{waiting("logger.mill", vitals.WaitChanReceive, n), waiting("main.serve", vitals.WaitIO, 6)}
		}, "goroutine-growth"},
		{"a client for each request: four goroutines and a connection", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := math.Floor(after(i, 3))
			add(s, vitals.Goroutines, 4*n)
			add(s, vitals.OpenFiles, n)
			return []vitals.Place{waiting("client.read", vitals.WaitIO, n), waiting("client.write", vitals.WaitSelect, n)}
		}, "goroutine-growth"},
		{"strings that keep documents, while allocations rise", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			add(s, vitals.HeapLive, after(i, 1<<20))
			add(s, vitals.RSS, after(i, 1.5*(1<<20)))
			add(s, vitals.AllocRate, after(i, 5e4))
			add(s, vitals.Goroutines, after(i, 0.1))
			return nil
		}, "heap-quadruples"},
		{"the same, and a page is written while a collection marks", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			add(s, vitals.HeapLive, after(i, 0.35*(1<<20)))
			if i-troubleAt > 60 && i-troubleAt <= 68 { // one collection's value
				add(s, vitals.HeapLive, 40<<20)
			}
			return nil
		}, "heap-quadruples"},
		{"subscriptions that stay, and read what all are told", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			add(s, vitals.Goroutines, 400+math.Floor(after(i, 20)))
			add(s, vitals.ReadRate, after(i, 1e3))
			return nil
		}, "goroutine-growth"},
		{"190 KiB a second in a small heap", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			add(s, vitals.HeapLive, after(i, 190<<10))
			return nil
		}, "heap-quadruples"},
		{"mmap, 16 MiB a second in steps", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := 4 * math.Floor(after(i, 0.25)) * 16 * (1 << 20)
			add(s, vitals.RSS, n)
			add(s, vitals.RSSAnon, n)
			add(s, vitals.OffHeapAnon, n)
			return nil
		}, "off-heap-growth"},

		{"websockets connect", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := math.Floor(after(i, 2))
			add(s, vitals.Goroutines, 2*n)
			add(s, vitals.OpenFiles, n)
			add(s, vitals.TCPAccepted, n)
			return []vitals.Place{waiting("ws.read", vitals.WaitIO, n), waiting("ws.write", vitals.WaitSelect, n)}
		}, ""},
		{"a pool of clients grows with requests", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := 10 + math.Floor(math.Min(after(i, 0.2), 90))
			add(s, vitals.Goroutines, n)
			add(s, vitals.OpenFiles, n)
			add(s, vitals.ReadRate, 1e5*n/10)
			return []vitals.Place{waiting("db.read", vitals.WaitIO, n)}
		}, ""},
		{"a cache of misses, in the heap and outside", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			full := 1 - math.Exp(-float64(max(i-troubleAt, 0))/300)
			add(s, vitals.HeapLive, 60*(1<<20)*full)
			add(s, vitals.OffHeapAnon, 200*(1<<20)*full)
			return nil
		}, ""},
		{"a mapped file is read", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			add(s, vitals.RSS, math.Min(after(i, 8<<20), 4<<30))
			return nil
		}, ""},
		{"workers start one after another", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := math.Floor(40 * (1 - math.Exp(-float64(max(i-troubleAt, 0))/40)))
			add(s, vitals.Goroutines, n)
			return []vitals.Place{waiting("pool.work", vitals.WaitChanReceive, n)}
		}, ""},
		{"a burst of 600 requests with two goroutines each drains", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := 600 * math.Max(1-float64(i%300)/20, 0)
			add(s, vitals.Goroutines, math.Floor(2*n))
			return nil
		}, ""},
		{"jobs of a minute", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := math.Max(float64(i%120-50), 0)
			add(s, vitals.Goroutines, 4*n)
			add(s, vitals.HeapLive, n*4*(1<<20))
			return []vitals.Place{waiting("job.wait", vitals.WaitGroup, 4*n)}
		}, ""},
		{"a pause, and everything comes back", func(i int, s *sample, r *rand.Rand) []vitals.Place {
			n := 200.0
			if i > 300 && i < 420 {
				n = 5
			}
			add(s, vitals.Goroutines, n)
			add(s, vitals.OpenFiles, n)
			add(s, vitals.TCPAccepted, n)
			add(s, vitals.HeapLive, n*1e5)
			return []vitals.Place{waiting("main.serve", vitals.WaitIO, n)}
		}, ""},
	}
}

// TestLeaksInTime: a leak trips its rule within two minutes, however small, and what looks like one trips nothing.
func TestLeaksInTime(t *testing.T) {
	for _, c := range scenes() {
		t.Run(c.name, func(t *testing.T) { c.check(t) })
	}
}

// check plays a scene, and fails if something else trips than should, or later.
func (c *scene) check(t *testing.T) {
	seconds := troubleAt + 1200
	if c.trips != "" {
		seconds = troubleAt + 150
	}
	at, f := c.play(t, seconds)
	switch {
	case c.trips == "" && at >= 0:
		t.Errorf("%s tripped after %d s: %s", f.Rule.Name, at-troubleAt, f.Text)
	case c.trips != "" && at < 0:
		t.Errorf("nothing tripped within 150 s, want %s", c.trips)
	case c.trips != "" && (f.Rule.Name != c.trips || at <= troubleAt || at > troubleAt+125):
		t.Errorf("%s tripped after %d s, want %s within 125: %s", f.Rule.Name, at-troubleAt, c.trips, f.Text)
	case at >= 0:
		t.Logf("%s after %d s: %s", f.Rule.Name, at-troubleAt, f.Text)
	}
}

// TestFewCollections: a leak that began before the watch is certain within two minutes, by values that are half a
// percent off its line, and a cache of misses that fills within 20 minutes never is, by such values or by worse.
func TestFewCollections(t *testing.T) {
	leaks := func(s float64) float64 { return 10 + 0.3*(s+20) }
	fills := func(s float64) float64 { return 12 + 60*(1-math.Exp(-s/420)) }
	grows := func(s float64) float64 { return 3 + 300*(1-math.Exp(-s/300)) }
	for _, tt := range []struct {
		name    string
		heap    func(second float64) float64 // MiB
		noise   float64
		seconds int
		trips   bool
	}{
		{"leak", leaks, 0.005, 125, true},
		{"cache", fills, 0.005, 1200, false},
		{"cache of little else", grows, 0.005, 1200, false},
		{"cache, few values", fills, 0.01, 1200, false},
		{"cache of little else, few values", grows, 0.02, 1200, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for seed := range uint64(20) {
				due := 3.0
				r := rand.New(rand.NewPCG(seed, 4))
				c := scene{at: func(i int, s *vitals.Sample, _ *rand.Rand) []vitals.Place {
					s.Set(vitals.HeapLive, math.NaN())
					if float64(i) >= due {
						due += 4 * math.Exp(0.3*r.NormFloat64())
						s.Set(vitals.HeapLive, tt.heap(float64(i))*(1<<20)*math.Exp(tt.noise*r.NormFloat64()))
					}
					return nil
				}}
				if at, f := c.play(t, tt.seconds); (at >= 0) != tt.trips {
					t.Errorf("order %d: after %d s %s", seed, at, f.Text)
				}
			}
		})
	}
}

// TestSlowLeaks: memory that fills within hours or days trips a rule with a good part of it left, under load that
// follows the day, and the same service without a leak trips nothing in three days. A sample every 10 s.
func TestSlowLeaks(t *testing.T) {
	for _, c := range []struct {
		name   string
		hourly float64 // bytes
		trips  bool
	}{{"8 MiB an hour", 8 << 20, true}, {"20 MiB an hour", 20 << 20, true}, {"none", 0, false}} {
		t.Run(c.name, func(t *testing.T) {
			e, err := rule.NewEngine(rule.Default(), nil)
			if err != nil {
				t.Fatal(err)
			}
			const limit = 512 << 20
			h, r := vitals.NewHistory(61), rand.New(rand.NewPCG(5, 6))
			for i := range 3 * 24 * 360 {
				s := calm(i, r)
				s.Time = start.Add(time.Duration(i) * 10 * time.Second)
				rate := 40 * daily(i*10)
				leaked := c.hourly * float64(i) / 360
				s.Set(vitals.ReadRate, rate*1e4*math.Exp(0.1*r.NormFloat64()))
				s.Set(vitals.HeapLive, (20<<20)+rate*5e5*math.Exp(0.1*r.NormFloat64())+leaked)
				rss := (60 << 20) + rate*1e6 + 1.3*leaked
				s.Set(vitals.RSS, rss)
				s.Set(vitals.RSSAnon, rss-10<<20)
				s.Set(vitals.MemoryLimit, limit)
				if fired := e.Step(&s, h); len(fired) > 0 {
					text := fmt.Sprintf("%s after %s with %.0f %% used: %s", fired[0].Rule.Name, s.Time.Sub(start),
						100*rss/limit, fired[0].Text)
					if !c.trips || rss > 0.8*limit {
						t.Error(text)
					}
					t.Log(text)
					return
				}
				h.Add(s)
			}
			if c.trips {
				t.Error("nothing tripped in three days")
			}
		})
	}
}
