package diagnose_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// A world is what signals are at a second of a minute.
type world map[vitals.ID]func(second float64) float64

// inPulse is high in ten seconds of each minute.
func inPulse(high, low float64) func(float64) float64 {
	return func(second float64) float64 {
		if math.Mod(second, 60) < 10 {
			return high
		}
		return low
	}
}

func always(v float64) func(float64) float64 { return func(float64) float64 { return v } }

// minutesOf are five minutes of vitals that begin at a full minute, with noise.
func minutesOf(t *testing.T, w world) diagnose.Evidence {
	t.Helper()
	chance := rand.New(rand.NewPCG(3, 4))
	var samples []vitals.Sample
	for i := range 300 {
		s := vitals.NewSample(time.Date(2026, 11, 23, 12, 0, i, 0, time.UTC))
		for id, value := range w {
			s.Set(id, value(float64(i))*math.Exp(0.1*chance.NormFloat64()))
		}
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "vitals.jsonl", Data: b.Bytes()}
}

// requestsAt is a goroutine profile of n requests whose stacks begin with some frames.
func requestsAt(n int, frames string) []byte {
	return fmt.Appendf(nil, "goroutine profile: total %d\n%d @ 0x1 0x2\n%s#\t0x2\tnet/http.(*conn).serve+0x1\t"+
		"/go/src/net/http/server.go:2000\n\n", n, n, frames)
}

const (
	callStack = "#\t0x1\tnet/http.(*Client).do+0x1\t/go/src/net/http/client.go:600\n" +
		"#\t0x1\tmain.(*shop).price+0x1\t/src/app/main.go:40\n"
	flightStack = "#\t0x1\tsync.(*WaitGroup).Wait+0x1\t/go/src/sync/waitgroup.go:100\n" +
		"#\t0x1\tgolang.org/x/sync/singleflight.(*Group).Do+0x1\t/m/golang.org/x/sync@v0.24.0/singleflight/s.go:100\n" +
		"#\t0x1\tmain.(*shop).price+0x1\t/src/app/main.go:40\n"
)

// TestSpikeCauses: what else comes in the spikes decides which finding there is.
func TestSpikeCauses(t *testing.T) {
	spike := time.Date(2026, 11, 23, 12, 4, 4, 0, time.UTC)
	slow := world{vitals.HTTPLatencyP99: inPulse(0.060, 0.006), vitals.HTTPRate: always(500),
		vitals.CPU: always(0.4)}
	with := func(id vitals.ID, v func(float64) float64) world {
		w := world{id: v}
		for i, v := range slow {
			if i != id {
				w[i] = v
			}
		}
		return w
	}
	calls := with(vitals.ReadCalls, inPulse(2000, 1000))
	calls[vitals.WriteCalls] = inPulse(2000, 1000)
	for _, c := range []struct {
		name       string
		world      world
		goroutines []byte
		kind       string // of the finding; "": none
		least      int    // score
		most       int
	}{
		{"requests load below singleflight", slow, requestsAt(40, flightStack), "expiry-stampede", 50, 74},
		{"requests call twice as often", calls, requestsAt(40, callStack), "expiry-stampede", 50, 74},
		{"what is called is slow", slow, requestsAt(40, callStack), "periodic-spike", 50, 74},
		{"nothing was captured in a spike", slow, nil, "periodic-spike", 25, 49},
		{"callers come in the spikes", with(vitals.HTTPRate, inPulse(2000, 300)), requestsAt(40, flightStack),
			"periodic-spike", 25, 49},
		{"collections come in the spikes", with(vitals.GCRate, inPulse(3, 0.1)), nil, "", 0, 0},
		{"no spikes", with(vitals.HTTPLatencyP99, always(0.006)), requestsAt(40, flightStack), "", 0, 0},
		{"too short to be felt", with(vitals.HTTPLatencyP99, inPulse(0.015, 0.002)), nil, "", 0, 0},
		{"hardly any requests", with(vitals.HTTPRate, always(3)), requestsAt(40, flightStack), "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := diagnose.Input{Limits: casefile.Limits{CPUs: 2}, Evidence: []diagnose.Evidence{minutesOf(t, c.world)}}
			if c.goroutines != nil {
				in.Evidence = append(in.Evidence, diagnose.Evidence{Name: "goroutine.txt", Kind: casefile.Goroutine,
					Taken: spike,
					Phase: casefile.During, Data: c.goroutines})
			}
			for _, kind := range []string{"expiry-stampede", "periodic-spike"} {
				f, score := scoreOf(t, in, kind)
				switch {
				case kind != c.kind && score > 0:
					t.Errorf("%s %d: %s", kind, score, f.Summary)
				case kind == c.kind && (score < c.least || score > c.most):
					t.Errorf("%s has a score of %d, want %d to %d: %s", kind, score, c.least, c.most, f.Summary)
				case kind == c.kind:
					t.Logf("%s: %s\n%s\n%s", f.Title, f.Summary, f.Remedies[0].Title, f.Remedies[0].Text)
				}
			}
		})
	}
}

