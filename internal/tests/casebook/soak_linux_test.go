package casebook_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A watch of ten targets uses no more after hours than it used after minutes: memory within flat, goroutines and
// descriptors within one connection. TestSoak watches real processes for as long as CASEBOOK_SOAK says ("1h"),
// TestSoakOfADay a simulated day; `make soak`.

// soaked is the number of targets, flat is how much memory may grow from the middle third of a soak to the last, steady
// how much goroutines and descriptors may: one. If each case leaked one, that would add 170 in a third of an hour.
//
// Kept connections are counted by themselves, for how many are open depends on how busy the machine is: a question that
// comes late runs beside the next. Of a target there are connections at most: net/http keeps four for the next request
// (instance's MaxIdleConnsPerHost), and two may be in use.
const (
	soaked      = 10
	flat        = 0.05
	steady      = 0.01
	connections = 6
)

// A reading is what the process uses while no case is being taken.
type reading struct {
	heap, rss   float64 // bytes, after collections; the RSS after free memory went back to the system
	goroutines  int     // but for those of connections
	descriptors int     // but for connections
	connections int
}

func read(t *testing.T) (r reading) {
	t.Helper()
	var m runtime.MemStats
	debug.FreeOSMemory() // runs a collection first
	runtime.GC()
	runtime.ReadMemStats(&m)
	r.heap, r.goroutines = float64(m.HeapAlloc), runtime.NumGoroutine()
	statm, err := os.ReadFile("/proc/self/statm") // pages: size, resident …
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	r.rss = float64(pages * os.Getpagesize())
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	r.connections = kept()
	r.goroutines -= 2 * r.connections
	r.descriptors = len(open) - r.connections
	return r
}

// kept is the number of net/http's connections. Each has two goroutines, one of which writes.
func kept() int {
	stacks := make([]byte, 4<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("\nnet/http.(*persistConn).writeLoop("))
}

