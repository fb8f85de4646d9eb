package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func TestRulesPrintIsWhatExplainAndCheckRead(t *testing.T) {
	dir := t.TempDir()
	printed := casebook(t, dir, "rules", "print")
	printed.want(t, 0, `"schema": 1`, `"name": "gc-cpu"`)
	file := write(t, "rules.json", printed.out)
	casebook(t, dir, "rules", "check", file).want(t, 0, fmt.Sprintf("rules.json: %d rules, fine", len(rule.Default())))
	builtin, own := casebook(t, dir, "rules", "explain"), casebook(t, dir, "rules", "explain", file)
	builtin.want(t, 0, "when   gc_cpu above 15 % for 3s", "takes  goroutine, ", "not for 5m after it fired", "(share)")
	if builtin.out != own.out {
		t.Errorf("the printed rules are explained as\n%s\nthe built-in ones as\n%s", own.out, builtin.out)
	}
	narrow(t, builtin.out)
	for _, r := range rule.Default() {
		if !strings.Contains(builtin.out, "\n"+r.Name+"\n") && !strings.HasPrefix(builtin.out, r.Name+"\n") {
			t.Errorf("%s is not explained", r.Name)
		}
	}
}

// A signal of the service's own is known by its declaration, or by the recording that has it.
func TestRulesOfExtraSignals(t *testing.T) {
	rules := write(t, "rules.json",
		`{"schema": 1, "rules": [{"name": "queue", "warmup": "-1s", "when": {"signal": "queue_age", "above": 2}}]}`)
	dir := t.TempDir()
	casebook(t, dir, "rules", "check", rules).want(t, 2, `unknown signal "queue_age"`, "--signal name:unit")
	casebook(t, dir, "rules", "check", rules, "--signal", "queue_age:seconds").want(t, 0, "1 rule, fine")
	casebook(t, dir, "rules", "explain", rules, "--signal", "queue_age:seconds").want(t, 0, "queue_age above 2 s",
		"declared with --signal (seconds)")
	for flag, want := range map[string]string{"queue_age": "--signal queue_age:count",
		"queue_age:ms": `unknown unit "ms"; known: count`, "cpu:cores": "built-in"} {
		casebook(t, dir, "rules", "check", rules, "--signal", flag).want(t, 2, want)
	}
	catalog, err := vitals.NewCatalog(vitals.Signal{Name: "queue_age", Unit: vitals.Seconds})
	if err != nil {
		t.Fatal(err)
	}
	s := vitals.NewSample(rampStart)
	s.Set(vitals.ID(vitals.NumSignals), 2.5)
	var b strings.Builder
	if err := vitals.WriteJSONL(&b, []vitals.Sample{s}, catalog, nil); err != nil {
		t.Fatal(err)
	}
	casebook(t, dir, "rules", "test", rules, "--on", write(t, "v.jsonl", b.String())).want(t, 1,
		"queue_age was 2.5 s, above 2 s")
	casebook(t, dir, "rules", "test", rules, "--on", record(t, "v.jsonl", ramp(rampStart, 3))).want(t, 2,
		`unknown signal "queue_age"`)
}

func TestRulesHelpIsNarrow(t *testing.T) {
	for _, args := range [][]string{{"rules"}, {"rules", "print"}, {"rules", "check"}, {"rules", "explain"},
		{"rules", "test"}} {
		r := casebook(t, t.TempDir(), append(args, "--help")...)
		r.want(t, 0, "casebook "+strings.Join(args, " "))
		narrow(t, r.out)
	}
}

func TestRulesCheckTellsAllFaults(t *testing.T) {
	file := write(t, "rules.json", `{"schema": 1, "rules": [
  {"name": "a", "when": {"signal": "cpus", "above": 1}},
  {"name": "b", "when": {"signal": "cpu", "above": "1"}},
  {"name": "c", "wen": 1},
  {"name": "d", "when": {"signal": "rss", "trend": {"reach": "goroutines", "within": "1h"}}}
]}`)
	r := casebook(t, t.TempDir(), "rules", "check", file)
	r.want(t, 2, "rules.json has 4 faults:",
		"line 2: rule 1 (a): when.signal: unknown signal \"cpus\"", "line 3: rules[1].when.above: wants a number",
		"line 4: unknown field \"wen\"", "line 5: rule 4 (d): when.trend.reach: goroutines is in count, rss in bytes")
	if r.out != "" {
		t.Errorf("a file with faults gives output: %s", r.out)
	}
}

