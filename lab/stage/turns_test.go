//go:build linux

package stage

import (
	"net/http"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/prove"
)

// garbage is how much a request of the mode "garbage" allocates.
const garbage = 1 << 20

// Turns tell two forms apart, each by what it does in its own turn.
func TestTurns(t *testing.T) {
	form := func(mode string) *Stage {
		s := start(t, mode, Config{Rate: 200, Request: func(addr string, _ uint64) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, "http://"+addr+"/work", nil)
		}})
		return s
	}
	sick, cured := form("garbage"), form("server")
	told := 0
	turns, err := Turns(t.Context(), sick, cured, 3, func(turn int, r prove.Round) {
		if turn != told {
			t.Errorf("turn %d, want %d; it measured %v", turn, told, r)
		}
		told++
	})
	blocks := turns.Blocks
	if err != nil || len(blocks) != 3 || told != 9 {
		t.Fatalf("%d blocks, %d turns, %v", len(blocks), told, err)
	}
	if len(turns.Before) < 3 || len(turns.After) == 0 {
		t.Errorf("%d and %d stretches of cycles, want some of the form that makes garbage and the forced one of "+
			"the other",
			len(turns.Before), len(turns.After))
	}
	sums := map[string]prove.Round{"A": {}, "A2": {}, "B": {}}
	for i, b := range blocks {
		for name, r := range map[string]prove.Round{"A": b.A, "A2": b.A2, "B": b.B} {
			for figure, v := range r {
				sums[name][figure] += v
			}
		}
		if b.Seconds < 3*TurnTime(sick.cfg.Round).Seconds() {
			t.Errorf("block %d took %v s", i, b.Seconds)
		}
	}
	for name, r := range sums { // on a busy machine a turn may pass without an answer, but not all three
		if r[prove.CPUPerRequest] == 0 || r[prove.P50] == 0 || r[prove.RSS] == 0 || r[prove.HeapObjects] == 0 {
			t.Errorf("%s: %v", name, r)
		}
	}
	// A request makes 1 MiB of garbage. That is a cycle for every 4 MiB with a small heap, and none for the other form.
	// At the 200 requests a second of the load, which a busy machine may not manage, these are some 60 collections a
	// second and next to none. Where cycles take long because the collector waits for a CPU, requests continue
	// meanwhile, and there are fewer collections: 0.09 were seen.
	each := func(r prove.Round) float64 { return r[prove.GCRate] / r[prove.Throughput] }
	if sick, cured := each(sums["A"]), each(sums["B"]); !(sick > 0.01 && sick < 0.75 && cured < sick/10) {
		t.Errorf("%.3g and %.3g collections a request, want some 0.3 and next to none", sick, cured)
	}
}

// A service that finds its work by itself cannot wait for its turn.
func TestTurnsOfAConsumer(t *testing.T) {
	a, b := start(t, "consumer", Config{}), start(t, "consumer", Config{})
	if _, err := Turns(t.Context(), a, b, 1, nil); err == nil {
		t.Error("a consumer was measured in turns")
	}
}

// The requests continue where they ended before a pause.
func TestPause(t *testing.T) {
	var asked []uint64
	s := start(t, "server", Config{Rate: 100, Request: func(addr string, i uint64) (*http.Request, error) {
		asked = append(asked, i)
		return http.NewRequest(http.MethodGet, "http://"+addr+"/work", nil)
	}})
	for range 2 {
		if _, err := s.windows(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Pause()
		s.Resume(t.Context())
	}
	s.Pause()
	for i, n := range asked {
		if n != uint64(i) {
			t.Fatalf("request %d was number %d", i, n)
		}
	}
	if len(asked) == 0 {
		t.Error("nothing was asked")
	}
}

// The load is scaled to what a request costs on this machine: as many requests a second as use half of a CPU.
func TestScale(t *testing.T) {
	s := start(t, "busy", Config{Rate: 60, Request: func(addr string, _ uint64) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, "http://"+addr+"/work", nil)
	}})
	usage, err := prove.NewSampler(s.PID())
	if err != nil {
		t.Fatal(err)
	}
	// A quarter to four times: what a request costs changes with what else the machine does. While the service gets
	// hardly any CPU, a stretch has few answers, and those of the stretch before count as much. Then the load is scaled
	// again.
	for began := time.Now(); ; {
		err := s.Scale(t.Context(), 0.5)
		sum, used, stretchErr := s.stretch(t.Context(), usage, func() {})
		if stretchErr != nil {
			t.Fatal(stretchErr)
		}
		cores := s.Rate() * used.CPUSeconds / float64(sum.OK)
		if err == nil && cores >= 0.125 && cores <= 2 {
			return
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("%.0f requests a second of %.1f ms: %.2f CPUs, want about 0.5; %v", s.Rate(),
				1e3*used.CPUSeconds/float64(sum.OK), cores, err)
		}
	}
}
