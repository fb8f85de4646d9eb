package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// engines are the two protocols with a stand-in of each.
var engines = []struct {
	name  string
	start func(testing.TB) *enginetest.Server
}{{Pyroscope, enginetest.NewPyroscope}, {Parca, enginetest.NewParca}}

const (
	pods   = 3
	pushes = 8 // of each pod, every 15 s
)

// fill has pods push what nats-slow was recorded as, for two minutes until now.
func fill(t testing.TB, s *enginetest.Server, now time.Time) (cpu, heap, goroutines *profile.Profile) {
	t.Helper()
	cpu, heap, goroutines = enginetest.Recorded(t, "nats-slow", "cpu.pb.gz"), enginetest.Recorded(t, "nats-slow", "heap.pb.gz"),
		enginetest.Recorded(t, "nats-slow", "goroutine.pb.gz")
	heap.DurationNanos, goroutines.DurationNanos = 0, 0
	for pod := range pods {
		labels := map[string]string{"service_name": "nats", "service_version": "2.10", "pod": fmt.Sprint("nats-", pod)}
		for i := range pushes {
			at := now.Add(-time.Duration(i)*15*time.Second - time.Duration(pod)*time.Second - settle - time.Second)
			s.Add(labels, "process_cpu", at, cpu)
			s.Add(labels, "memory", at, heap)
			s.Add(labels, "goroutines", at, goroutines)
		}
	}
	s.Add(map[string]string{"service_name": "other", "pod": "o"}, "process_cpu", now.Add(-time.Minute), cpu)
	return cpu, heap, goroutines
}