// ramp is a minute and a half of a process whose GC goes from 0 to 45 % of the CPU. absent: cpu, and throttled.
func ramp(from time.Time, seconds int) []vitals.Sample {
	samples := make([]vitals.Sample, seconds)
	for i := range samples {
		samples[i] = vitals.NewSample(from.Add(time.Duration(i) * time.Second))
		samples[i].Set(vitals.GCCPU, float64(i)/200)
		samples[i].Set(vitals.Goroutines, 100)
	}
	return samples
}

// record writes samples as a watch does.
func record(t *testing.T, name string, samples []vitals.Sample) string {
	t.Helper()
	var b strings.Builder
	if err := vitals.WriteJSONL(&b, samples, nil, map[string]string{"throttled": "no CPU quota"}); err != nil {
		t.Fatal(err)
	}
	return write(t, name, b.String())
}

const rampRules = `{"schema": 1, "rules": [
  {"name": "gc", "cooldown": "20s", "when": {"signal": "gc_cpu", "above": 0.3, "for": "5s"}},
  {"name": "surge", "when": {"signal": "goroutines", "above": 200, "for": "5s"}},
  {"name": "throttled", "when": {"signal": "throttled", "above": 0.1}},
  {"name": "course", "when": {"signal": "gc_cpu", "trend": {"reach": 1, "within": "10m", "over": "1m"}}}
]}`

var rampStart = time.Date(2026, 11, 21, 13, 0, 0, 0, time.Local)

func TestRulesTest(t *testing.T) {
	all := ramp(rampStart, 90)
	rules := write(t, "rules.json", rampRules)
	// As in a case's vitals: before and during overlap in a sample, and the files are named in any order.
	before, during := record(t, "vitals-before.jsonl", all[:51]), record(t, "vitals-during.jsonl", all[50:])
	r := casebook(t, t.TempDir(), "rules", "test", rules, "--on", during, before)
	r.want(t, 1, "90 samples, 2026-11-21 13:00:00 to 13:01:29",
		"gc: fired 2 times\n  13:01:06  gc_cpu was 33 %, above 30 % for 5s\n  13:01:26  gc_cpu was 43 %, above "+
			"30 % for 25s\n",
		"surge: did not fire\n  wanted   goroutines above 200 for 5s\n  nearest  13:00:00 goroutines was 100\n  "+
			"last     goroutines is 100\n",
		"throttled: did not fire", "nearest  throttled is absent: no CPU quota",
		"course: fired 1 time\n  13:00:30  gc_cpu was 15 %, rising by 30 % a minute: 100 % in 2m50s\n")
	narrow(t, r.out)
	if again := casebook(t, t.TempDir(), "rules", "test", rules, "--on", before, "--on", during); again.out != r.out {
		t.Errorf("in another order:\n%s\nand before:\n%s", again.out, r.out)
	}
}

func TestRulesTestExitCodes(t *testing.T) {
	quiet := record(t, "quiet.jsonl", ramp(rampStart, 30))
	rules := write(t, "rules.json", heapRule)
	casebook(t, t.TempDir(), "rules", "test", rules, "--on", quiet).want(t, 0, "heap-objects: did not fire",
		"heap_objects has no value in this sample")
	casebook(t, t.TempDir(), "rules", "test", "--on", quiet).want(t, 0, "gc-cpu: did not fire",
		"nearest  13:00:29 gc_cpu was 14.5 %")
}

