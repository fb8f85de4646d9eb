package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// quantities are the numbers that Go and JavaScript must write alike; "_" stands for the no-break space.
var quantities = []struct {
	v    float64
	unit vitals.Unit
	want string
}{
	{0, vitals.Bytes, "0_B"}, {1, vitals.Bytes, "1_B"}, {1536, vitals.Bytes, "1.5_KiB"},
	{1023.9 * 1024, vitals.Bytes, "1_MiB"},
	{5 << 30, vitals.Bytes, "5_GiB"}, {1.5 * (1 << 50), vitals.Bytes, "1,536_TiB"},
	{84.2e6, vitals.BytesPerSecond, "80.3_MiB/s"},
	{0, vitals.Seconds, "0_s"}, {3e-10, vitals.Seconds, "0.3_ns"}, {299e-6, vitals.Seconds, "299_µs"},
	{0.0432, vitals.Seconds, "43.2_ms"},
	{0.99999, vitals.Seconds, "1_s"}, {421, vitals.Seconds, "421_s"}, {12345.6, vitals.Seconds, "3.43_h"},
	{0, vitals.Count, "0"}, {757, vitals.Count, "757"}, {9999, vitals.Count, "9,999"}, {9999.6, vitals.Count, "10_k"},
	{10000, vitals.Count, "10_k"},
	{12345, vitals.Count, "12.3_k"}, {35.1e6, vitals.Count, "35.1_M"}, {999999, vitals.Count, "1_M"},
	{0.07, vitals.PerSecond, "0.07/s"},
	{0, vitals.Share, "0_%"}, {0.29, vitals.Share, "29_%"}, {0.3111, vitals.Share, "31.1_%"},
	{0.00001, vitals.Share, "0.001_%"}, {1, vitals.Share, "100_%"},
	{1.5999, vitals.Cores, "1.6_cores"}, {2, vitals.Cores, "2_cores"}, {-2, vitals.Cores, "−2_cores"},
	{3, "apples", "3_apples"}, {math.NaN(), vitals.Bytes, "–"}, {math.Inf(1), vitals.Share, "∞_%"},
}

func spaced(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r == '_' {
			out[i] = '\u00a0'
		}
	}
	return string(out)
}

func TestQuantity(t *testing.T) {
	for _, tt := range quantities {
		if got := quantity(tt.v, tt.unit); got != spaced(tt.want) {
			t.Errorf("quantity(%v, %q) = %q, want %q", tt.v, tt.unit, got, spaced(tt.want))
		}
	}
}

