package rule

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestTestsShare: a rule among others says and does in every sample what it does alone, also when the target starts
// again: what tests remember together is what each would remember.
func TestTestsShare(t *testing.T) {
	rules := leakRules()
	for _, name := range []string{"goroutines", "heap_live"} { // parts of a rule are rules of their own, too
		floor := 1.0
		rules = append(rules, Rule{Name: "own-" + name[:4], When: slowGrowth(name, floor, outside())},
			Rule{Name: "short-" + name[:4], When: Condition{Signal: name,
				Growth: certain(2, 10*time.Minute, 2*time.Minute, outside())}})
	}
	together := engineOf(t, rules)
	var alone []*Engine
	for i := range rules {
		alone = append(alone, engineOf(t, rules[i:i+1]))
	}
	r, h := rand.New(rand.NewPCG(1, 2)), vitals.NewHistory(10)
	fired := 0
	for i := range 3 * 3600 / 5 {
		s := vitals.NewSample(start.Add(time.Duration(i) * 5 * time.Second))
		if i == 900 {
			together.Reset()
			for _, e := range alone {
				e.Reset()
			}
		}
		grow := float64(i) + 20*r.NormFloat64()
		s.Set(vitals.Goroutines, 100+3*max(grow, 0))
		if i%3 == 0 {
			s.Set(vitals.HeapLive, (50+max(grow, 0))*(1<<20))
		}
		s.Set(vitals.OpenFiles, 100+float64(r.IntN(20))+float64(i/400*50))
		s.Set(vitals.OpenFilesShare, 0.1)
		s.Set(vitals.AllocRate, 1e6*(1+r.Float64()))
		s.Set(vitals.RSS, 1e9+1e6*grow)
		s.Set(vitals.MemoryLimit, 2e9)
		got := together.Step(&s, h)
		var want []Firing
		for k, e := range alone {
			for _, f := range e.Step(&s, h) {
				f.Rule = &together.rules[k]
				want = append(want, f)
			}
		}
		fired += len(got)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("at sample %d %d rules fired, want %d: %+v, want %+v", i, len(got), len(want), got, want)
		}
		if i%50 == 0 {
			verdicts := together.Explain(&s, nil)
			for k, e := range alone {
				if own := e.Explain(&s, nil)[0]; verdicts[k] != own {
					t.Fatalf("at sample %d: %+v, alone %+v", i, verdicts[k], own)
				}
			}
		}
		h.Add(s)
	}
	if fired < 3 {
		t.Errorf("%d firings: the test compares too few", fired)
	}
}

func engineOf(t *testing.T, rules []Rule) *Engine {
	t.Helper()
	e, err := NewEngine(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