func TestRulesTestOnACase(t *testing.T) {
	dir := t.TempDir()
	w, err := casefile.Dir(dir).Create(casefile.Case{
		Schema: casefile.Schema, ID: casefile.NewID(rampStart, "manual"), Tool: "test", Opened: rampStart,
		Trigger: casefile.Trigger{Rule: "manual", Time: rampStart},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := vitals.WriteJSONL(&b, ramp(rampStart, 90), nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(casefile.Evidence{File: "vitals-before.jsonl", Kind: casefile.Vitals, Phase: casefile.Before},
		[]byte(b.String())); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	casebook(t, dir, "rules", "test", write(t, "rules.json", rampRules), "--on", f.Path).want(t, 1, "90 samples",
		"gc: fired 2 times")
}

func TestRulesTestJSON(t *testing.T) {
	r := casebook(t, t.TempDir(), "rules", "test", write(t, "rules.json", rampRules), "--json", "--on",
		record(t, "v.jsonl", ramp(rampStart, 90)))
	r.want(t, 1)
	var out struct {
		Schema, Samples int
		Rules           []struct {
			Rule, Last string
			Fired      []struct {
				Time         time.Time
				Signal, Text string
				Value        float64
			}
			Closest []struct{ Condition, Text string }
		}
	}
	if err := json.Unmarshal([]byte(r.out), &out); err != nil {
		t.Fatal(err)
	}
	if out.Schema != 1 || out.Samples != 90 || len(out.Rules) != 4 {
		t.Fatalf("%+v", out)
	}
	gc, surge := out.Rules[0], out.Rules[1]
	if len(gc.Fired) != 2 || !gc.Fired[0].Time.Equal(rampStart.Add(66*time.Second)) || gc.Fired[0].Value != 0.33 ||
		gc.Fired[0].Signal != "gc_cpu" {
		t.Errorf("gc %+v", gc)
	}
	if surge.Fired == nil || len(surge.Closest) != 1 || surge.Last != "goroutines is 100" {
		t.Errorf("surge %+v", surge)
	}
}

// A recording that was cut off is replayed as far as it goes, and the output says so.
func TestRulesTestOnACutRecording(t *testing.T) {
	whole, err := os.ReadFile(record(t, "v.jsonl", ramp(rampStart, 90)))
	if err != nil {
		t.Fatal(err)
	}
	cut := write(t, "cut.jsonl", string(whole[:len(whole)-20]))
	casebook(t, t.TempDir(), "rules", "test", write(t, "rules.json", rampRules), "--on", cut).want(t, 2, "89 samples",
		"gc: fired 2 times", "cut.jsonl", "line 91")
}

func TestRulesBadInput(t *testing.T) {
	rules, vit := write(t, "rules.json", heapRule), record(t, "v.jsonl", ramp(rampStart, 3))
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"unknown command", []string{"rules", "chekc"}, []string{"unknown command"}},
		{"check of nothing", []string{"rules", "check"}, []string{"takes one rules file", "for instance"}},
		{"no such file", []string{"rules", "check", "nowhere.json"}, []string{"nowhere.json"}},
		{"one fault", []string{"rules", "check", write(t, "r.json", strings.Replace(heapRule, "above", "abov", 1))},
			[]string{"r.json", "line 2", "abov"}},
		{"explain with faults", []string{"rules", "explain", write(t, "r.json", "{")},
			[]string{"r.json", "not closed"}},
		{"test without vitals", []string{"rules", "test", rules}, []string{"--on"}},
		{"test with bad rules", []string{"rules", "test", vit, "--on", vit}, []string{"rules file", "line 2"}},
		{"no such vitals", []string{"rules", "test", rules, "--on", "nowhere.jsonl"},
			[]string{"nowhere.jsonl", "no samples"}},
		{"vitals that are none", []string{"rules", "test", rules, "--on", rules},
			[]string{"rules.json", "not a vitals header"}},
		{"a folder that is no case", []string{"rules", "test", rules, "--on", t.TempDir()}, []string{"is a folder"}},
		{"a recording of nothing", []string{"rules", "test", rules, "--on", record(t, "empty.jsonl", nil)},
			[]string{"no samples"}},
		{"one of two missing", []string{"rules", "test", rules, "--on", vit, filepath.Join(t.TempDir(), "gone.jsonl")},
			[]string{"3 samples", "gone.jsonl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := casebook(t, t.TempDir(), c.args...)
			r.want(t, 2, c.want...)
			if strings.Contains(r.errors, "panic") || strings.Count(r.errors, "\n") > 3 {
				t.Errorf("not a clear message:\n%s", r.errors)
			}
		})
	}
}

// The conditions in docs/rules.md are valid conditions.
func TestConditionsOfPage(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^    (\{"(?:signal|recovered|stuck|polling|every)":.*\})$`)
	found := shown.FindAllStringSubmatch(page(t, "docs/rules.md"), -1)
	if len(found) < 10 {
		t.Errorf("docs/rules.md shows %d conditions, want 10 or more; has its form changed?", len(found))
	}
	for _, c := range found {
		if _, err := rule.Parse([]byte(`{"schema": 1, "rules": [{"name": "a", "when": `+c[1]+`}]}`), nil); err != nil {
			t.Errorf("%s: %v", c[1], err)
		}
	}
}
