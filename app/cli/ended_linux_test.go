package cli_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// dying runs a command, ends the process that it captures once it has printed text, and returns the result.
func dying(t *testing.T, dir, text string, stop func(), args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if stop != nil && strings.Contains(lines.Text(), text) {
			stop()
			stop = nil
		}
	}
	_ = cmd.Wait() // the exit code says it
	return result{cmd.ProcessState.ExitCode(), out.String(), said.String()}
}

// A process that ends, or is replaced, while evidence is taken from it: never "nothing found" with exit code 0.
func TestProcessEndsDuringACapture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		replace bool
		args    []string
	}{
		{"capture", false, []string{"capture", "--dir", "cases", "--before", "0s"}},
		{"capture, another takes its place", true, []string{"capture", "--dir", "cases", "--before", "0s"}},
		{"diagnose", false, []string{"diagnose", "--dir", "cases"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			addr, stop := victimtest.Start(t, victim)
			end := func() {
				stop()
				if c.replace {
					victimtest.Start(t, victim, "-listen", addr)
				}
			}
			r := dying(t, dir, "heap.pb.gz", end, append(c.args, "--profile", "5s", "http://"+addr)...)
			f := onlyCase(t, dir+"/cases")
			r.want(t, 2, "the process ended while its evidence was taken", "ended", "is kept as case", f.Case.ID)
			if strings.Contains(r.out+r.errors, "Nothing found") {
				t.Errorf("it says that nothing was found:\n%s%s", r.out, r.errors)
			}
			if got := kindsOf(f.Case, casefile.During); !strings.Contains(got, "goroutine") ||
				!strings.Contains(got, "heap") {
				t.Errorf("kept is %q; want what was taken before", got)
			}
		})
	}
}
