package instance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// MemStats of a process that has live bytes, allocates at a rate, and collects now and then, as a sampler sees them
// each second.
func TestLiveFromMemStats(t *testing.T) {
	const mb, rate = 1e6, 10e6
	began := time.Unix(1000, 0)
	for _, c := range []struct {
		name   string
		every  float64 // seconds between cycles
		live   float64
		skew   float64 // by the target's clock
		within float64 // of live
	}{
		{"a cycle each 7.3 s", 7.3, 50 * mb, 0, 0.001},
		{"a cycle each second", 1.1, 50 * mb, 0, 0.001},
		{"five cycles a second", 0.21, 50 * mb, 0, 0.001},
		{"another machine's clock", 7.3, 50 * mb, 3600, 0.21}, // one second allocates 20 % of it
	} {
		t.Run(c.name, func(t *testing.T) {
			var r memReader
			said := 0
			for i := range 60 {
				at := float64(i) + 0.5
				cycles := float64(int(at / c.every))
				m := MemStats{
					accounts: accounts{TotalAlloc: rate * at, NumGC: cycles,
						HeapAlloc: c.live + rate*(at-cycles*c.every), NextGC: 2 * c.live},
					LastGC: (1000 + cycles*c.every + c.skew) * 1e9,
				}
				s := vitals.NewSample(began.Add(time.Duration(at * float64(time.Second))))
				r.apply(&m, &s, time.Time{})
				v, ok := s.Get(vitals.HeapLive)
				if !ok {
					continue
				}
				said++
				if v < c.live*(1-c.within) || v > c.live*(1+c.within) {
					t.Errorf("at %g s heap_live is %g, want %g", at, v, c.live)
				}
			}
			if wanted := int(59/max(c.every, 2)) - 1; said < wanted {
				t.Errorf("heap_live was said %d times, want %d", said, wanted)
			}
		})
	}
}

// A heap that grows in a line is seen as a line, however far off the reading of HeapAlloc is: where the goal follows
// the live heap, where it does not, and where this changes.
func TestLiveFollowsTheGoal(t *testing.T) {
	const mb, rate, kept = 1e6, 20e6, 1e6 // bytes allocated and kept a second
	goalAt := func(gogc float64) func(float64, float64) float64 {
		return func(_, live float64) float64 { return live*(1+gogc/100) + 0.3*mb }
	}
	for _, c := range []struct {
		name  string
		goal  func(at, live float64) float64
		noise float64 // of one reading, bytes
		off   float64 // share of the live heap that it may be off by
		line  float64 // how far a cycle may be off the line between its neighbours, bytes
	}{
		{"GOGC=100", goalAt(100), 1 * mb, 0.02, 0.1 * mb},
		{"GOGC=400", goalAt(400), 1 * mb, 0.02, 0.1 * mb},
		{"GOMEMLIMIT is near", func(_, live float64) float64 { return max(min(2*live, 400*mb), live+mb) }, 0.5 * mb,
			0.04, 6 * mb},
		{"GOGC changes from 100 to 50", func(at, live float64) float64 {
			if at < 120 {
				return 2 * live
			}
			return 1.5 * live
		}, 0.5 * mb, 0.28, 30 * mb}, // for the cycle or two that it takes to learn the change
		{"GOGC is tuned each cycle", func(_, live float64) float64 { return max(300*mb, 1.2*live) }, 0.5 * mb, 0.02,
			2.5 * mb},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			var r memReader
			base := 60 * mb
			live := func(at float64) float64 { return base + kept*at }
			ended, cycles, goal := 0.0, 1.0, c.goal(0, base)
			var said [][2]float64 // end of cycle, heap_live
			for at := 0.5; at < 240; at++ {
				for room := goal - live(ended); (at-ended)*rate > room; room = goal - live(ended) {
					ended += max(room, mb) / rate
					cycles, goal = cycles+1, c.goal(ended, live(ended))
				}
				m := MemStats{LastGC: (1000 + ended) * 1e9, accounts: accounts{TotalAlloc: rate * at, NumGC: cycles,
					NextGC: goal, HeapAlloc: live(ended) + rate*(at-ended) + c.noise*random.Float64()}}
				s := vitals.NewSample(time.Unix(1000, 0).Add(time.Duration(at * float64(time.Second))))
				r.apply(&m, &s, time.Time{})
				if v, ok := s.Get(vitals.HeapLive); ok {
					said = append(said, [2]float64{ended, v})
					if want := live(ended); math.Abs(v-want) > c.off*want {
						t.Errorf("after %g s heap_live is %.1f MB, want %.1f", at, v/mb, want/mb)
					}
				}
			}
			if len(said) < 8 {
				t.Fatalf("heap_live was said %d times", len(said))
			}
			for i := factorsWanted + 1; i < len(said)-1; i++ { // the factor is known
				a, b, z := said[i-1], said[i], said[i+1]
				between := a[1] + (z[1]-a[1])*(b[0]-a[0])/(z[0]-a[0])
				if math.Abs(b[1]-between) > c.line {
					t.Errorf("at %.1f s heap_live is %.2f MB, %.2f off the line", b[0], b[1]/mb, (b[1]-between)/mb)
				}
			}
		})
	}
}

