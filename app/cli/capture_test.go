package cli_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// onlyCase is the only case in a folder.
func onlyCase(t *testing.T, dir string) *casefile.Folder {
	t.Helper()
	list, err := casefile.Dir(dir).List()
	if err != nil || len(list) != 1 || list[0].Unfinished {
		t.Fatalf("cases %+v, %v; want one, finished", list, err)
	}
	f, err := casefile.Open(list[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range f.Verify() {
		t.Error(err)
	}
	return f
}

func kindsOf(c casefile.Case, phase casefile.Phase) string {
	var kinds []string
	for _, e := range c.Evidence {
		if e.Phase == phase {
			kinds = append(kinds, e.Kind)
		}
	}
	return strings.Join(kinds, " ")
}

func TestCaptureByHand(t *testing.T) {
	t.Parallel()
	url := startIll(t)
	dir, r := longEnough(t, 3*time.Second, func(dir, profile string) result {
		return casebook(t, dir, "capture", "--reason", "checkout is slow", "--profile", profile, "--before", "4s",
			"--dir", "cases", "--kinds", "heap,cpu,heap", url)
	})
	f := onlyCase(t, dir+"/cases")
	// Which finding leads depends on how much CPU the other tests leave; what holds the heap does not.
	r.want(t, codeOf(f.Case), "watching victim", "heap.pb.gz", "main.go:33", "Case    ", "Report  ")
	if !regexp.MustCompile(`gc-|alloc-|mem-|cpu-neighbours`).MatchString(r.out) {
		t.Errorf("no finding of memory, nor of a starved process, in\n%s", r.out)
	}
	narrow(t, r.out)
	if c := f.Case; c.Trigger.Rule != "manual" || c.Trigger.Text != "checkout is slow" || c.Target.PID == 0 {
		t.Errorf("trigger %+v of %+v", c.Trigger, c.Target)
	}
	taken := strings.Fields(kindsOf(f.Case, casefile.During))
	slices.Sort(taken) // what spans time ends in any order
	if got := strings.Join(taken, " "); got != "course cpu heap neighbours vitals" {
		t.Errorf("taken during: %q, want what --kinds names, each once, the vitals, and the course and the neighbours "+
			"of the CPU profile", got)
	}
	if got := kindsOf(f.Case, casefile.Before); got != "vitals" {
		t.Errorf("taken before: %q, want the vitals", got)
	}
	casebook(t, dir, "case", "show", "--dir", "cases").want(t, 0, "Tripped  manual: checkout is slow", "report.html")
}

func TestCaptureOfAHealthyService(t *testing.T) {
	t.Parallel()
	url := start(t)
	casebook(t, t.TempDir(), "capture", "--profile", "1s", "--before", "0s", url).wantHealthy(t, "Case    ",
		"Report  ")
	r := casebook(t, t.TempDir(), "capture", "--profile", "1s", "--before", "0s", "--kinds", "heap", "--json", url)
	r.want(t, 0, `"event":"captured"`, `"event":"case"`, `"diagnosis":{`)
}

// A capture by hand does not prune: existing cases belong to the watch.
func TestCapturePrunesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := oldCases(t, dir, 3, 24*365)
	casebook(t, t.TempDir(), "capture", "--profile", "1s", "--before", "0s", "--kinds", "goroutine", "--dir", dir,
		start(t)).want(t, 0, "Case    ")
	if list, err := casefile.Dir(dir).List(); err != nil || len(list) != len(old)+1 {
		t.Errorf("%d cases are left of %d (%v)", len(list), len(old)+1, err)
	}
}

// interrupt starts a capture, sends it Ctrl-C when it has printed text, and returns its exit code and the rest of what
// it printed.
func interrupt(t *testing.T, text string, args ...string) (code int, said string) {
	t.Helper()
	cmd := exec.Command(bin, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for sc, sent := bufio.NewScanner(stderr), false; sc.Scan(); {
		all.WriteString(sc.Text() + "\n")
		if !sent && strings.Contains(sc.Text(), text) {
			sent = true
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), all.String()
}

func TestInterruptKeepsWhatIsCaptured(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, said := interrupt(t, "goroutine.pb.gz", "capture", "--profile", "1m", "--before", "0s", "--dir", dir,
		"--kinds", "goroutine,cpu", start(t))
	if code != 2 || !strings.Contains(said, "interrupted; the case has what was taken so far") {
		t.Errorf("exit code %d, it said:\n%s", code, said)
	}
	f := onlyCase(t, dir)
	if len(f.Case.Missing) == 0 || f.Case.Missing[0].Kind != casefile.CPU ||
		!strings.HasPrefix(kindsOf(f.Case, casefile.During), "goroutine") {
		t.Errorf("evidence %+v, missing %+v; want the goroutines kept and the CPU profile missing", f.Case.Evidence,
			f.Case.Missing)
	}
	if _, err := f.Read("report.html"); err != nil {
		t.Error(err)
	}
}

func TestInterruptBeforeTheCase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	code, said := interrupt(t, "watching victim", "capture", "--before", "10m", "--dir", dir, start(t))
	if code != 2 || !strings.Contains(said, "interrupted before a case was opened") {
		t.Errorf("exit code %d, it said:\n%s", code, said)
	}
	if list, err := casefile.Dir(dir).List(); err != nil || len(list) != 0 {
		t.Errorf("cases %+v, %v; want none", list, err)
	}
}

func TestCaptureBadInput(t *testing.T) {
	t.Parallel()
	url := start(t)
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no URL", nil, []string{"needs the URL", "for instance"}},
		{"two URLs", []string{url, url}, []string{"takes one URL"}},
		{"nothing listens", []string{"http://127.0.0.1:1"}, []string{"connection refused"}},
		{"unknown kind", []string{"--kinds", "cpu,hep", url}, []string{"--kinds", `"hep"`, "known: cpu"}},
		{"no kind", []string{"--kinds", "", url}, []string{"--kinds is empty"}},
		{"negative before", []string{"--before", "-1s", url}, []string{"--before is -1s"}},
		{"endless before", []string{"--before", "1h", url}, []string{"--before is 1h"}},
		{"zero profile", []string{"--profile", "0s", url}, []string{"--profile is 0s"}},
		{"short profile", []string{"--profile", "1ms", url}, []string{"ProfileFor is 1ms"}},
		{"folder is a file", []string{"--dir", write(t, "file", "x"), url}, []string{"cannot hold cases"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := casebook(t, t.TempDir(), append([]string{"capture"}, c.args...)...)
			r.want(t, 2, c.want...)
			if strings.Contains(r.errors, "panic") || strings.Count(r.errors, "\n") > 3 {
				t.Errorf("not a clear message:\n%s", r.errors)
			}
		})
	}
}
