package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/race"
)

// The demo finds the shop's fault, shows its line, proves the repair, and leaves a case and no process. It knows nothing
// of the fault but where the source is. With the race detector a program computes ten times as slowly, while its
// collector does not: the shop would be another service.
func TestDemo(t *testing.T) {
	race.Skip(t)
	t.Parallel()
	program, dir := ownName(t, bin), t.TempDir()
	b := beginCommand(t, dir, exec.Command(program, "demo", "--dir", "cases"))
	r := b.wait(t)
	text := r.out
	r.want(t, 0, "$ casebook watch --once", "rule gc-cpu tripped", "regexp-compile", "$ casebook prove",
		"verdict: better", " is closed.\n", "casebook serve --dir cases")
	if !regexp.MustCompile(`(?m)^> +\d+ +ok, err := regexp\.MatchString\(`).MatchString(text) {
		t.Errorf("it does not show the line:\n%s", text)
	}
	c := onlyCase(t, filepath.Join(dir, "cases")).Case
	if c.Proof == nil || c.Proof.Verdict != casefile.Better {
		t.Errorf("the case has the proof %+v", c.Proof)
	}
	if !slices.ContainsFunc(c.Findings, func(f casefile.Finding) bool {
		return f.Kind == "regexp-compile" && strings.HasSuffix(f.Where[0].Function, "demo.wellFormed")
	}) { // the first, unless a busy machine leaves the shop so little CPU that other processes are the worse trouble
		t.Errorf("the compiling of expressions is not among the findings: %+v", c.Findings)
	}
	if left := running(t, program); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// Ctrl-C ends the shop, and removes the case.
func TestDemoInterrupted(t *testing.T) {
	t.Parallel()
	program, temporary := ownName(t, bin), t.TempDir()
	cmd := exec.Command(program, "demo")
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	b := beginCommand(t, t.TempDir(), cmd)
	b.await(t, "watching shop ")
	b.stop(t).want(t, 130, "Interrupted. All that the demo had started has ended.")
	if left := running(t, program); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
}

// A folder that cannot hold the case is reported before anything starts.
func TestDemoNowhere(t *testing.T) {
	t.Parallel()
	file := write(t, "file", "")
	r := inProcess(t, "demo", "--dir", file)
	r.want(t, 2, "cannot hold cases")
	if strings.Contains(r.out, "A shop starts") {
		t.Errorf("it has begun:\n%s", r.out)
	}
}
