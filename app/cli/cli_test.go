package cli_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

const heapRule = `{"schema": 1, "rules": [
  {"name": "heap-objects", "warmup": "-1s", "when": {"signal": "heap_objects", "above": 2.9e6, "for": "2s"}}
]}`

// The whole life of a case: watch, show, export, import, diagnose, remove.
func TestCaseFromWatchToRemoval(t *testing.T) {
	t.Parallel()
	url, rules := startIll(t), write(t, "rules.json", heapRule)
	dir, r := longEnough(t, 4*time.Second, func(dir, profile string) result {
		return casebook(t, dir, "watch", "--once", "--for", "10m", "--profile", profile, "--rules", rules, url)
	})
	closed := onlyCase(t, filepath.Join(dir, "casebook-cases")).Case
	code, kind := codeOf(closed), collectorsKind(t, &closed)
	r.want(t, code, "rule heap-objects tripped", "heap.pb.gz", kind, "main.go:", "Report  ")
	narrow(t, r.out)

	casebook(t, dir, "case", "ls").want(t, 0, "heap-objects", "victim")
	shown := casebook(t, dir, "case", "show")
	shown.want(t, 0, "Tripped  heap-objects", kind, "Evidence ", "(--verbose lists them)", "report.html")
	narrow(t, shown.out)
	if finding, files := strings.Index(shown.out, kind),
		strings.Index(shown.out, "Evidence "); files < finding {
		t.Errorf("files stand before the finding:\n%s", shown.out)
	}
	casebook(t, dir, "case", "show", "--verbose").want(t, 0, "vitals-before.jsonl", "heap.pb.gz")

	paths, err := filepath.Glob(filepath.Join(dir, "casebook-cases", "*-heap-objects-*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("cases on disk: %v, %v", paths, err)
	}
	id := filepath.Base(paths[0])
	casebook(t, dir, "diagnose", paths[0]).want(t, code, kind)
	casebook(t, dir, "case", "export", "-o", "incident.zip").want(t, 0, "incident.zip")
	casebook(t, dir, "case", "import", "incident.zip").want(t, 2, id) // it is here already
	casebook(t, dir, "case", "rm", id[:20]).want(t, 0, "removed "+id)
	casebook(t, dir, "case", "show").want(t, 2, "no case in")
	casebook(t, dir, "case", "import", "incident.zip").want(t, 0, "imported")
	casebook(t, dir, "case", "show", id, "--json").want(t, 0, `"schema": 1`, `"kind": "`+kind+`"`)
	casebook(t, dir, "case", "rm", "no-such-case").want(t, 2, "no-such-case")
}

// collectorsKind is the kind of a case's first finding. The victim keeps millions of pointers and makes garbage beside
// them: which of the two comes first depends on the CPU that the machine has for it.
func collectorsKind(t *testing.T, c *casefile.Case) string {
	t.Helper()
	if len(c.Findings) == 0 {
		t.Fatalf("nothing is found: %+v", c.Verdict)
	}
	kind := c.Findings[0].Kind
	if !strings.HasPrefix(kind, "gc-") && !strings.HasPrefix(kind, "alloc-") {
		t.Errorf("the first finding is %s: %s", kind, c.Findings[0].Title)
	}
	return kind
}

// narrow wants output that fits a terminal of 80 columns. Paths are one word and may not be cut.
func narrow(t *testing.T, text string) {
	t.Helper()
	for _, l := range strings.Split(text, "\n") {
		if n := len([]rune(l)); n > 80 && strings.Count(strings.TrimSpace(l), " ") > 4 {
			t.Errorf("a line of %d columns: %s", n, l)
		}
	}
}

// --for never ends a watch in the middle of a case.
func TestTimeUpDuringACase(t *testing.T) {
	t.Parallel()
	rules := write(t, "rules.json",
		`{"schema":1,"rules":[{"name":"any","warmup":"-1s","when":{"signal":"goroutines","above":0}}]}`)
	r := casebook(t, t.TempDir(), "watch", "--for", "1s", "--profile", "3s", "--rules", rules, start(t))
	r.want(t, 0, "cpu.pb.gz", "heap-after.pb.gz", "Report  ")
	if strings.Contains(r.errors, "not taken") {
		t.Errorf("evidence was cut off:\n%s", r.errors)
	}
}

func TestHealthyService(t *testing.T) {
	t.Parallel()
	url := start(t)
	casebook(t, t.TempDir(), "watch", "--once", "--for", "3s", "--interval", "200ms", url).want(t, 0, "watching victim")
	r := casebook(t, t.TempDir(), "diagnose", "--json", "--profile", "1s", url)
	r.want(t, 0)
	var d struct {
		Schema    int
		Findings  []struct{ Kind string }
		Undecided []struct{ ID, Kind, Reason, Capture_next string }
	}
	if err := json.Unmarshal([]byte(r.out), &d); err != nil || d.Schema != 1 || d.Findings == nil ||
		slices.ContainsFunc(d.Findings, func(f struct{ Kind string }) bool { return f.Kind != "cpu-neighbours" }) {
		// a busy machine is no fault of the service
		t.Errorf("%v in:\n%s", err, r.out)
	}
	for _, u := range d.Undecided {
		if u.ID == "" || u.Kind == "" || u.Reason == "" || u.Capture_next == "" {
			t.Errorf("incomplete: %+v", u)
		}
	}
}

func TestWatchJSON(t *testing.T) {
	t.Parallel()
	url := start(t)
	for limit := 2 * time.Second; ; limit *= 4 { // until it had three samples
		r := casebook(t, t.TempDir(), "watch", "--json", "--for", limit.String(), "--interval", "200ms", url)
		r.want(t, 0)
		seen := make(map[string]int)
		for sc := bufio.NewScanner(strings.NewReader(r.out)); sc.Scan(); {
			var l struct {
				Event   string
				Time    time.Time
				Signals map[string]float64
			}
			if err := json.Unmarshal(sc.Bytes(), &l); err != nil || l.Time.IsZero() {
				t.Fatalf("%v: %s", err, sc.Text())
			}
			seen[l.Event]++
			if l.Event == "sample" && l.Signals["goroutines"] <= 0 {
				t.Errorf("a sample without goroutines: %s", sc.Text())
			}
		}
		if seen["started"] != 1 || seen["sample"] < 1 || limit > 2*time.Minute {
			t.Fatalf("events %v", seen)
		}
		if seen["sample"] >= 3 {
			return
		}
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	url := start(t)
	file := write(t, "file", "x")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no command", []string{"wacth"}, []string{"unknown command"}},
		{"no URL", []string{"watch"}, []string{"for instance"}},
		{"unknown flag", []string{"watch", "--evry", "1s", url}, []string{"--evry", "--help"}},
		{"nothing listens", []string{"watch", "http://127.0.0.1:1"},
			[]string{"connection refused", "is the service up"}},
		{"no URL at all", []string{"watch", "ftp://127.0.0.1"}, []string{"use http, https or unix"}},
		{"negative interval", []string{"watch", "--interval", "-1s", url}, []string{"--interval is -1s", "100ms"}},
		{"zero interval", []string{"watch", "--interval", "0s", url}, []string{"--interval is 0s"}},
		{"negative limit", []string{"watch", "--for", "-1s", url}, []string{"--for is -1s"}},
		{"folder is a file", []string{"watch", "--dir", file, url}, []string{"cannot hold cases"}},
		{"read-only folder", []string{"watch", "--dir", "/proc/cases", url}, []string{"cannot hold cases"}},
		{"rules that do not parse", []string{"watch", "--rules", write(t, "r.json", "{\"schema\":1,\n\"rules\":[{]}"),
			url}, []string{"r.json", "line 2"}},
		{"unknown signal", []string{"watch", "--rules",
			write(t, "r.json", strings.Replace(heapRule, "heap_objects", "heep", 1)), url},
			[]string{"heap-objects", "when.signal", "heep"}},
		{"no rules file", []string{"watch", "--rules", "nowhere.json", url}, []string{"nowhere.json"}},
		{"no such file", []string{"diagnose", "nowhere.pb.gz"}, []string{"nowhere.pb.gz: no such file"}},
		{"unreachable", []string{"diagnose", "127.0.0.1:1"}, []string{"connection refused"}},
		{"not a profile", []string{"diagnose", file}, []string{file}},
		{"empty file", []string{"diagnose", write(t, "empty.pb.gz", "")}, []string{"empty"}},
		{"an HTML page", []string{"diagnose", write(t, "page.pb.gz", "<!DOCTYPE html><html></html>")},
			[]string{"HTML"}},
		{"a cut profile", []string{"diagnose", write(t, "cut.pb.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00")},
			[]string{"cut.pb.gz"}},
		{"an empty folder", []string{"diagnose", t.TempDir()}, []string{"holds no files"}},
		{"short profile", []string{"diagnose", "--profile", "1ms", url}, []string{"--profile is 1ms"}},
		{"unknown case", []string{"case", "show", "nope"}, []string{"nope"}},
		{"not a zip", []string{"case", "import", file}, []string{file}},
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

// What can be read is diagnosed, although something else cannot be read.
func TestOneBadFileAmongGood(t *testing.T) {
	t.Parallel()
	url := start(t, "-park", "3000")
	dir := t.TempDir()
	// It is ill a moment after its start.
	for !strings.Contains(fetch(t, url+"/debug/pprof/goroutine?debug=1"), "total 30") {
		time.Sleep(50 * time.Millisecond)
	}
	profile := fetch(t, url+"/debug/pprof/goroutine")
	if err := os.WriteFile(filepath.Join(dir, "goroutine.pb.gz"), []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(bad, []byte("it was slow on Tuesday"), 0o600); err != nil {
		t.Fatal(err)
	}
	casebook(t, dir, "diagnose", dir).want(t, 0, "left out", "notes.txt", "goroutine-surge", "main.park")
	casebook(t, dir, "diagnose", bad, filepath.Join(dir, "goroutine.pb.gz")).want(t, 2, "notes.txt", "goroutine-surge",
		"main.park")
}

func TestInterruptEndsWatch(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(bin, "watch", start(t))
	cmd.Dir = t.TempDir()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(stderr).ReadString('\n'); err != nil { // it is watching
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("Ctrl-C gave %v, want a clean end", err)
	}
}
