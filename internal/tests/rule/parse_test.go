package rule_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"good", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"for":"5s"}}]}`, ""},
		{"syntax", "{\"schema\":1,\n\"rules\":[{]}", "line 2"},
		{"cut", `{"schema":1,"rules":[`, "not closed"},
		{"unknown field", "{\"schema\":1,\n\"rules\":[{\"name\":\"a\",\"wen\":1}]}", `line 2: unknown field "wen"`},
		{"wrong type", "{\"schema\":1,\n\"rules\":[{\"name\":7}]}", "line 2"},
		{"schema", `{"schema":2,"rules":[]}`, "this version reads 1"},
		{"empty", `{"schema":1,"rules":[]}`, "empty"},
		{"no schema", `{"rules":[{"name":"a","when":{"signal":"cpu","above":1}}]}`, `"schema" is missing`},
		{"no rules", `{"schema":1}`, "empty"},
		{"not an object", `[]`, "line 1: the file: wants an object"},
		{"null for a rule", `{"schema":1,"rules":[null]}`, "rule 1 (): name: wants"},
		{"nothing", ``, "not closed"},
		{"more", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1}}]} {}`,
			"unexpected text after the end"},
		{"unknown signal", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpus","above":1}}]}`,
			`rule 1 (a): when.signal: unknown signal "cpus"`},
		{"no test", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu"}}]}`,
			"exactly one of above, below, rise, trend, periodic, growth, grown, bursts and late, has 0"},
		{"two tests", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"below":2}}]}`, "has 2"},
		{"negative for", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"for":"-5s"}}]}`,
			"when.for: is negative"},
		{"number as duration", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"for":5}}]}`,
			`such as "5s"`},
		{"bad name", `{"schema":1,"rules":[{"name":"../a","when":{"signal":"cpu","above":1}}]}`, "name: wants"},
		{"twice",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1}},{"name":"a","when":{"signal":"cpu","above":1}}]}`,
			"taken"},
		{"capture", `{"schema":1,"rules":[{"name":"a","capture":["cup"],"when":{"signal":"cpu","above":1}}]}`,
			`unknown kind "cup"`},
		{"nested",
			`{"schema":1,"rules":[{"name":"a","when":{"all":[{"signal":"cpu","above":1},{"any":[{"signal":"x","above":1}]}]}}]}`,
			"when.all[1].any[0].signal"},
		{"trend to a signal",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":"memory_limit","within":"30m"}}}]}`,
			""},
		{"trend to a number",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":1e9,"within":"30m","over":"5m","falling":true}}}]}`,
			""},
		{"periodic",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","periodic":{"period":"1m","times":3,"rise":100}}}]}`,
			""},
		{"recovered",
			`{"schema":1,"rules":[{"name":"a","when":{"recovered":{"signal":"cpu","above":1,"for":"5s"},"for":"30s"}}]}`,
			""},
		{"trend without a limit",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"within":"30m"}}}]}`,
			"when.trend.reach: is missing"},
		{"trend to an unknown signal",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":"limit","within":"30m"}}}]}`,
			"when.trend.reach: unknown signal \"limit\""},
		{"trend to another unit",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":"goroutines","within":"30m"}}}]}`,
			"when.trend.reach: goroutines is in count, rss in bytes"},
		{"trend to itself",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":"rss","within":"30m"}}}]}`,
			"when.trend.reach: is the signal itself"},
		{"trend to a list",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":[],"within":"30m"}}}]}`,
			"rules[0].when.trend.reach: wants a number, or the name of a signal"},
		{"trend without an end", `{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":1}}}]}`,
			"when.trend.within: wants how soon"},
		{"trend over a week",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","trend":{"reach":1,"within":"1h","over":"168h"}}}]}`,
			"when.trend.over: wants a window up to 24h"},
		{"over beside trend",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","over":"1m","trend":{"reach":1,"within":"1h"}}}]}`,
			"when.over: belongs to rise"},
		{"trend and above",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","above":1,"trend":{"reach":1,"within":"1h"}}}]}`,
			"has 2 (above, trend)"},
		{"negative period",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","periodic":{"period":"-1m","rise":1}}}]}`,
			"when.periodic.period: wants a period up to 24h, not -1m"},
		{"two times", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","periodic":{"times":2,"rise":1}}}]}`,
			"when.periodic.times: wants 3 to 60"},
		{"half a time", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","periodic":{"times":3.5,"rise":1}}}]}`,
			"rules[0].when.periodic.times: wants a whole number, not 3.5"},
		{"periodic without a rise", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","periodic":{}}}]}`,
			"when.periodic.rise: wants a percentage above 0"},
		{"recovered and also a test",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"recovered":{"signal":"cpu","above":1}}}]}`,
			"when: has all, any or recovered and also a test"},
		{"recovered beside all",
			`{"schema":1,"rules":[{"name":"a","when":{"all":[{"signal":"cpu","above":1}],"recovered":{"signal":"cpu","above":1}}}]}`,
			"more than one of all, any and recovered"},
		{"recovered of recovered",
			`{"schema":1,"rules":[{"name":"a","when":{"recovered":{"recovered":{"signal":"cpu","above":1}}}}]}`,
			"when.recovered: is true in one sample only"},
		{"an edge that is held",
			`{"schema":1,"rules":[{"name":"a","when":{"all":[{"recovered":{"signal":"cpu","above":1}}],"for":"5s"}}]}`,
			"when.all[0]: is true in one sample only"},
		{"within recovered", `{"schema":1,"rules":[{"name":"a","when":{"recovered":{"signal":"cpus","above":1}}}]}`,
			"when.recovered.signal: unknown signal"},
		{"a field of another place", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"name":"x"}}]}`,
			"unknown field \"name\" in rules[0].when; known: signal, above"},
		{"a field twice", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","signal":"rss","above":1}}]}`,
			"field \"signal\" is set twice in rules[0].when"},
		{"no such case", `{"schema":1,"rules":[{"name":"a","when":{"Signal":"cpu","above":1}}]}`,
			"unknown field \"Signal\""},
		{"a condition that is a list", `{"schema":1,"rules":[{"name":"a","when":[]}]}`,
			"rules[0].when: wants an object, not []"},
		{"of", `{"schema":1,"rules":[{"name":"a","when":{"signal":"go_memory","above":0.95,"of":"go_memory_limit"}}]}`,
			""},
		{"of a count",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"mutex_wait","above":0.5,"of":"gomaxprocs"}}]}`, ""},
		{"of another unit", `{"schema":1,"rules":[{"name":"a","when":{"signal":"goroutines","above":0.5,"of":"rss"}}]}`,
			"when.of: rss is in bytes, goroutines in count; wants the same unit, a count or cores"},
		{"of nothing known",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","above":0.5,"of":"memory_limits"}}]}`,
			`when.of: unknown signal "memory_limits"; near it: memory_limit`},
		{"of itself", `{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","above":0.5,"of":"rss"}}]}`,
			"when.of: is the signal itself"},
		{"of beside a rise",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","rise":50,"of":"memory_limit"}}]}`,
			"when.of: belongs to above or below"},
		{"none of it", `{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","above":0,"of":"memory_limit"}}]}`,
			"when.of: wants a multiple above 0"},
		{"every", `{"schema":1,"rules":[{"name":"a","when":{"all":[{"every":"1h"},{"signal":"cpu","above":1}]}}]}`, ""},
		{"every second", `{"schema":1,"rules":[{"name":"a","when":{"every":"1s"}}]}`,
			"when.every: wants a period from 1m to 168h, not 1s"},
		{"every negative", `{"schema":1,"rules":[{"name":"a","when":{"every":"-1h"}}]}`, "when.every: wants a period"},
		{"every held", `{"schema":1,"rules":[{"name":"a","when":{"every":"1h","for":"5s"}}]}`,
			"when.for: is of no use with every"},
		{"every beside a test", `{"schema":1,"rules":[{"name":"a","when":{"every":"1h","signal":"cpu","above":1}}]}`,
			"when: has every, stuck or polling together with another test"},
		{"every in a held all",
			`{"schema":1,"rules":[{"name":"a","when":{"for":"1m","all":[{"any":[{"every":"1h"}]}]}}]}`,
			"when.all[0]: is true in one sample only"},
		{"recovery from every", `{"schema":1,"rules":[{"name":"a","when":{"recovered":{"every":"1h"}}}]}`,
			"when.recovered: is true in one sample only"},
		{"stuck", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"5m","in":"mycompany/billing","min":2}}}]}`,
			""},
		{"growth",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"heap_live","growth":{"times":2,"within":"30m","over":"5m","values":4,"record":"24h","beyond":["alloc_rate"]},"for":"45s"}}]}`,
			""},
		{"growth to a limit",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"reach":"machine_memory","within":"30m"}}}]}`,
			""},
		{"growth of both",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"reach":1,"within":"30m"}}}]}`,
			"when.growth: has times and reach"},
		{"growth to nothing", `{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"within":"30m"}}}]}`,
			"when.growth.times: wants a multiple above 1"},
		{"growth without an end", `{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2}}}]}`,
			"when.growth.within: wants how soon"},
		{"growth over a second",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"within":"1h","over":"1s"}}}]}`,
			"when.growth.over: wants a window from 30s"},
		{"growth beyond itself",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"within":"1h","beyond":["rss"]}}}]}`,
			"when.growth.beyond[0]: is the signal itself"},
		{"growth beyond nothing known",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"within":"1h","beyond":["x"]}}}]}`,
			"when.growth.beyond[0]: unknown signal"},
		{"growth of three values",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"within":"1h","values":3}}}]}`,
			"when.growth.values: wants 4 to 24"},
		{"growth of what fills",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"within":"1h","filling":"-1m"}}}]}`,
			"when.growth.filling: is negative"},
		{"growth that is news for a minute",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"rss","growth":{"times":2,"within":"1h","record":"1m"}}}]}`,
			"when.growth.record: wants a time from 1h"},
		{"grown",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"goroutines","grown":{"times":4,"first":"5m","beyond":["cpu"]}}}]}`,
			""},
		{"grown to less", `{"schema":1,"rules":[{"name":"a","when":{"signal":"goroutines","grown":{"times":0.5}}}]}`,
			"when.grown.times: wants a multiple above 1"},
		{"grown since a second",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"goroutines","grown":{"times":4,"first":"1s"}}}]}`,
			"when.grown.first: wants a time from 1m"},
		{"rise beyond load",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"goroutines","rise":100,"beyond":["alloc_rate"]}}]}`,
			""},
		{"beyond without a rise",
			`{"schema":1,"rules":[{"name":"a","when":{"signal":"goroutines","above":100,"beyond":["alloc_rate"]}}]}`,
			"when.beyond: belongs to rise"},
		{"a pile",
			`{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"1m","min":50,"growing":true,"at":"send"}}}]}`,
			""},
		{"stuck at a door", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"1m","at":"door"}}}]}`,
			`when.stuck.at: wants "lock" or "send"`},
		{"stuck for no time", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{}}}]}`,
			"when.stuck.for: wants a time from 30s to 24h, not 0s"},
		{"stuck negative", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"1m","min":-1}}}]}`,
			"when.stuck.min: is negative"},
		{"stuck and for", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"1m"},"for":"1m"}}]}`,
			"when.for: belongs inside stuck"},
		{"stuck and every", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"1m"},"every":"1h"}}]}`,
			"when: has every, stuck or polling together with another test"},
		{"stuck and a floor", `{"schema":1,"rules":[{"name":"a","when":{"stuck":{"for":"1m"},"min":1}}]}`,
			"when: has every, stuck or polling together with another test"},
		{"per hour and once",
			`{"schema":1,"rules":[{"name":"a","per_hour":-1,"once":true,"when":{"signal":"cpu","above":1}}]}`, ""},
		{"absurdly often", `{"schema":1,"rules":[{"name":"a","per_hour":5000,"when":{"signal":"cpu","above":1}}]}`,
			"per_hour: wants up to 3600, or -1 for no limit, not 5000"},
		{"half an hour's", `{"schema":1,"rules":[{"name":"a","per_hour":0.5,"when":{"signal":"cpu","above":1}}]}`,
			"rules[0].per_hour: wants a whole number"},
		{"zero cool-down", `{"schema":1,"rules":[{"name":"a","cooldown":"0s","when":{"signal":"cpu","above":1}}]}`,
			"rules[0].cooldown: a duration of 0s is not allowed: leave the field out"},
		{"zero for", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"for":"0s"}}]}`,
			"rules[0].when.for: a duration of 0s is not allowed"},
		{"for a year", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"for":"9000h"}}]}`,
			"when.for: wants up to 168h, not 9000h"},
		{"over a year", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","rise":1,"over":"9000h"}}]}`,
			"when.over: wants up to 168h"},
		{"an endless cool-down",
			`{"schema":1,"rules":[{"name":"a","cooldown":"90000h","when":{"signal":"cpu","above":1}}]}`,
			"cooldown: wants up to 8784h"},
		{"an endless warm-up", `{"schema":1,"rules":[{"name":"a","warmup":"9000h","when":{"signal":"cpu","above":1}}]}`,
			"warmup: wants up to 744h"},
		{"an absurd rise", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","rise":1e9}}]}`,
			"when.rise: wants a percentage above 0 and up to 1e+06"},
		{"too large a number", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1e999}}]}`,
			"when.above: wants a number"},
		{"a percentage", `{"schema":1,"rules":[{"name":"a","when":{"any":[{"signal":"gc_cpu","above":15}]}}]}`,
			"when.any[0].above: gc_cpu is a share from 0 to 1: 15 % is 0.15, not 15"},
		{"floor above cap", `{"schema":1,"rules":[{"name":"a","when":{"signal":"cpu","above":1,"min":3,"max":2}}]}`,
			"not below max"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := rule.Parse([]byte(c.in), nil)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

// Every fault is reported, each with its own line.
func TestParseTellsEveryFault(t *testing.T) {
	_, err := rule.Parse([]byte(`{
  "schema": 1,
  "rules": [
    {"name": "a", "when": {"signal": "cpu",
      "above": "1",
      "for": 5}},
    {"name": "b",
     "wen": {},
     "when": {"signal": "cpu", "above": 1}},
    {"name": "c", "when": {"any": [
      {"signal": "cpu", "above": 1},
      {"signal": "cpus", "above": 1}
    ]}, "capture": [
      "cpu", "cup"]},
    {"name": "c", "when": {"signal": "cpu"}}
  ]
}`), nil)
	var faults interface{ Unwrap() []error }
	if !errors.As(err, &faults) {
		t.Fatalf("%T %v is no list of faults", err, err)
	}
	want := []string{
		`line 5: rules[0].when.above: wants a number, not "1"`,
		`line 6: rules[0].when.for: a duration is a string`,
		`line 8: unknown field "wen" in rules[1]; known: name, text, when`,
		`line 12: rule 3 (c): when.any[1].signal: unknown signal "cpus"`,
		`line 14: rule 3 (c): capture[1]: unknown kind "cup"`,
		`line 15: rule 4 (c): name: is taken`,
		`line 15: rule 4 (c): when: wants exactly one of`,
	}
	got := faults.Unwrap()
	if len(got) != len(want) {
		t.Fatalf("%d faults, want %d:\n%v", len(got), len(want), err)
	}
	for i := range want {
		if !strings.HasPrefix(got[i].Error(), want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

func TestNaNThreshold(t *testing.T) {
	_, err := rule.NewEngine([]rule.Rule{{Name: "a", When: rule.Condition{Signal: "cpu", Above: ptr(math.NaN())}}}, nil)
	if err == nil || !strings.Contains(err.Error(), "when.above: is not a finite number") {
		t.Errorf("error is %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schema":1,"rules":[{"name":"a","when":{"any":[{"signal":"cpu","rise":100,"over":"1m"}]}}]}`))
	f.Add(
		[]byte(
			`{"schema":1,"rules":[{"name":"a","when":{"all":[{"signal":"rss","trend":{"reach":"memory_limit","within":"30m"}},` +
				`{"signal":"cpu","periodic":{"period":"1m","times":3,"rise":100}},{"recovered":{"signal":"cpu","below":1},"for":"5s"}]}}]}`))
	f.Add(
		[]byte(
			`{"schema":1,"rules":[{"name":"a","per_hour":2,"once":true,"cooldown":"5m","when":{"any":[{"every":"1m"},` +
				`{"stuck":{"for":"30s","in":"a/b","min":2}},{"signal":"go_memory","above":0.9,"of":"go_memory_limit"},{"signal":"queue","below":1,"of":"cpu"}]}}]}`))
	f.Add(
		[]byte(
			`{"schema":1,"rules":[{"name":"a","when":{"any":[{"signal":"rss","growth":{"times":2,"within":"30m","over":"1m","values":4,` +
				`"record":"1h","beyond":["alloc_rate","queue"]}},{"signal":"queue","growth":{"reach":"goroutines","within":"1h"}},{"signal":"cpu",` +
				`"grown":{"times":4,"first":"1m","beyond":["http_rate"]}},{"stuck":{"for":"30s","at":"lock","growing":true}},` +
				`{"signal":"cpu","rise":1,"beyond":["queue"]}]}}]}`))
	catalog, err := vitals.NewCatalog(vitals.Signal{Name: "queue", Unit: vitals.Count})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rules, err := rule.Parse(data, catalog)
		if err != nil {
			return
		}
		e, err := rule.NewEngine(rules, catalog)
		if err != nil {
			t.Fatalf("rules that parse make no engine: %v", err)
		}
		var samples []vitals.Sample
		for i := range 20 {
			s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
			for id := range s.Values {
				if (i+id)%7 != 0 { // some are absent
					s.Values[id] = float64(i * id)
				}
			}
			samples = append(samples, s)
			e.Census(s.Time, []vitals.Place{{Key: 1, Func: "a/b.c", Wait: vitals.WaitMutexLock, Count: 2}})
			e.Step(&s, vitals.NewHistory(1))
			e.Warning()
			e.Explain(&s, nil)
		}
		e.Restore(e.State(), start)
		if _, err := rule.Replay(rules, samples, catalog, nil); err != nil {
			t.Fatalf("rules that parse cannot be replayed: %v", err)
		}
		again, err := json.Marshal(rule.File{Schema: 1, Rules: rules})
		if err != nil {
			t.Fatalf("rules that parse cannot be written: %v", err)
		}
		if _, err := rule.Parse(again, catalog); err != nil {
			t.Fatalf("rules that were written do not parse: %v\n%s", err, again)
		}
		for i := range rules {
			_, _ = rules[i].When.Words(catalog), rules[i].Pace()
		}
	})
}