// judge compares the middle third of the readings with the last one. In the first third, histories, caches and pools
// still fill.
func judge(t *testing.T, what string, all []reading) {
	t.Helper()
	third := len(all) / 3
	if third < 3 {
		t.Fatalf("%d readings are too few: soak for longer", len(all))
	}
	middle, last := all[third:2*third], all[len(all)-third:]
	median := func(of []reading, get func(reading) float64) float64 {
		v := make([]float64, len(of))
		for i := range of {
			v[i] = get(of[i])
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	for _, figure := range []struct {
		name string
		get  func(reading) float64
		unit float64
		most float64 // the share by which they may differ
	}{
		{"MiB of heap", func(r reading) float64 { return r.heap }, 1 << 20, flat},
		{"MiB of RSS", func(r reading) float64 { return r.rss }, 1 << 20, flat},
		{"goroutines", func(r reading) float64 { return float64(r.goroutines) }, 1, steady},
		{"descriptors", func(r reading) float64 { return float64(r.descriptors) }, 1, steady},
	} {
		a, b := median(middle, figure.get), median(last, figure.get)
		change := b/a - 1
		t.Logf("attack: %s: %.1f %s in the middle third, %.1f in the last (%+.1f %%)", what, a/figure.unit,
			figure.name, b/figure.unit, 100*change)
		if change > figure.most {
			t.Errorf("%s: %s went from %.1f to %.1f, want within %.0f %%", what, figure.name, a/figure.unit,
				b/figure.unit, 100*figure.most)
		}
	}
}

// judgeConnections wants no more of them than ten targets have.
func judgeConnections(t *testing.T, what string, all []reading) {
	t.Helper()
	most := 0
	for _, r := range all {
		most = max(most, r.connections)
	}
	t.Logf("attack: %s: at most %d connections", what, most)
	if most > soaked*connections {
		t.Errorf("%s: %d connections were open, want %d at most", what, most, soaked*connections)
	}
}

// A crowd is several watches that run.
type crowd struct {
	watches []*casebook.Watch
	ended   sync.WaitGroup
	dir     string
}

// watchAll starts a watch of each target. All keep their cases in one folder.
func watchAll(ctx context.Context, t *testing.T, interval, history time.Duration, rules []rule.Rule,
	targets []casebook.Target) *crowd {
	t.Helper()
	c := &crowd{dir: t.TempDir()}
	for i, to := range targets {
		w, err := casebook.New(casebook.Config{
			Target: to, Service: fmt.Sprintf("service-%d", i), Dir: c.dir, Interval: interval, History: history,
			Rules:      rules,
			ProfileFor: time.Second, Retention: casefile.Retention{MaxCases: 20}, Draw: draw,
			Reporters: []reporter.Reporter{reporter.File(filepath.Join(c.dir, "told.jsonl"))},
			Budget:    casebook.Budget{CPU: -1, Bytes: -1, Pause: -1, Longest: -1}, OnEvent: func(casebook.Event) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		c.watches = append(c.watches, w)
		c.ended.Go(func() {
			if err := w.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	return c
}

func draw(_ context.Context, f *casefile.Folder) error {
	return f.AddFile("report.html", []byte("<html></html>"))
}

// soak takes a case of one target after another, with a pause between, and reads what the process uses before each.
func (c *crowd) soak(ctx context.Context, t *testing.T, what string, pause time.Duration, rounds int) {
	t.Helper()
	var all []reading
	for i := range rounds {
		time.Sleep(pause)
		all = append(all, read(t))
		if _, err := c.watches[i%len(c.watches)].Capture(ctx, "soak"); err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
	}
	var ticks, failed uint64
	for _, w := range c.watches {
		s := w.Status()
		ticks, failed = ticks+s.Ticks, failed+s.Failed
	}
	if ticks == 0 || failed > ticks/100 {
		t.Errorf("%d of %d samples failed: this was no watch", failed, ticks)
	}
	t.Logf("attack: %s: %d targets, %d samples, %d cases asked for", what, len(c.watches), ticks, rounds)
	judge(t, what, all)
	judgeConnections(t, what, all)
}

// TestSoak watches ten real processes every 100 ms. Rules that look back for more than a fifth of the time are left
// out: their histories would still be filling.
func TestSoak(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("CASEBOOK_SOAK"))
	if err != nil || d < time.Minute {
		t.Skip("CASEBOOK_SOAK=5m soaks for five minutes; the least is 1m")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var targets []casebook.Target
	for i := range soaked {
		addr, _ := victimtest.Start(t, victim, "-park", strconv.Itoa(10*i))
		targets = append(targets, httpTarget(t, "http://"+addr))
	}
	rules := slices.DeleteFunc(rule.Default(), func(r rule.Rule) bool { return rule.Lookback([]rule.Rule{r}) > d/5 })
	c := watchAll(ctx, t, 100*time.Millisecond, d/5, rules, targets)
	const pause = 5 * time.Second
	c.soak(ctx, t, fmt.Sprintf("%v of processes, every 100 ms, %d of %d rules", d, len(rules),
		len(rule.Default())), pause,
		int(d/(pause+2*time.Second)))
	cancel()
	c.ended.Wait()
}

// A dayTarget is a service through a day: its signals go up and down, and it returns a profile at once.
type dayTarget struct {
	rogue
	phase   float64
	profile []byte
}

func (d *dayTarget) Sample(_ context.Context, s *vitals.Sample) error {
	x := 1 + math.Sin(d.phase+float64(s.Time.UnixNano())/1e9*2*math.Pi/86400)
	for id, v := range map[vitals.ID]float64{
		vitals.Goroutines: math.Round(50 + 200*x), vitals.CPU: 0.1 + x/4, vitals.HeapAlloc: 1e8 * (1 + x),
		vitals.HeapLive: 8e7 * (1 + x),
		vitals.RSS:      3e8 * (1 + x), vitals.GCCPU: 0.01 * x, vitals.OpenFiles: math.Round(20 + 50*x),
		vitals.GoMaxProcs: 4, vitals.ProbeTime: 0.001,
	} {
		s.Set(id, v)
	}
	return nil
}

func (d *dayTarget) Capture(ctx context.Context, kind string, _ time.Duration) (instance.Profile, error) {
	return instance.Profile{Kind: kind, Taken: time.Now(), Data: d.profile}, ctx.Err()
}

// TestSoakOfADay plays 24 h of ten watches on a fake clock: a sample a second, all default rules, and a case every ten
// minutes.
func TestSoakOfADay(t *testing.T) {
	if os.Getenv("CASEBOOK_SOAK") == "" {
		t.Skip("CASEBOOK_SOAK=1m plays a day: a minute on 2 cores")
	}
	profile := checkout.File(t, "goroutine_leak/repaired/goroutine.pb.gz")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var targets []casebook.Target
		for i := range soaked {
			targets = append(targets, &dayTarget{phase: float64(i), profile: profile})
		}
		c := watchAll(ctx, t, time.Second, 0, rule.Default(), targets)
		const pause = 10 * time.Minute
		c.soak(ctx, t, "24 h on a fake clock, every second, all rules", pause, int(24*time.Hour/pause))
		cancel()
		c.ended.Wait()
	})
}
