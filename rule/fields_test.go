package rule

import (
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

// TestCaptures: a rule takes what it lists, in its order, and then what explains a trip; a mere schedule only what it
// lists.
func TestCaptures(t *testing.T) {
	above := Condition{Signal: "goroutines", Above: ptr(1.0)}
	hourly := Condition{Every: Duration(time.Hour)}
	for _, tt := range []struct {
		name string
		rule Rule
		want []string
	}{
		{"nothing listed", Rule{When: above}, DefaultCapture()},
		{"one", Rule{When: above, Capture: []string{casefile.Mutex}},
			[]string{casefile.Mutex, casefile.Goroutine, casefile.Heap, casefile.CPU}},
		{"its order", Rule{When: above, Capture: []string{casefile.CPU, casefile.Runtime, casefile.Goroutine}},
			[]string{casefile.CPU, casefile.Runtime, casefile.Goroutine, casefile.Heap}},
		{"a schedule", Rule{When: hourly, Capture: []string{casefile.Heap}}, []string{casefile.Heap}},
		{"a schedule on a condition", Rule{When: Condition{All: []Condition{hourly, above}},
			Capture: []string{casefile.Heap}}, []string{casefile.Heap, casefile.Goroutine, casefile.CPU}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.rule.Captures(); !slices.Equal(got, tt.want) {
				t.Errorf("captures %v, want %v", got, tt.want)
			}
			if listed := tt.rule.Lists(casefile.CPU); listed != (len(tt.rule.Capture) == 0 ||
				tt.rule.Capture[0] == casefile.CPU) {
				t.Errorf("Lists(cpu) is %v of %v", listed, tt.rule.Capture)
			}
		})
	}
	for _, r := range Default() {
		for _, kind := range explaining {
			if !slices.Contains(r.Captures(), kind) {
				t.Errorf("%s takes no %s", r.Name, kind)
			}
		}
	}
}

func queueCatalog(t *testing.T) *vitals.Catalog {
	t.Helper()
	c, err := vitals.NewCatalog(vitals.Signal{Name: "queue_age", Unit: vitals.Seconds},
		vitals.Signal{Name: "queue_max", Unit: vitals.Seconds})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNearNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"cpus", "near it: cpu"},
		{"goroutine", "near it: goroutines"},
		{"heap", "near it: off_heap, heap_live, heap_goal, heap_alloc, heap_objects"},
		{"queue_age_seconds", "near it: queue_age"},
		{"mem_limit", "memory_limit"},
		{"xyzzy", "known: cpu, cpu_share,"},
		{"", "known: cpu, cpu_share,"},
		{strings.Repeat("x", 10_000), "…"},
	} {
		if got := unknownSignal(c.name, queueCatalog(t)); !strings.Contains(got, c.want) || len(got) > 2000 {
			t.Errorf("%q, want %q in it", got, c.want)
		}
	}
}

// What a condition has besides the field of its kind.
var besides = []string{"signal", "of", "beyond", "over", "mean", "min", "max", "for"}

// TestEveryFieldIsOfAKind compares Condition, the list of kinds and docs/rules.md. A condition whose kind is not listed
// would be read as another one.
func TestEveryFieldIsOfAKind(t *testing.T) {
	checkout.Need(t)
	doc, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*kind)
	for _, k := range kinds {
		if byName[k.name] != nil {
			t.Errorf("%q is listed twice", k.name)
		}
		byName[k.name] = k
		if !strings.Contains(string(doc), "`"+k.name+"`") {
			t.Errorf("docs/rules.md does not mention `%s`", k.name)
		}
	}
	for _, name := range besides {
		byName[name] = nil
	}
	fields := fieldNames(reflect.TypeFor[Condition]())
	for _, name := range fields {
		if _, ok := byName[name]; !ok {
			t.Errorf("the field %q is of no kind", name)
		}
	}
	if len(fields) != len(byName) {
		t.Errorf("%d fields, %d kinds and what is next to them", len(fields), len(byName))
	}
}

// TestKindsAreWhole finds a kind that lacks a function which its class needs, before somebody's rule does.
func TestKindsAreWhole(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			need := map[string]bool{"set": k.set != nil}
			switch k.class {
			case groups:
				need["parts"], need["compose"], need["now"] = k.parts != nil, k.compose != nil, k.now != nil
				need["nearness"], need["why"] = k.nearness != nil, k.why != nil
			case alone:
				need["why"], need["report"] = k.why != nil, k.report != nil
				need["undated or unrecorded"] = k.undated != nil || k.unrecorded != ""
			case tests:
				need["saw"], need["keep"] = k.saw != nil, k.start == nil || k.keep != nil
			}
			if k.class != groups {
				need["validate"], need["words"], need["measure"] = k.validate != nil, k.words != nil, k.measure != nil
			}
			for name, has := range need {
				if !has {
					t.Errorf("has no %s", name)
				}
			}
		})
	}
}

// TestAtLeast compares with sums of the binomial distribution by hand.
func TestAtLeast(t *testing.T) {
	for _, tt := range []struct{ k, n, chance, want float64 }{
		{2, 3, 0.5, 0.5}, {3, 3, 0.5, 0.125}, {1, 4, 0.1, 1 - 0.9*0.9*0.9*0.9}, {0, 4, 0.1, 1}, {3, 9, 1, 1},
		{12, 12, 0.1, 1e-12},
	} {
		if got := atLeast(tt.k, tt.n, tt.chance); math.Abs(got-tt.want) > 1e-9*tt.want {
			t.Errorf("%v: %g", tt, got)
		}
	}
}