func newTarget(t testing.TB, scheme string, s *enginetest.Server, rest string, o Options) *Target {
	t.Helper()
	target, err := New(scheme+"://"+s.Host+"?service=nats"+rest, o)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func parsed(t testing.TB, p instance.Profile) *profile.Profile {
	t.Helper()
	got, err := profile.ParseData(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// sums are the totals of a profile's values by type.
func sums(p *profile.Profile) map[string]float64 {
	out := make(map[string]float64)
	for i, t := range p.SampleType {
		for _, s := range p.Sample {
			out[t.Type] += float64(s.Value[i])
		}
	}
	return out
}

func about(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// What three instances pushed for two minutes comes back as the profile of one: its CPU the sum over the window, its
// heap and goroutines those of a moment, each stack with all its values, at its lines.
func TestCapture(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s, now := e.start(t), time.Now()
			cpu, heap, goroutines := fill(t, s, now)
			target := newTarget(t, e.name, s, "&version=2.10", Options{})
			got, err := target.Capture(t.Context(), casefile.CPU, 10*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			p := parsed(t, got)
			have, want := sums(p), sums(cpu)
			if !about(have["cpu"], pushes*want["cpu"], 0.01) || !about(have["samples"], pushes*want["samples"], 0.5) ||
				got.Seconds != 300 || p.DurationNanos != int64(5*time.Minute) || p.Period != cpu.Period {
				t.Errorf("the CPU profile has %v over %gs with a period of %d; want %d times %v", have, got.Seconds,
					p.Period, pushes, want)
			}
			wantLine(t, p, cpu)
			for _, w := range []string{"from " + e.name + "://", "service=nats", "version=2.10", "3 instances"} {
				if !strings.Contains(got.Note, w) {
					t.Errorf("the note %q lacks %q", got.Note, w)
				}
			}
			if got, err = target.Capture(t.Context(), casefile.Heap, 0); err != nil {
				t.Fatal(err)
			}
			have, want = sums(parsed(t, got)), sums(heap)
			if !about(have["inuse_space"], want["inuse_space"], 0.01) || have["alloc_space"] != 0 || got.Seconds != 0 {
				t.Errorf("the heap has %v over %gs; want what is in use of %v", have, got.Seconds, want)
			}
			if got, err = target.Capture(t.Context(), casefile.Goroutine, 0); err != nil {
				t.Fatal(err)
			}
			have, want = sums(parsed(t, got)), sums(goroutines)
			if !about(have["goroutine"], want["goroutine"], 0.1) {
				t.Errorf("there are %v goroutines, want %v", have, want)
			}
			var empty *instance.EmptyError
			for _, kind := range []string{casefile.Heap, casefile.Trace, casefile.Mutex, casefile.GoroutineDump} {
				if _, err := target.Capture(t.Context(), kind, 0); !errors.As(err, &empty) {
					t.Errorf("%s again, or not there: %v; want an EmptyError", kind, err)
				}
			}
		})
	}
}

// wantLine compares where the CPU went: the heaviest leaf and its line.
func wantLine(t *testing.T, got, want *profile.Profile) {
	t.Helper()
	heaviest := func(p *profile.Profile) string {
		by, best := map[string]int64{}, ""
		for _, s := range p.Sample {
			l := s.Location[0].Line[0]
			at := fmt.Sprintf("%s %s:%d", l.Function.Name, l.Function.Filename, l.Line)
			if by[at] += s.Value[len(s.Value)-1]; by[at] > by[best] {
				best = at
			}
		}
		return best
	}
	if g, w := heaviest(got), heaviest(want); g != w {
		t.Errorf("most CPU is at %s, want %s", g, w)
	}
}

// The totals of profiles are signals, for the past and for now.
func TestSignals(t *testing.T) {
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			s, now := e.start(t), time.Now()
			cpu, heap, goroutines := fill(t, s, now)
			target := newTarget(t, e.name, s, "", Options{})
			past, err := target.Past(t.Context(), now.Add(-5*time.Minute))
			if err != nil {
				t.Fatal(err)
			}
			seen := map[vitals.ID]float64{}
			for _, sample := range past {
				for _, id := range []vitals.ID{vitals.CPU, vitals.HeapLive, vitals.Goroutines} {
					if v, ok := sample.Get(id); ok {
						seen[id] = max(seen[id], v)
					}
				}
			}
			want := map[vitals.ID]float64{vitals.CPU: sums(cpu)["cpu"] / 1e9 / 15,
				vitals.HeapLive: sums(heap)["inuse_space"], vitals.Goroutines: sums(goroutines)["goroutine"]}
			for id, v := range want {
				if !about(seen[id], v, 0.01) {
					t.Errorf("%s was %g, want %g", id, seen[id], v)
				}
			}
			sample := vitals.NewSample(now)
			if err := target.Sample(t.Context(), &sample); err != nil {
				t.Fatal(err)
			}
			asked := len(s.Asked())
			if err := target.Sample(t.Context(), &sample); err != nil || len(s.Asked()) != asked {
				t.Errorf("a second sample at once asked the engine %d times (%v)", len(s.Asked())-asked, err)
			}
			if why := target.Absent()["gc_pause"]; !strings.Contains(why, "has no series") {
				t.Errorf("gc_pause is absent because %q", why)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	for _, e := range engines {
		s := e.start(t)
		fill(t, s, time.Now())
		for rest, want := range map[string]string{
			"?service=nats":                            "",
			"?service=nats&version=2.10":               "",
			"?service=nats&label=pod=x":                "",
			"?service=natz":                            "did you mean nats?",
			"?service=nothing-alike":                   "there are nats, other",
			"?service=nats&version=2.11":               "there is no version 2.11",
			"?service=nats&until=2001-01-01T00:00:00Z": "there are none at all",
		} {
			target, err := New(e.name+"://"+s.Host+rest, Options{})
			if err != nil {
				t.Fatal(err)
			}
			d, err := target.Describe(t.Context())
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s%s: %v, want %q", e.name, rest, err, want)
			}
			if err == nil && (d.Name != "nats" || d.URL != target.URL()) {
				t.Errorf("%s%s is described as %+v", e.name, rest, d)
			}
		}
	}
}

// Of every engine no more is asked than one service's minutes.
func TestAsksForLittle(t *testing.T) {
	for _, e := range engines {
		s := e.start(t)
		fill(t, s, time.Now())
		target := newTarget(t, e.name, s, "&since=1m&nodes=1000", Options{})
		if _, err := target.Capture(t.Context(), casefile.CPU, 0); err != nil {
			t.Fatal(err)
		}
		if n := len(s.Asked()); n > 8 {
			t.Errorf("%s was asked %d times for one profile", e.name, n)
		}
	}
}

// An engine that hangs is given up when the caller does.
func TestContextEnds(t *testing.T) {
	for _, e := range engines {
		s := e.start(t)
		s.Refuse = hang
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := newTarget(t, e.name, s, "", Options{}).Describe(ctx)
		if err == nil || !strings.Contains(err.Error(), "no complete answer in time") {
			t.Errorf("%s hangs: %v", e.name, err)
		}
	}
}
