package server

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
)

// largeProfile is a CPU profile of so many samples: stacks of a tree whose heavy branches are few, as those of a service
// are. It is packed as runtime/pprof does (gzip.BestSpeed): 95,000 samples are 5 MB.
func largeProfile(t testing.TB, samples int) []byte {
	t.Helper()
	const functions = 20_000
	r := rand.New(rand.NewPCG(1, 2))
	cpu := &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, cpu}, PeriodType: cpu,
		Period: 1e7, DurationNanos: 600e9}
	for i := range functions {
		f := &profile.Function{ID: uint64(i + 1), Filename: fmt.Sprintf("/src/pkg%d/file%d.go", i%300, i%40),
			Name: fmt.Sprintf("example.com/service/pkg%d.(*Type%d).Method%d", i%300, i%70, i)}
		p.Function = append(p.Function, f)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Address: r.Uint64(),
			Line: []profile.Line{{Function: f, Line: int64(1 + i%400)}}})
	}
	for range samples {
		stack := make([]*profile.Location, 10+r.IntN(50))
		at := uint64(1)
		for d := len(stack) - 1; d >= 0; d-- { // from the root to the leaf
			at = at*31 + uint64(r.ExpFloat64()*0.4)
			stack[d] = p.Location[at%functions]
		}
		n := 1 + r.Int64N(9)
		p.Sample = append(p.Sample, &profile.Sample{Location: stack, Value: []int64{n, n * 1e7},
			Label: map[string][]string{"request": {fmt.Sprintf("%x", r.Uint64())}}})
	}
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		err = p.WriteUncompressed(zw)
	}
	if err == nil {
		err = zw.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// processorTime is the CPU time of this process, which is the server: on a crowded machine it says more than a clock.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// A large profile is drawn, and the times are printed; the design asks for less than a second to the first paint for 5 MB
// (CASEBOOK_STACKS=95000). The second time it is drawn already.
func TestLargeProfilePage(t *testing.T) {
	s := newEvidenceSite(t)
	samples := 10_000
	if text := os.Getenv("CASEBOOK_STACKS"); text != "" {
		var err error
		if samples, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	data := largeProfile(t, samples)
	c := s.put(t, casefile.Case{Target: casefile.Target{Name: "large"}}, file{casefile.Evidence{Kind: casefile.CPU,
		File: "during/cpu.pb.gz", Phase: casefile.During, GoFormat: true, Seconds: 600}, data})
	b := browse(t)
	openPage(b, s.url+"/cases/"+c.ID, 1280, "light")
	address := s.url + "/cases/" + c.ID + "/profile?file=during/cpu.pb.gz"
	for _, state := range []string{"cold", "warm"} {
		before := processorTime(t)
		openPage(b, address, 1280, "light")
		spent := processorTime(t) - before
		times := browsertest.Eval[map[string]float64](b, `new Promise(f => {
			const n = performance.getEntriesByType('navigation')[0];
			const drawn = performance.getEntriesByName('flame').at(-1);
			new PerformanceObserver((list) => {
				const paint = list.getEntriesByName('first-contentful-paint')[0];
				if (paint) f({ answer: n.responseStart, received: n.responseEnd, paint: paint.startTime, bytes: n.decodedBodySize,
					flame: drawn.startTime + drawn.duration, drawing: drawn.duration })
			}).observe({ type: 'paint', buffered: true })
		})`)
		t.Logf("%s: a profile of %.1f MB, a page of %.1f: answered after %.0f ms, received after %.0f, first contentful "+
			"paint after %.0f, flame graph drawn after %.0f (the drawing itself %.1f); this process took %.2f s of CPU",
			state, float64(len(data))/1e6, times["bytes"]/1e6, times["answer"], times["received"], times["paint"],
			times["flame"], times["drawing"], spent.Seconds())
		if times["flame"] <= 0 {
			t.Error("no flame graph is drawn")
		}
	}
	b.Shoot("profile-large")
	quiet(b, s.url)
}