// TestLateAllocatesNothing: a rule on few requests is judged with each sample.
func TestLateAllocatesNothing(t *testing.T) {
	e, err := NewEngine([]Rule{{Name: "late", When: Condition{Signal: "http_latency_p50",
		Late: &Late{Times: 3, Least: Duration(100 * time.Millisecond)}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, i := vitals.NewHistory(2), 0
	var s vitals.Sample
	if n := testing.AllocsPerRun(100, func() {
		s = vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.HTTPRate, 5)
		s.Set(vitals.HTTPInFlight, 1)
		s.Set(vitals.HTTPLatencyP50, 0.01)
		s.Set(vitals.HTTPLatencyP99, 0.02)
		if fired := e.Step(&s, h); len(fired) > 0 {
			t.Errorf("it fired at second %d", i)
		}
		i++
	}); n > 0 {
		t.Errorf("%g allocations a sample", n)
	}
}

// TestMinuteSpikes: latencies that are high at the same seconds of each minute, as of keys that all end then, are told
// from those that are high at other times, and from load. Five must speak, and seven must not.
func TestMinuteSpikes(t *testing.T) {
	quiet := func(float64) float64 { return 0.006 }
	every := func(period, at, long, height float64) func(float64) float64 {
		return func(i float64) float64 {
			if p := math.Mod(i-at+period, period); p < long {
				return height
			}
			return 0.006
		}
	}
	chance := rand.New(rand.NewPCG(3, 4))
	var random [900]bool
	for i := range random {
		random[i] = chance.Float64() < 0.05
	}
	for _, c := range []struct {
		name string
		p99  func(i float64) float64
		rate float64
		want bool
	}{
		{"all keys end at second 0: 40 ms for ten seconds", every(60, 20, 10, 0.040), 2000, true},
		{"one second of each minute", every(60, 47, 1, 0.250), 500, true},
		{"a job of fifteen seconds", every(60, 5, 15, 0.060), 300, true},
		{"a second early, a second late", func(i float64) float64 {
			return every(60, 20+math.Mod(math.Floor((i+20)/60), 2), 5, 0.050)(i)
		}, 800, true},
		{"on top of slow answers", func(i float64) float64 { return 0.050 + every(60, 30, 8, 0.600)(i) }, 200, true},

		{"no spikes", quiet, 2000, false},
		{"now and then", func(i float64) float64 {
			if random[int(i)] {
				return 0.080
			}
			return 0.006
		}, 2000, false},
		{"every fifteen seconds", every(15, 3, 1, 0.050), 2000, false},
		{"once, and from then on", func(i float64) float64 {
			if i > 300 {
				return 0.080
			}
			return 0.006
		}, 2000, false},
		{"too small to be felt", every(60, 20, 10, 0.015), 2000, false},
		{"hardly any requests", every(60, 20, 10, 0.040), 3, false},
		{"requests come then", every(60, 20, 10, 0.040), -500, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := NewEngine([]Rule{latencySpikes()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			history, noise := vitals.NewHistory(601), rand.New(rand.NewPCG(1, 2))
			spoke := false
			for i := range len(random) {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				rate := c.rate
				if rate < 0 { // in the spikes four times as many
					rate = every(60, 20, 10, 4)(float64(i))*-c.rate + 100
				}
				s.Set(vitals.HTTPRate, rate*(0.9+0.2*noise.Float64()))
				s.Set(vitals.HTTPLatencyP99, c.p99(float64(i))*math.Exp(0.2*noise.NormFloat64()))
				spoke = len(e.Step(&s, history)) > 0 || spoke
				history.Add(s)
			}
			if spoke != c.want {
				t.Errorf("it tripped: %v, want %v", spoke, c.want)
			}
		})
	}
}

// noAnswers runs the built-in rule over the values of unanswered, one a second, NaN where it is absent, and counts.
func noAnswers(t *testing.T, values []float64) (fired int) {
	t.Helper()
	e, err := NewEngine([]Rule{noAnswer()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(600)
	for i, v := range values {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Unanswered, v)
		fired += len(e.Step(&s, h))
		h.Add(s)
	}
	return fired
}

func TestNoAnswer(t *testing.T) {
	silent := func(seconds ...float64) []float64 { return append(make([]float64, 30), seconds...) }
	for _, c := range []struct {
		name   string
		values []float64
		want   int
	}{
		{"a process that answers", silent(0, 0, 0), 0},
		{"two ticks that ran out of time", silent(6, 0, 0, 6, 0), 0},
		{"a stall of ten seconds", silent(6, 0), 0},
		{"a process that hangs", silent(6, 11, 16, 21, 26), 1},
		{"one that hangs again after it had come back", silent(6, 11, 16, 0, 6, 11), 1}, // within the cool-down
	} {
		if got := noAnswers(t, c.values); got != c.want {
			t.Errorf("%s: %d cases, want %d", c.name, got, c.want)
		}
	}
}
