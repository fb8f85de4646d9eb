package vitals_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gocasebook/casebook/vitals"
)

// What the package does not export, and promises by its files or limits.
const (
	maxLine = 1 << 16
	maxText = 200
)

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// series makes a history of one signal, one sample a second; NaN: absent.
func series(size int, values ...float64) *vitals.History {
	h := vitals.NewHistory(size)
	for i, v := range values {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Goroutines, v)
		h.Add(s)
	}
	return h
}

func TestSignalsAreComplete(t *testing.T) {
	seen := make(map[string]bool)
	for id := range vitals.ID(vitals.NumSignals) {
		s := id.Signal()
		if s.Name == "" || s.Unit == "" || s.Text == "" {
			t.Errorf("signal %d is incomplete: %+v", id, s)
		}
		if seen[s.Name] {
			t.Errorf("two signals are named %q", s.Name)
		}
		seen[s.Name] = true
		if got, ok := vitals.Lookup(s.Name); !ok || got != id {
			t.Errorf("Lookup(%q) = %d, %v; want %d", s.Name, got, ok, id)
		}
	}
}

func TestSampleAbsent(t *testing.T) {
	s := vitals.NewSample(start)
	s.Set(vitals.CPU, math.Inf(1))
	if _, ok := s.Get(vitals.CPU); ok {
		t.Error("an infinity is present; want absent")
	}
	s.Set(vitals.CPU, 0)
	if v, ok := s.Get(vitals.CPU); !ok || v != 0 {
		t.Errorf("Get = %g, %v; a zero is present", v, ok)
	}
}

func TestHistoryRing(t *testing.T) {
	h := series(3, 1, 2, 3, 4, 5)
	if h.Len() != 3 {
		t.Fatalf("Len = %d, want 3", h.Len())
	}
	for i, want := range []float64{3, 4, 5} {
		if got, _ := h.Get(i, vitals.Goroutines); got != want {
			t.Errorf("Get(%d) = %g, want %g", i, got, want)
		}
	}
	if got := h.Samples(); len(got) != 3 || !got[0].Time.Before(got[2].Time) {
		t.Errorf("Samples are not the three, oldest first: %v", got)
	}
}

// TestHistoryLateSignal: a signal may come after the ring has turned, and is absent before that.
func TestHistoryLateSignal(t *testing.T) {
	h := series(3, 1, 2, 3, 4)
	if _, ok := h.Get(2, vitals.Threads); ok {
		t.Error("a signal that no sample had is present")
	}
	s := vitals.NewSample(h.Time(2).Add(time.Second))
	s.Set(vitals.Threads, 7)
	h.Add(s)
	for i, want := range []float64{3, 4, math.NaN()} {
		if v, ok := h.Get(i, vitals.Goroutines); ok == math.IsNaN(want) || ok && v != want {
			t.Errorf("goroutines of sample %d are %g, %v; want %g", i, v, ok, want)
		}
		if v, ok := h.Get(i, vitals.Threads); ok != (i == 2) || ok && v != 7 {
			t.Errorf("threads of sample %d are %g, %v; want 7 in the last alone", i, v, ok)
		}
		if a, b := h.Samples()[i].Values[vitals.Threads], h.Samples()[i].Values[vitals.Goroutines]; (a == 7) != (i == 2) ||
			math.IsNaN(b) != (i == 2) {
			t.Errorf("sample %d has %g threads and %g goroutines", i, a, b)
		}
	}
	if mean, n := h.Mean(vitals.Threads, time.Time{}); mean != 7 || n != 1 {
		t.Errorf("Mean = %g of %d, want 7 of 1", mean, n)
	}
}

func TestHistoryStatistics(t *testing.T) {
	nan := math.NaN()
	h := series(10, 100, 1, nan, 3, 8)
	since := start.Add(time.Second) // without the 100
	if mean, n := h.Mean(vitals.Goroutines, since); mean != 4 || n != 3 {
		t.Errorf("Mean = %g of %d, want 4 of 3", mean, n)
	}
	if _, n := h.Mean(vitals.CPU, since); n != 0 {
		t.Errorf("Mean of an absent signal counts %d samples", n)
	}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 0.99: 8, 1: 8} {
		if got := h.Quantile(vitals.Goroutines, q, since); got != want {
			t.Errorf("Quantile(%g) = %g, want %g", q, got, want)
		}
	}
	if got := h.Quantile(vitals.CPU, 0.5, since); !math.IsNaN(got) {
		t.Errorf("Quantile of nothing = %g, want NaN", got)
	}
}

func TestMeanAllocatesNothing(t *testing.T) {
	h := series(100, 1, 2, 3)
	if n := testing.AllocsPerRun(100, func() { h.Mean(vitals.Goroutines, start) }); n != 0 {
		t.Errorf("Mean allocates %g times", n)
	}
}

func TestJSONLRoundTrip(t *testing.T) {
	in := series(4, 7, math.NaN(), 9).Samples()
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, in, nil, map[string]string{"throttled": "no quota"}); err != nil {
		t.Fatal(err)
	}
	h, out, err := vitals.ReadJSONL(&b)
	if err != nil {
		t.Fatal(err)
	}
	if h.Schema != 1 || h.Absent["throttled"] != "no quota" || h.Units["cpu"] != vitals.Cores {
		t.Errorf("header is %+v", h)
	}
	if len(out) != len(in) {
		t.Fatalf("%d samples came back of %d", len(out), len(in))
	}
	for i := range in {
		a, aok := in[i].Get(vitals.Goroutines)
		b, bok := out[i].Get(vitals.Goroutines)
		if aok != bok || aok && a != b || !in[i].Time.Equal(out[i].Time) {
			t.Errorf("sample %d: %v %v came back as %v %v", i, in[i].Time, a, out[i].Time, b)
		}
	}
}

