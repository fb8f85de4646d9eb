package rule_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// run feeds samples a second apart, made by set, and returns the seconds at which the rule fired and the texts.
func run(t *testing.T, when rule.Condition, seconds int, set func(i int, s *vitals.Sample)) (at []int, texts []string) {
	t.Helper()
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1, Cooldown: rule.Duration(time.Hour), When: when}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(10_000)
	for i := range seconds {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		set(i, &s)
		for _, f := range e.Step(&s, h) {
			at, texts = append(at, i), append(texts, f.Text)
		}
		h.Add(s)
	}
	return at, texts
}

const mib = 1 << 20

func TestTrend(t *testing.T) {
	// From 100 MiB, 1 MiB a second, to a limit of 1000 MiB, in windows of 60 s that are judged from 30 s on.
	trend := func(change func(*rule.Trend)) rule.Condition {
		tr := rule.Trend{Reach: &rule.Level{Signal: "memory_limit"}, Within: rule.Duration(10 * time.Minute),
			Over: rule.Duration(time.Minute)}
		if change != nil {
			change(&tr)
		}
		return rule.Condition{Signal: "rss", Trend: &tr}
	}
	level := func(v float64) func(*rule.Trend) { return func(tr *rule.Trend) { tr.Reach = &rule.Level{Value: v} } }
	rising := func(i int) float64 { return float64(100+i) * mib }
	nan := math.NaN()
	for _, c := range []struct {
		name string
		when rule.Condition
		rss  func(i int) float64
		want []int
	}{
		// 900 MiB are left at second 0, 600 at second 300, which is when 10 minutes remain.
		{"reaches the limit in time", trend(nil), rising, []int{300}},
		{"a number as the limit", trend(level(1000 * mib)), rising, []int{300}},
		{"early in the window", trend(level(101 * mib)), rising, []int{30}},
		{"flat", trend(nil), func(int) float64 { return 999 * mib }, nil},
		{"beyond the limit, flat", trend(nil), func(int) float64 { return 1001 * mib }, nil},
		{"beyond the limit, rising", trend(nil), func(i int) float64 { return float64(1001+i) * mib }, []int{30}},
		{"falling", trend(nil), func(i int) float64 { return float64(990-i) * mib }, nil},
		{"too slow", trend(nil), func(i int) float64 { return (100 + float64(i)/10) * mib }, nil},
		{"one jump is no trend", trend(nil), func(i int) float64 {
			if i < 200 {
				return 500 * mib
			}
			return 900 * mib
		}, nil},
		{"a swing is no trend", trend(nil), func(i int) float64 { return (800 + 100*math.Sin(float64(i)/10)) * mib },
			nil},
		{"too few values", trend(nil), func(i int) float64 {
			if i%10 != 0 { // seven in a window
				return nan
			}
			return rising(i)
		}, nil},
		{"enough values with gaps", trend(nil), func(i int) float64 {
			if i%5 != 0 {
				return nan
			}
			return rising(i)
		}, []int{300}},
		{"to a floor", trend(func(tr *rule.Trend) { tr.Falling, tr.Reach = true, &rule.Level{} }),
			func(i int) float64 { return float64(900-i) * mib }, []int{300}},
		{"rising away from a floor", trend(func(tr *rule.Trend) { tr.Falling, tr.Reach = true, &rule.Level{} }), rising, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := run(t, c.when, 400, func(i int, s *vitals.Sample) {
				s.Set(vitals.RSS, c.rss(i))
				s.Set(vitals.MemoryLimit, 1000*mib)
			})
			if !same(got, c.want) {
				t.Errorf("fired at %v, want %v", got, c.want)
			}
		})
	}
}

func TestTrendHeldAndFloored(t *testing.T) {
	tr := &rule.Trend{Reach: &rule.Level{Value: 1000}, Within: rule.Duration(10 * time.Minute),
		Over: rule.Duration(time.Minute)}
	rising := func(i int, s *vitals.Sample) { s.Set(vitals.Goroutines, float64(100+i)) }
	if got, _ := run(t, rule.Condition{Signal: "goroutines", Trend: tr, For: rule.Duration(10 * time.Second)}, 400,
		rising); !same(got, []int{310}) {
		t.Errorf("held for 10s, it fired at %v, want 310", got)
	}
	if got, _ := run(t, rule.Condition{Signal: "goroutines", Trend: tr, Min: ptr(450)}, 400, rising); !same(got,
		[]int{350}) {
		t.Errorf("with a floor of 450, it fired at %v, want 350", got)
	}
}

