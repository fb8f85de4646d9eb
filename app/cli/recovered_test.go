package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	library "github.com/gocasebook/casebook"
)

// selfDir names the folder of cases of a child: this test binary, run again as a service that watches itself.
const selfDir = "CASEBOOK_CLI_TEST_SELF"

// beService says "ready" after its first sample, and ends when its standard input does.
func beService(dir string) int {
	samples := 0
	stop, err := library.Start(library.Config{
		Dir: dir, Service: "shop", Interval: 100 * time.Millisecond, Windows: -1,
		OnEvent: func(e library.Event) {
			if e.Kind == library.Sampled {
				if samples++; samples == 3 {
					fmt.Println("ready")
				}
			}
		},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := stop(); err != nil {
		return 2
	}
	return 0
}

// A service that watched itself and was killed: the next watch of its folder reports it and writes the report page.
func TestKilledServiceIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	service := exec.Command(os.Args[0])
	service.Env = append(os.Environ(), selfDir+"="+dir)
	in, err := service.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := service.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
		t.Fatal(err)
	}
	if err := service.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = service.Wait() // it says that it was killed
	r := inProcess(t, "watch", "--for", "1s", "--dir", dir, start(t))
	r.want(t, 0, "shop ended at ", "the process ended without a word", "wrote a case with its last vitals: ")
	f := onlyCase(t, dir)
	if _, err := os.Stat(filepath.Join(f.Path, "report.html")); err != nil || f.Case.Trigger.Rule != "killed" ||
		f.Case.Target.Name != "shop" {
		t.Errorf("the case is %s of %s, its report: %v", f.Case.Trigger.Rule, f.Case.Target.Name, err)
	}
}

// When a watch is killed in the middle of a case, the next watch finishes the case.
func TestKilledWatchLosesNoCase(t *testing.T) {
	t.Parallel()
	dir, url := t.TempDir(), start(t)
	rules := write(t, "r.json", strings.Replace(tripRules, `["heap"]`, `["heap","cpu"]`, 1))
	b := begin(t, dir, "watch", "--profile", "1m", "--rules", rules, url)
	b.await(t, "heap.pb.gz")
	b.signal(t, os.Kill)
	<-b.ended
	r := casebook(t, dir, "watch", "--for", "1s", "--rules", rules, url)
	r.want(t, 0, "finished the case that an earlier watch left behind: ", "cases    0 cases")
	f := onlyCase(t, filepath.Join(dir, "casebook-cases"))
	if _, err := os.Stat(filepath.Join(f.Path, "report.html")); err != nil || f.Case.Trigger.Rule != "any" {
		t.Errorf("the case is of %s, its report: %v", f.Case.Trigger.Rule, err)
	}
}