func FuzzReadJSONL(f *testing.F) {
	f.Add([]byte(`{"schema":1}` + "\n" + `{"t":"2026-11-21T13:00:00Z","cpu":1e308}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, samples, err := vitals.ReadJSONL(bytes.NewReader(data))
		if err == nil && len(samples) > 0 {
			if err := vitals.WriteJSONL(&bytes.Buffer{}, samples, h.Catalog, nil); err != nil {
				t.Errorf("what was read cannot be written: %v", err)
			}
		}
	})
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		unit vitals.Unit
		v    float64
		want string
	}{
		{vitals.Share, 0.3123, "31.2 %"}, {vitals.Share, 1, "100 %"}, {vitals.Share, 0, "0 %"},
		{vitals.Share, 0.0004, "0.04 %"},
		{vitals.Bytes, 1023, "1,023 B"}, {vitals.Bytes, 1536, "1.5 KiB"}, {vitals.Bytes, 1 << 31, "2 GiB"},
		{vitals.BytesPerSecond, 3 << 20, "3 MiB/s"},
		{vitals.Seconds, 0.0021, "2.1 ms"}, {vitals.Seconds, 90, "90 s"}, {vitals.Seconds, 1.5, "1.5 s"},
		{vitals.Seconds, 2e-6, "2 µs"},
		{vitals.Cores, 1.234, "1.23 cores"}, {vitals.Count, 57, "57"}, {vitals.Count, 31_200_000, "31.2 M"},
		{vitals.Count, 12_345, "12.3 k"},
		{vitals.PerSecond, 0.25, "0.25/s"}, {vitals.Count, math.NaN(), "–"}, {vitals.BytesPerSecond, math.NaN(), "–"},
		{"apples", 3,
			"3 apples"},
	} {
		if got := c.unit.Format(c.v); got != c.want {
			t.Errorf("%s.Format(%g) = %q, want %q", c.unit, c.v, got, c.want)
		}
	}
}

// Samples take many times the bytes of their lines: what they may take bounds how many are read.
func TestReadJSONLUpTo(t *testing.T) {
	text := `{"schema":1,"units":{"goroutines":"count"}}` + "\n" + strings.Repeat(`{"t":"2026-11-21T13:25:12Z"}`+"\n",
		1000)
	for most, want := range map[int]int{0: 0, 10 * vitals.SampleBytes: 10, 1000 * vitals.SampleBytes: 1000} {
		_, samples, err := vitals.ReadJSONLUpTo(strings.NewReader(text), int64(most))
		if len(samples) != want || (err == nil) != (want == 1000) {
			t.Errorf("up to %d bytes: %d samples, %v; want %d", most, len(samples), err, want)
		}
	}
	if got := int(unsafe.Sizeof(vitals.Sample{})); got != vitals.SampleBytes {
		t.Errorf("a sample has %d bytes, and SampleBytes is %d", got, vitals.SampleBytes)
	}
}

// BenchmarkAdd is what a sample costs with 45 signals: a third of them constant, a third whole numbers, a third rates.
func BenchmarkAdd(b *testing.B) {
	for name, h := range map[string]*vitals.History{"packed=no": vitals.NewHistory(601),
		"packed=yes": vitals.NewPackedHistory(601)} {
		b.Run(name, func(b *testing.B) { benchmarkAdd(b, h) })
	}
}

func benchmarkAdd(b *testing.B, h *vitals.History) {
	b.ReportAllocs()
	r := rand.New(rand.NewPCG(1, 2))
	s := vitals.NewSample(start)
	for id := range vitals.ID(45) {
		s.Set(id, 1)
	}
	for b.Loop() {
		s.Time = s.Time.Add(time.Second)
		for id := vitals.ID(0); id < 30; id += 2 {
			s.Values[id], s.Values[id+1] = float64(r.IntN(5000)), r.Float64()
		}
		h.Add(s)
	}
}

func BenchmarkMean(b *testing.B) {
	h := vitals.NewHistory(600)
	for i := range 900 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Goroutines, float64(i))
		h.Add(s)
	}
	for _, n := range []int{60, 300} {
		b.Run(fmt.Sprintf("samples=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			since := start.Add(time.Duration(900-n) * time.Second)
			for b.Loop() {
				h.Mean(vitals.Goroutines, since)
			}
		})
	}
}

func TestReadJSONLBad(t *testing.T) {
	const header = `{"schema":1}` + "\n"
	for name, c := range map[string]struct {
		in, want string
		samples  int
	}{
		"no header":   {`{"t":"2026-11-21T13:00:00Z"}`, "line 1 is not a vitals header", 0},
		"bad json":    {header + `{"t":"2026-11-21T13:00:00Z","cpu":1}` + "\n{", "line 3", 1},
		"no time":     {header + `{"cpu":1}`, "line 2", 0},
		"endless":     {header + strings.Repeat("x", maxLine+1), "too long", 0},
		"later names": {header + `{"t":"2026-11-21T13:00:00Z","from_the_future":1}`, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, samples, err := vitals.ReadJSONL(strings.NewReader(c.in))
			if len(samples) != c.samples {
				t.Errorf("%d samples, want %d", len(samples), c.samples)
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}
