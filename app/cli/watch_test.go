package cli_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// A watched process that dies in trouble makes a case, although nothing is left to capture.
func TestDeathIsACase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	addr, reap := victimtest.Start(t, victim, "-after", "3s", "-park", "60000")
	b := begin(t, dir, "watch", "--json", "--interval", "100ms", "--rules", write(t, "r.json", heapRule), addr)
	b.await(t, `"event":"started"`)
	b.awaitMatch(t, regexp.MustCompile(`"goroutines":600\d\d\b`))
	said, _ := b.text()
	p, err := os.FindProcess(linesOf(t, said)[0].Target.PID)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil { // a voluntary end would make none, where the kernel says how a process ended
		t.Fatal(err)
	}
	reap()
	b.await(t, `"event":"lost"`)
	victimtest.Start(t, victim, "-listen", addr)
	b.await(t, `"event":"restarted"`)
	r := b.stop(t)
	var c line
	for _, l := range linesOf(t, r.out) {
		if l.Event == "case" {
			c = l
		}
	}
	if c.Trigger.Rule != "killed" || !strings.Contains(c.Trigger.Text, " 60 k goroutines") {
		t.Fatalf("the case's trigger is %+v, want killed for its goroutines; the watch said:\n%s", c.Trigger, r.out)
	}
	shown := casebook(t, dir, "case", "show", "--verbose")
	shown.want(t, 0, "Tripped  killed: the process ended", "60 k goroutines", "vitals-before.jsonl", "report.html")
	if strings.Contains(shown.out, "still held") {
		t.Errorf("the dead hold nothing:\n%s", shown.out)
	}
}

// A line is what the tests read from `watch --json`.
type line struct {
	Event   string
	Time    time.Time
	URL     string
	Target  casefile.Target
	Trigger casefile.Trigger
	Refused struct{ Kind, Resource, Predicted, Limit string }
	Summary struct {
		Samples, Cases uint64
		Budget         struct {
			Refused map[string]struct{ Count int }
		}
	}
}

func linesOf(t *testing.T, out string) (lines []line) {
	t.Helper()
	for sc := bufio.NewScanner(strings.NewReader(out)); sc.Scan(); {
		var l line
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatalf("%v: %s", err, sc.Text())
		}
		lines = append(lines, l)
	}
	return lines
}

// A refusal of the budget is not a failure: it is reported when it happens, in the case, and at the end.
func TestBudgetRefuses(t *testing.T) {
	t.Parallel()
	rules := write(t, "r.json", strings.Replace(tripRules, `["heap"]`, `["goroutine","heap"]`, 1))
	args := []string{"watch", "--once", "--profile", "1s", "--rules", rules, "--budget", "longest=10us,pause=1ms",
		start(t)}
	dir := t.TempDir()
	r := casebook(t, dir, args...)
	r.want(t, 0, "budget: goroutine refused: it would stop the world", "heap.pb.gz", "watched  ",
		"2 times goroutine refused")
	if strings.Contains(r.errors, "last error") {
		t.Errorf("a refusal passes for an error:\n%s", r.errors)
	}
	casebook(t, dir, "case", "show", "--verbose").want(t, 0,
		"Missing  goroutine (during), goroutine (after): goroutine refused: it")

	lines := linesOf(t, casebook(t, t.TempDir(), append(args, "--json")...).out)
	i := slices.IndexFunc(lines, func(l line) bool { return l.Event == "missed" })
	if i < 0 || lines[i].Refused.Kind != "goroutine" || lines[i].Refused.Resource != "longest stop" ||
		lines[i].Refused.Limit == "" {
		t.Errorf("no refusal among %+v", lines)
	}
	last := lines[len(lines)-1]
	if last.Event != "ended" || last.Summary.Cases != 1 || last.Summary.Samples == 0 ||
		last.Summary.Budget.Refused["goroutine"].Count != 2 {
		t.Errorf("the last line is %+v", last)
	}
}