func TestOffset(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0:00", 400 * time.Millisecond: "0:00", -90 * time.Second: "−1:30", 5 * time.Second: "+0:05",
		3671 * time.Second: "+1:01:11",
	} {
		if got := offset(d); got != want {
			t.Errorf("offset(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestSplitSymbol(t *testing.T) {
	for name, want := range map[string]symbol{
		"github.com/bluele/gcache.(*LRUCache).set": {"github.com/bluele/", "gcache.(*LRUCache).set"},
		"main.main":                        {"", "main.main"},
		"a/b.F[go.shape/c.D]":              {"a/", "b.F[go.shape/c.D]"},
		"a/b.(*T[github.com/x/y.Z]).M":     {"a/", "b.(*T[github.com/x/y.Z]).M"},
		"":                                 {},
		"gopkg.in/yaml%2ev3.(*Decoder).do": {"gopkg.in/", "yaml.v3.(*Decoder).do"},
	} {
		if got := splitSymbol(name); got != want {
			t.Errorf("splitSymbol(%q) = %+v, want %+v", name, got, want)
		}
	}
}

func TestShortFile(t *testing.T) {
	for file, want := range map[string]string{
		"/root/go/pkg/mod/github.com/bluele/gcache@v0.0.2/lru.go": "github.com/bluele/gcache@v0.0.2/lru.go",
		"/usr/local/go/src/runtime/mgc.go":                        "runtime/mgc.go",
		"/home/me/work/service/internal/api/handler.go":           "…/internal/api/handler.go",
		"main.go": "main.go",
	} {
		if got := shortFile(file); got != want {
			t.Errorf("shortFile(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestProse(t *testing.T) {
	got := prose("set `GOGC=300` or ` not")
	want := []textPart{{Text: "set "}, {Text: "GOGC=300", Code: true}, {Text: " or ` not"}}
	if !slices.Equal(got, want) {
		t.Errorf("prose = %+v, want %+v", got, want)
	}
}

func TestFigureRows(t *testing.T) {
	stat := func(v, low, high float64) casefile.Stat { return casefile.Stat{Value: v, Low: low, High: high, N: 6} }
	tests := []struct {
		name          string
		before, after casefile.Stat
		change        string
		bars          [2]float64
		interval      string
	}{
		{"less", stat(4, 3, 5), stat(1, 1, 1), "−75_%", [2]float64{80, 20}, "3 to 5"},
		{"more", stat(4, 4, 4), stat(5, 5, 5), "+25_%", [2]float64{80, 100}, ""},
		{"much more", stat(1, 1, 1), stat(12.5, 12.5, 12.5), "×12.5", [2]float64{8, 100}, ""},
		{"equal", stat(2, 2, 2), stat(2, 2, 2), "0_%", [2]float64{100, 100}, ""},
		{"from nothing", stat(0, 0, 0), stat(2, 2, 2), "from_0", [2]float64{0, 100}, ""},
		{"absent", casefile.Stat{}, stat(2, 2, 2), "–", [2]float64{0, 100}, ""},
		{"not a number", stat(math.NaN(), 0, math.Inf(1)), stat(2, 2, 2), "–", [2]float64{0, 100}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := figureRows(&casefile.Proof{Figures: []casefile.Figure{{Unit: "count", Before: tt.before,
				After: tt.after}}})[0]
			if row.Change.Text != spaced(tt.change) {
				t.Errorf("change %q, want %q", row.Change.Text, spaced(tt.change))
			}
			if got := [2]float64{row.Sides[0].Bar, row.Sides[1].Bar}; got != tt.bars {
				t.Errorf("bars %v, want %v", got, tt.bars)
			}
			if row.Sides[0].Interval != tt.interval {
				t.Errorf("interval %q, want %q", row.Sides[0].Interval, tt.interval)
			}
		})
	}
}

// A proof in pairs shows the change with its interval and its noise floor, and where it is.
func TestProofOfPairs(t *testing.T) {
	in := Input{}
	in.Case.Proof = &casefile.Proof{
		Figures: []casefile.Figure{{Name: "cpu_per_request", Unit: "seconds", Before: casefile.Stat{Value: 2e-4, N: 8},
			After:  casefile.Stat{Value: 1.6e-4, N: 8},
			Effect: &casefile.Effect{Value: -0.25, Low: -0.28, High: -0.21, Noise: 0.012}}},
		Moved: []casefile.Moved{{Function: "example.com/shop/cart.Sum", File: "/src/cart.go", Line: 12, Before: 5e-5,
			After: 1e-5}},
	}
	page := text(render(t, in))
	for _, want := range []string{"−25 % −28 to −21 % noise ± 1.2 %", "Where CPU per request changed", "cart.Sum",
		"cart.go:12", "50 µs 10 µs"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestKeyFiguresFirst(t *testing.T) {
	rows := figureRows(&casefile.Proof{Figures: []casefile.Figure{{Name: "a"}, {Name: "b", Key: true}, {Name: "c"}}})
	if got := rows[0].Name + rows[1].Name + rows[2].Name; got != "bac" {
		t.Errorf("order %s, want bac", got)
	}
}

func TestThinnedKeepsSpikes(t *testing.T) {
	samples := make([]vitals.Sample, 10_000)
	for i := range samples {
		samples[i] = vitals.NewSample(tripped.Add(time.Duration(i) * 100 * time.Millisecond))
		samples[i].Set(vitals.CPU, 1)
		samples[i].Set(vitals.RSS, 5)
	}
	samples[4321].Set(vitals.CPU, 9)
	samples[7777].Set(vitals.RSS, 1)
	out, per := downsampled(samples)
	if len(out) > maxPoints || per < 2 {
		t.Fatalf("%d points of %d samples each, want at most %d points", len(out), per, maxPoints)
	}
	high, low := 0.0, 5.0
	for i := range out {
		high, low = max(high, out[i].Values[vitals.CPU]), min(low, out[i].Values[vitals.RSS])
		if _, ok := out[i].Get(vitals.Goroutines); ok {
			t.Fatal("thinning made up a signal that is absent")
		}
		if i > 0 && !out[i].Time.After(out[i-1].Time) {
			t.Fatalf("point %d is not after the one before", i)
		}
	}
	if high != 9 || low != 1 {
		t.Errorf("the spike became %v and the dip %v, want 9 and 1", high, low)
	}
}

func TestSpans(t *testing.T) {
	at := func(s float64) time.Time { return tripped.Add(time.Duration(s * float64(time.Second))) }
	got := spans([]casefile.Evidence{
		{Kind: casefile.Vitals, Taken: at(-60), Seconds: 60},
		{Kind: casefile.Heap, Taken: at(12)},
		{Kind: casefile.CPU, Taken: at(1), Seconds: 10},
		{Kind: casefile.Goroutine, Taken: at(12.4)},
		{Kind: casefile.Heap},
	}, tripped)
	want := []span{{1, 11, "cpu", false}, {12, 12, "heap, goroutine", false}}
	if !slices.Equal(got, want) {
		t.Errorf("spans %+v, want %+v", got, want)
	}
}

// A proof stands beneath the finding that it is about, also where it does not name one. Of one that is gone the page says
// what it was.
func TestProofBeneathFinding(t *testing.T) {
	gain := func(resource string, high float64) casefile.Finding {
		return casefile.Finding{ID: "X" + resource, Impact: casefile.Impact{Resource: resource, Gain: casefile.Gain{High: high}}}
	}
	figure := casefile.Figure{Name: "rss", Before: casefile.Stat{Value: 9, N: 3}, After: casefile.Stat{Value: 3, N: 3}}
	for _, tt := range []struct {
		name     string
		about    *casefile.Treated
		findings []casefile.Finding
		want     int
	}{
		{"no findings", nil, nil, -1},
		{"a promise that is measured", nil, []casefile.Finding{gain("latency", 0.2), gain("cpu", 0), gain("memory", 0.1)}, 2},
		{"named", &casefile.Treated{ID: "Xcpu"}, []casefile.Finding{gain("memory", 0.1), gain("cpu", 0)}, 1},
		{"gone", &casefile.Treated{ID: "GONE001", Function: "main.gone"}, []casefile.Finding{gain("memory", 0.1)}, -1},
	} {
		in := Input{}
		in.Case.Findings = tt.findings
		in.Case.Proof = &casefile.Proof{Verdict: casefile.Better, Summary: "it fell by two thirds",
			Finding: tt.about, Figures: []casefile.Figure{figure}}
		page := render(t, in)
		if gone := tt.about != nil && tt.want < 0; strings.Contains(page, "GONE001") != gone {
			t.Errorf("%s: the page says which finding it was about: %t", tt.name, !gone)
		}
		if n := strings.Count(page, "it fell by two thirds"); n != 1 {
			t.Errorf("%s: the proof is there %d times", tt.name, n)
		}
		at := strings.Index(page, "it fell by two thirds")
		from := strings.Index(page, fmt.Sprintf(`id="finding-%d" open`, tt.want))
		if tt.want >= 0 && (from < 0 || at < from || strings.Contains(page[from:at], "</details>")) {
			t.Errorf("%s: the proof is not in the fold of its finding", tt.name)
		}
		if linked := strings.Contains(page, `<a href="#proof">beneath the finding`); linked != (tt.want >= 0) ||
			strings.Count(page, ` id="proof"`) != 1 {
			t.Errorf("%s: the end leads to it: %t", tt.name, linked)
		}
	}
}
