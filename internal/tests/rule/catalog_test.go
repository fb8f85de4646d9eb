package rule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func queueCatalog(t *testing.T) *vitals.Catalog {
	t.Helper()
	c, err := vitals.NewCatalog(vitals.Signal{Name: "queue_age", Unit: vitals.Seconds},
		vitals.Signal{Name: "queue_max", Unit: vitals.Seconds})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const queueRules = `{"schema":1,"rules":[
  {"name":"old","warmup":"-1s","when":{"signal":"queue_age","above":2}},
  {"name":"full","warmup":"-1s","when":{"signal":"queue_age","above":0.5,"of":"queue_max"}},
  {"name":"soon","when":{"signal":"queue_age","trend":{"reach":"queue_max","within":"10m"}}}
]}`

// A signal of the service's own is judged, named and printed with its unit like a built-in one.
func TestExtraSignals(t *testing.T) {
	catalog := queueCatalog(t)
	rules, err := rule.Parse([]byte(queueRules), catalog)
	if err != nil {
		t.Fatal(err)
	}
	var samples []vitals.Sample
	for i, age := range []float64{1, 2.5} {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		id, _ := catalog.Lookup("queue_age")
		s.Set(id, age)
		id, _ = catalog.Lookup("queue_max")
		s.Set(id, 4)
		samples = append(samples, s)
	}
	out, err := rule.Replay(rules, samples, catalog, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"queue_age was 2.5 s, above 2 s",
		"queue_age was 2.5 s, above 50 % of queue_max (2 s)"} {
		f := out[i].Firings
		if len(f) != 1 || f[0].Text != want || f[0].Signal != (vitals.Signal{Name: "queue_age",
			Unit: vitals.Seconds}) || f[0].Value != 2.5 {
			t.Errorf("%+v, want one firing %q", f, want)
		}
	}
	if got, want := rules[0].When.Words(catalog), "queue_age above 2 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := rules[0].When.String(), "queue_age above 2"; got != want {
		t.Errorf("%q, want %q: without a catalog there is no unit", got, want)
	}
}

func TestExtraSignalsMustBeKnown(t *testing.T) {
	_, err := rule.Parse([]byte(queueRules), nil)
	if err == nil || strings.Count(err.Error(), "unknown signal") != 5 {
		t.Errorf("without a catalog: %v; want each use of an unknown signal", err)
	}
}

// When a limit is absent, or there is none, the verdict says so.
func TestOf(t *testing.T) {
	rules := []rule.Rule{{Name: "a", Warmup: -1, When: rule.Condition{Signal: "go_memory", Above: ptr(0.9),
		Of: "go_memory_limit"}}}
	for _, c := range []struct {
		name       string
		mem, limit float64
		absent     bool
		want       string
	}{
		{"above", 950, 1000, false, "go_memory was 950 B, above 90 % of go_memory_limit (900 B)"},
		{"not above", 900, 1000, false, "go_memory is 900 B; the limit is 900 B"},
		{"absent", 950, 0, true, "go_memory is 950 B, but go_memory_limit is absent: GOMEMLIMIT is not set"},
		{"none", 950, 0, false, "go_memory is 950 B; go_memory_limit is 0, so no multiple of it can be a limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := vitals.NewSample(start)
			s.Set(vitals.GoMemory, c.mem)
			if !c.absent {
				s.Set(vitals.GoMemoryLimit, c.limit)
			}
			out, err := rule.Replay(rules, []vitals.Sample{s}, nil,
				map[string]string{"go_memory_limit": "GOMEMLIMIT is not set"})
			if err != nil || out[0].Last != c.want || (len(out[0].Firings) > 0) != (c.name == "above") {
				t.Errorf("%v, %+v; want %q", err, out, c.want)
			}
		})
	}
}

// A part that was never true must not delay the end of one that was.
func TestAnyWithAnAbsentPartEnds(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "a", Warmup: -1, When: rule.Condition{Any: []rule.Condition{
		{Signal: "gc_cpu", Above: ptr(0.5)}, {Signal: "cpu", Above: ptr(1.0)},
	}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		gc   float64
		want bool
	}{{0.9, true}, {0.1, false}} {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.GCCPU, c.gc)
		e.Step(&s, vitals.NewHistory(1))
		if got := e.Holds("a"); got != c.want {
			t.Errorf("with gc_cpu at %g and cpu absent it holds: %v", c.gc, got)
		}
	}
	if e.Holds("b") {
		t.Error("a rule that does not exist holds")
	}
}