// A capture by hand does not make the watch forget its cool-downs, or what the hour has cost.
func TestCaptureKeepsTheStateOfAWatch(t *testing.T) {
	t.Parallel()
	dir, url := t.TempDir(), start(t)
	watch := []string{"watch", "--for", "1s", "--interval", "200ms", "--profile", "1s", "--rules",
		write(t, "r.json", tripRules), url}
	casebook(t, dir, watch...).want(t, 0, "rule any tripped")
	casebook(t, dir, "capture", "--profile", "1s", "--before", "0s", "--kinds", "goroutine", url).want(t, 0,
		"goroutine.pb.gz")
	again := casebook(t, dir, watch...)
	again.want(t, 0, "cases    0 cases")
	if spent := regexp.MustCompile(`disk [1-9][0-9.]* \w+ of`).FindString(again.errors); spent == "" {
		t.Errorf("what the hour has cost is forgotten:\n%s", again.errors)
	}
	state, err := filepath.Glob(filepath.Join(dir, "casebook-cases", ".state-*"))
	if err != nil || len(state) != 1 || !strings.Contains(string(read(t, state[0])), `"any":[`) {
		t.Errorf("states on disk: %v, %v", state, err)
	}
}

// Two watches of many targets at once: lines and the summary say which target they are about.
func TestWatchOfTwo(t *testing.T) {
	t.Parallel()
	a, b := start(t), start(t)
	r := casebook(t, t.TempDir(), "watch", "--for", "1s", "--interval", "200ms", a, b)
	r.want(t, 0, "watched  victim at "+a, "victim at "+b)
	if n := strings.Count(r.errors, "cases    0 cases"); n != 2 {
		t.Errorf("%d summaries, want 2:\n%s", n, r.errors)
	}
}

// A file of targets: each has its own flags, and lines begin with names.
func TestWatchConfigFile(t *testing.T) {
	t.Parallel()
	a, b, c := start(t), start(t), start(t)
	file := write(t, "watch.yaml", "interval: 200ms\nfor: 1500ms\nprofile: 1s\ntargets:\n  - "+a+"\n  - "+b+
		"\n  - {url: \""+c+"\", service: shop, rules: "+write(t, "r.json", tripRules)+"}\n")
	r := casebook(t, t.TempDir(), "watch", "--config", file)
	r.want(t, 0, "watched  victim at "+a, " shop rule any tripped", "watched  shop at ", "cases    1 case")
	if strings.Contains(r.errors, " victim "+a) {
		t.Errorf("a line begins with a URL:\n%s", r.errors)
	}
}

// docs/watch-json.md names every event and every field of a line, and no others.
func TestWatchJSONDoc(t *testing.T) {
	doc := page(t, "docs/watch-json.md")
	source := page(t, "event.go") + page(t, "app/casework/watch_line.go")
	events, fields := make(map[string]bool), make(map[string]bool)
	for _, m := range regexp.MustCompile(`EventKind\s+= "([a-z]+)"`).FindAllStringSubmatch(source, -1) {
		events[m[1]] = true
	}
	watchLine := regexp.MustCompile(`(?s)type Line struct \{.*?\n\}`).FindString(source)
	for _, m := range regexp.MustCompile("json:\"([a-z_]+)").FindAllStringSubmatch(watchLine, -1) {
		fields[m[1]] = true
	}
	tables := strings.SplitN(doc, "| field | what it is |", 2)
	documented := make(map[string]bool)
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(tables[0], -1) {
		documented[m[1]] = true
	}
	if !maps.Equal(documented, events) {
		t.Errorf("events documented %v, want %v", slices.Sorted(maps.Keys(documented)),
			slices.Sorted(maps.Keys(events)))
	}
	documented = make(map[string]bool)
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|").FindAllStringSubmatch(tables[1], -1) {
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			documented[m[1]] = true
		}
	}
	if !maps.Equal(documented, fields) {
		t.Errorf("fields documented %v, want %v", slices.Sorted(maps.Keys(documented)),
			slices.Sorted(maps.Keys(fields)))
	}
}