// The past of the previous process is not the past of this one.
func TestTrendBeginsAnewAfterReset(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1, When: rule.Condition{Signal: "rss", Trend: &rule.Trend{
		Reach: &rule.Level{Value: 1000}, Within: rule.Duration(time.Hour), Over: rule.Duration(time.Minute),
	}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(1000)
	for i := range 60 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		if i == 29 { // one before the trend could be judged
			e.Reset()
		}
		s.Set(vitals.RSS, float64(i))
		if f := e.Step(&s, h); len(f) > 0 && i < 59 {
			t.Fatalf("second %d, %d after the reset: %s", i, i-29, f[0].Text)
		} else if i == 59 && len(f) == 0 {
			t.Error("30 s after the reset the trend is not judged")
		}
		h.Add(s)
	}
}

func TestTrendTexts(t *testing.T) {
	when := rule.Condition{Signal: "rss", Trend: &rule.Trend{
		Reach: &rule.Level{Signal: "memory_limit"}, Within: rule.Duration(10 * time.Minute), Over: rule.Duration(time.Minute),
	}}
	_, texts := run(t, when, 400, func(i int, s *vitals.Sample) {
		s.Set(vitals.RSS, float64(100+i)*mib)
		s.Set(vitals.MemoryLimit, 1000*mib)
	})
	want := "rss was 400 MiB, rising by 60 MiB a minute: memory_limit (1,000 MiB) in 10m"
	if len(texts) != 1 || texts[0] != want {
		t.Errorf("%q, want %q", texts, want)
	}
	for _, c := range []struct {
		name    string
		rss     func(i int) float64
		limit   float64
		seconds int
		want    string
	}{
		{"few", func(i int) float64 { return mib }, 1000 * mib, 5, "rss is 1 MiB; a trend needs 10 values over " +
			"30s, has 5 over 4s"},
		{"flat", func(i int) float64 { return mib }, 1000 * mib, 60,
			"rss is 1 MiB; not certain to be rising, by the last 59s"},
		{"far", func(i int) float64 { return float64(i) }, 86_459, 60,
			"rss is 59 B; rising by 60 B a minute: memory_limit (84.4 KiB) in 24h"},
		{"forever", func(i int) float64 { return float64(i) }, 1 << 50, 60,
			"rss is 59 B; rising by 60 B a minute: memory_limit (1,024 TiB) in more than a year"},
		{"noisy", func(i int) float64 { return float64(i) + 10*float64(i%2) }, 1000, 60,
			"rss is 69 B; rising by 60.5 B a minute: memory_limit (1,000 B) in 15m28s, in 17m at the latest"},
		{"no limit", func(i int) float64 { return mib }, math.NaN(), 60,
			"rss is 1 MiB, but memory_limit is absent: no limit is set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var samples []vitals.Sample
			for i := range c.seconds {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				s.Set(vitals.RSS, c.rss(i))
				s.Set(vitals.MemoryLimit, c.limit)
				samples = append(samples, s)
			}
			out, err := rule.Replay([]rule.Rule{{Name: "test", Warmup: -1, When: when}}, samples, nil,
				map[string]string{"memory_limit": "no limit is set"})
			if err != nil {
				t.Fatal(err)
			}
			if out[0].Last != c.want {
				t.Errorf("%q, want %q", out[0].Last, c.want)
			}
		})
	}
}

func TestLevelJSON(t *testing.T) {
	for in, want := range map[string]rule.Level{`1.5`: {Value: 1.5}, `"memory_limit"`: {Signal: "memory_limit"}, `0`: {}} {
		var l rule.Level
		if err := json.Unmarshal([]byte(in), &l); err != nil || l != want {
			t.Errorf("%s gives %+v, %v; want %+v", in, l, err, want)
		}
		if out, err := json.Marshal(l); err != nil || string(out) != in {
			t.Errorf("%s came back as %s, %v", in, out, err)
		}
	}
	for _, in := range []string{`null`, `""`, `[1]`, `true`, `{"signal":"rss"}`} {
		var l rule.Level
		if err := json.Unmarshal([]byte(in), &l); err == nil || !strings.Contains(err.Error(), "name of a signal") {
			t.Errorf("%s gives %+v, %v; want an error that says what is wanted", in, l, err)
		}
	}
}
