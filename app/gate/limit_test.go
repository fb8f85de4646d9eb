package gate

import (
	"slices"
	"strings"
	"testing"
)

func TestParseLimits(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Limit
		err  string
	}{
		{"time:+5%", []Limit{{"time", true, 0.05}}, ""},
		{" p99 : +5% , allocs:+0% ", []Limit{{"p99", true, 0.05}, {"allocs", true, 0}}, ""},
		{"throughput:-12.5%,time:+3%,time:-50%", []Limit{{"throughput", false, 0.125}, {"time", true, 0.03},
			{"time", false, 0.5}}, ""},
		{"ns/op:+5%,MB/s:-1%,allocs/op:+1%,B/op:+2%",
			[]Limit{{"time", true, 0.05}, {"throughput", false, 0.01}, {"allocs", true, 0.01}, {"bytes", true, 0.02}},
			""},
		{"widgets:x/op:+1%", []Limit{{"widgets:x/op", true, 0.01}}, ""},
		{"", nil, "empty limit"},
		{"time:+5%,", nil, "empty limit"},
		{"time", nil, `no ":"`},
		{":+5%", nil, "names no figure"},
		{"time:5%", nil, "has no sign"},
		{"time:+5", nil, "has no %"},
		{"time:++5%", nil, "not a percentage"},
		{"time:+NaN%", nil, "not a percentage"},
		{"time:+Inf%", nil, "not a percentage"},
		{"time:-100%", nil, "below 100"},
		{"time:+1e9%", nil, "not a percentage"},
		{"time:+5%,ns/op:+6%", nil, "has two limits"},
	} {
		t.Run(c.text, func(t *testing.T) {
			got, err := ParseLimits(c.text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) ||
					!strings.Contains(err.Error(), "time:+5%,allocs:+0%") && c.err != "has two limits" {
					t.Errorf("error = %v, want %q and an example", err, c.err)
				}
				return
			}
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v; want %v", got, err, c.want)
			}
		})
	}
}

// FuzzParseLimits: what is read can be written and read again with the same result.
func FuzzParseLimits(f *testing.F) {
	for _, seed := range []string{"time:+5%", "p99:+5%,allocs:+1%", "ns/op:-0.1%", "a:b:+1e2%", ":,%+-"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ls, err := ParseLimits(text)
		if err != nil {
			return
		}
		words := make([]string, len(ls))
		for i, l := range ls {
			words[i] = l.String()
		}
		again, err := ParseLimits(strings.Join(words, ","))
		if err != nil || len(again) != len(ls) {
			t.Fatalf("%q was read as %q, which is not read as the same: %v", text, words, err)
		}
		for i := range ls {
			if ls[i].Figure != again[i].Figure || ls[i].Rise != again[i].Rise {
				t.Errorf("%q: %+v, again %+v", text, ls[i], again[i])
			}
		}
	})
}

// FuzzParseBenchmarks: a test binary may print anything.
func FuzzParseBenchmarks(f *testing.F) {
	f.Add([]byte("goos: linux\nBenchmarkA/b=1-8 10 5 ns/op 3 allocs/op\nBenchmarkA/b=1-8 10 NaN ns/op\nBenchmark 1 1 " +
		"x\nPASS\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		m := newMeasurements()
		m.add("p", baseSide, 0, parseBenchmarks(out))
		m.add("p", headSide, 0, parseBenchmarks(out))
		limits := []Limit{{"time", true, 0.05}, {"allocs", true, 0}}
		for _, j := range Judge(m.figures(), limits) {
			if j.Outcome != Pass {
				t.Errorf("%+v: the same numbers on both sides must pass", j)
			}
			_, _ = benchPattern(strings.SplitN(j.Subject, " ", 2)[1]), topName(j.Subject)
		}
	})
}