// The heap of a service that keeps what it receives rises in a line, and is seen as a line.
func TestLiveOfRecordedService(t *testing.T) {
	data := checkout.File(t, "forms/heaplive/memstats-orders.txt")
	var r memReader
	var times, values []float64
	for line := range strings.Lines(string(data)) {
		var at, seconds float64
		var m MemStats
		if _, err := fmt.Sscan(line, &at, &m.TotalAlloc, &m.HeapAlloc, &m.NextGC, &m.LastGC, &m.NumGC,
			&m.StackInuse); err != nil {
			continue // a comment
		}
		seconds, fraction := math.Modf(at)
		s := vitals.NewSample(time.Unix(int64(seconds), int64(fraction*1e9)))
		r.apply(&m, &s, time.Time{})
		if v, ok := s.Get(vitals.HeapLive); ok {
			times, values = append(times, m.LastGC/1e9), append(values, v)
		}
	}
	if len(values) < 8 {
		t.Fatalf("heap_live was said %d times", len(values))
	}
	line := vitals.FitLine(times, values)
	for i, v := range values {
		if off := v - (line.Level - line.Slope*(times[len(times)-1]-times[i])); math.Abs(off) > 0.6*(1<<20) {
			t.Errorf("value %d, %.1f MiB, is %.2f MiB off the line", i, v/(1<<20), off/(1<<20))
		}
	}
}

// A rate is over the time between two readings, whatever came between.
func TestExpvarRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 100
		r := &expvarReader{url: mustParse(t, "http://h/"), party: room.NewParty(),
			vars: []expvarSignal{{path: "x_total", rate: true}}}
		r.client = &http.Client{Transport: roundTrip(func(req *http.Request) (*http.Response, error) {
			rec := httptest.NewRecorder()
			if n < 0 {
				rec.WriteHeader(http.StatusBadGateway)
			}
			_ = json.NewEncoder(rec).Encode(map[string]int{"x_total": n})
			return rec.Result(), nil
		})}
		for i, c := range []struct {
			after time.Duration
			n     int
			want  float64
			fails bool
		}{
			{0, 100, math.NaN(), false}, {2 * time.Second, 110, 5, false}, {time.Second, -1, math.NaN(), true},
			{3 * time.Second, 150, 10, false}, {time.Second, 150, 0, false}, {time.Second, 10, math.NaN(), false},
			{time.Second, 11, 1, false},
		} {
			time.Sleep(c.after)
			n = c.n
			values := []float64{math.NaN()}
			if err := r.read(t.Context(), values); (err != nil) != c.fails {
				t.Errorf("reading %d: %v", i, err)
			}
			if got := values[0]; got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("reading %d: %g a second, want %g", i, got, c.want)
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestExpvarRefuses(t *testing.T) {
	for _, c := range []struct {
		url   string
		names []string
		want  string
	}{
		{"ftp://ann:s3cret@h/", []string{"x"}, "scheme"},
		{"http://ann:s3cret@h:port", []string{"x"}, "not a URL"},
		{"h:1", nil, "no variable name"},
		{"h:1", []string{"a.b", "a_b"}, "would both be the signal a_b"},
		{"h:1", []string{"..."}, "names no variable"},
	} {
		_, err := Expvar(c.url, c.names...)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s %q: error is %v, want %q in it", c.url, c.names, err, c.want)
		}
	}
	for in, want := range map[string]string{
		"h:1": "http://h:1/debug/vars", "http://h/debug/pprof/": "http://h/debug/vars",
		"http://h/svc/debug/vars": "http://h/svc/debug/vars",
		"https://h/svc":           "https://h/svc/debug/vars",
	} {
		if u, err := expvarURL(in); err != nil || u.String() != want {
			t.Errorf("%s is %s (%v), want %s", in, u, err, want)
		}
	}
}

func FuzzLookup(f *testing.F) {
	f.Add([]byte(`{"a": {"b.c": 1}}`), "a.b.c")
	f.Add([]byte(`{"a.b": {"c": null}}`), "a.b.c")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		var page map[string]json.RawMessage
		if json.Unmarshal(data, &page) != nil {
			return
		}
		if v, err := lookup(page, path); math.IsNaN(v) != (err != nil) {
			t.Errorf("%g, %v", v, err)
		}
	})
}

// TestHostileAnswer: reading an endless answer stops at the size that is kept. It uses a small multiple of that: 2.5
// times for a buffer that grows, and twice as much with the race detector.
func TestHostileAnswer(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := fetchWith(t.Context(), room.NewParty(), answer{casefile.Heap, maxProfile}, 0, time.Hour,
		func(_ context.Context, read func(io.Reader) error) error { return read(endlessReader{}) })
	runtime.ReadMemStats(&after)
	var large *tooLargeError
	took := after.TotalAlloc - before.TotalAlloc
	if !errors.As(err, &large) || took > 8*maxProfile {
		t.Errorf("%v took %d MiB, want that it is too large, and %d MiB at most", err, took>>20, 8*maxProfile>>20)
	}
	t.Logf("attack: an answer without end: %d MiB allocated", took>>20)
}

type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) { return len(b), nil }
