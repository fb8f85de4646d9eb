package rule

import (
	"math"
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