// courseOf is ten seconds of a course whose CPU is high for a part of each second, and so are its calls.
func courseOf(t *testing.T, high, low, callsHigh, callsLow float64) diagnose.Evidence {
	t.Helper()
	chance := rand.New(rand.NewPCG(5, 6))
	var samples []vitals.Sample
	began := time.Date(2026, 11, 23, 12, 4, 50, 0, time.UTC)
	for i := range 200 {
		s := vitals.NewSample(began.Add(time.Duration(i) * 50 * time.Millisecond))
		cpu, calls := low, callsLow
		if i%20 < 6 {
			cpu, calls = high, callsHigh
		}
		s.Set(vitals.CPU, math.Round(5*cpu*math.Exp(0.2*chance.NormFloat64()))/5)
		s.Set(vitals.ReadCalls, calls)
		s.Set(vitals.WriteCalls, calls)
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "course.jsonl", Kind: casefile.Course, Data: b.Bytes()}
}

// TestSpikeWithinSeconds: what comes back each second shows in the course, if requests have a tail.
func TestSpikeWithinSeconds(t *testing.T) {
	spike := time.Date(2026, 11, 23, 12, 4, 52, 100e6, time.UTC)
	tailed := world{vitals.HTTPLatencyP50: always(0.001), vitals.HTTPLatencyP99: always(0.090),
		vitals.HTTPRate: always(1200)}
	short := world{vitals.HTTPLatencyP50: always(0.001), vitals.HTTPLatencyP99: always(0.004),
		vitals.HTTPRate: always(1200)}
	for _, c := range []struct {
		name   string
		world  world
		course diagnose.Evidence
		want   bool
	}{
		{"a load each second that takes all CPU", tailed, courseOf(t, 1, 0.25, 3000, 2800), true},
		{"with half of the CPU left", tailed, courseOf(t, 0.5, 0.1, 3000, 2800), false},
		{"requests come then", tailed, courseOf(t, 1, 0.25, 9000, 2000), false},
		{"no request is late", short, courseOf(t, 1, 0.25, 3000, 2800), false},
		{"level", tailed, courseOf(t, 0.9, 0.9, 3000, 3000), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := diagnose.Input{Limits: casefile.Limits{CPUs: 1}, Evidence: []diagnose.Evidence{minutesOf(t, c.world), c.course,
				{Name: "goroutine.txt", Kind: casefile.Goroutine, Taken: spike, Phase: casefile.During,
					Data: requestsAt(40, flightStack)}}}
			f, score := scoreOf(t, in, "expiry-stampede")
			if got := score >= 50; got != c.want {
				t.Errorf("%d, want a warning: %v: %s", score, c.want, f.Summary)
			}
			if c.want {
				t.Logf("%s: %s\n%s\n%+v", f.Title, f.Summary, f.Remedies[0].Title, f.Impact.Gain)
			}
		})
	}
}

// TestSpikesRecorded: what was recorded of a service with caches and jobs by other hands (lab/modules/rates) on a busy
// machine. Four must speak, and six must not.
func TestSpikesRecorded(t *testing.T) {
	for name, want := range map[string]struct {
		kind     string // "": none of 50 or more
		function string // "": the case was taken between two spikes
	}{
		"gocache-flush":       {"expiry-stampede", "main.(*remote).rate"}, // emptied by a cron job
		"gocache-flush-short": {"expiry-stampede", "main.(*remote).rate"}, // with a backend that bears more
		"memcached-slot":      {"expiry-stampede", "main.(*remote).rate"}, // the period is in the keys
		"ristretto-ttl":       {"periodic-spike", ""},
		"cron-lock":           {"periodic-spike", ""}, // over before anything was captured

		"random":           {}, // the backend is slow at any time
		"morning":          {}, // more and more people
		"restart":          {}, // a cold cache, once
		"ristretto-jitter": {}, // lifetimes of random length
		"callers":          {}, // six times the requests at the beginning of each period
		"sawtooth":         {}, // collections of a large heap
	} {
		t.Run(name, func(t *testing.T) {
			in := loadCase(t, "spikes/"+name)
			for _, kind := range []string{"expiry-stampede", "periodic-spike", "slow-dependency"} {
				f, score := scoreOf(t, in, kind)
				switch {
				case kind != want.kind && score >= 50:
					t.Errorf("%s %d: %s", kind, score, f.Summary)
				case kind == want.kind && score < worthKnowing:
					t.Errorf("%s has a score of %d", kind, score)
				case kind == want.kind && want.function != "" && (len(f.Where) == 0 ||
					f.Where[0].Function != want.function):
					t.Errorf("%s is at %+v, want %s", kind, f.Where, want.function)
				}
			}
		})
	}
}
