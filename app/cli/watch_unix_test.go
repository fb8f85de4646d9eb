//go:build unix

package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// SIGUSR1 opens a case, and the watch continues.
func TestSignalOpensACase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := begin(t, dir, "watch", "--profile", "1s", "--interval", "200ms", start(t))
	b.await(t, "watching victim")
	b.signal(t, syscall.SIGUSR1)
	b.await(t, "Report  ")
	b.stop(t).want(t, 0, "a case by signal: the process received user defined signal 1", "cases    1 case")
	if c := onlyCase(t, filepath.Join(dir, "casebook-cases")).Case; c.Trigger.Rule != "signal" {
		t.Errorf("the trigger is %+v", c.Trigger)
	}
}

// Rolling windows hold what happened before the trip.
func TestRollingWindows(t *testing.T) {
	t.Parallel()
	dir, url := t.TempDir(), start(t)
	b := begin(t, dir, "watch", "--json", "--rolling", "--profile", "1s", url)
	eventually(t, "a window", func() bool { // its handler waits in the victim
		return strings.Contains(fetch(t, url+"/debug/pprof/goroutine?debug=1"), "net/http/pprof.Profile+")
	})
	b.signal(t, syscall.SIGUSR1)
	b.await(t, `"event":"case"`)
	b.stop(t).want(t, 0, "cpu-before-1.pb.gz", `"windows":`)
	f := onlyCase(t, filepath.Join(dir, "casebook-cases"))
	var before, during casefile.Evidence
	for _, e := range f.Case.Evidence {
		switch {
		case e.Kind == casefile.CPU && e.Phase == casefile.Before:
			before = e
		case e.Kind == casefile.Goroutine && e.Phase == casefile.During:
			during = e
		}
	}
	if before.File == "" || !before.Taken.Before(f.Case.Trigger.Time) {
		t.Errorf("the window is %+v, want one that began before the trip at %s", before, f.Case.Trigger.Time)
	}
	if end := before.Taken.Add(time.Duration(before.Seconds * float64(time.Second))); during.File == "" ||
		during.Taken.After(end) {
		t.Errorf("the goroutines were captured at %s, after the window's end at %s; a snapshot should not wait "+
			"for that",
			during.Taken, end)
	}
}

// fullPipe is a full pipe that nobody reads.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	fd := int(w.Fd()) // and blocking, as a shell's is
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for chunk := make([]byte, 1); ; {
		if _, err := syscall.Write(fd, chunk); err != nil {
			break
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
	return w
}

// tree is what is in a folder, with sizes and times.
func tree(dir string) string {
	var b strings.Builder
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil {
			fmt.Fprintln(&b, info.ModTime().Format(time.TimeOnly), info.Size(), path)
		}
		return nil
	})
	return b.String()
}

// skipIfIgnored skips a test of a signal that this process was started to ignore, as nohup does: its children ignore
// it, too.
func skipIfIgnored(t *testing.T, sig os.Signal) {
	t.Helper()
	if signal.Ignored(sig) {
		t.Skipf("%v is ignored here", sig)
	}
}

// `watch … | sleep 1000`: a reader that does not read keeps the watch neither from taking samples and cases, nor from
// ending.
func TestReaderThatStalls(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM,
		"SIGHUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			skipIfIgnored(t, sig)
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.Command(bin, "watch", "--json", "--profile", "1s", "--interval", "100ms", "--rules",
				write(t, "r.json", tripRules), start(t))
			cmd.Dir, cmd.Stdout = dir, fullPipe(t)
			cmd.Stderr = cmd.Stdout // 2>&1
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			late := time.After(patience)
			for drawn := []string(nil); len(drawn) == 0; drawn, _ = filepath.Glob(
				filepath.Join(dir, "casebook-cases", "2*", "report.html")) {
				select {
				case err := <-ended:
					t.Fatalf("the watch ended: %v", err)
				case <-late:
					_ = cmd.Process.Kill()
					t.Fatalf("no case in time: the watch waits for its reader; there is\n%s", tree(dir))
				case <-time.After(50 * time.Millisecond): // and look again
				}
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			select {
			case <-ended:
			case <-late:
				_ = cmd.Process.Kill()
				t.Fatal("the watch does not end")
			}
			if code := cmd.ProcessState.ExitCode(); code != 2 {
				t.Errorf("exit code %d, want 2: %s", code, cmd.ProcessState)
			}
		})
	}
}

// A terminal that is closed ends the watch properly.
func TestHangupEndsInOrder(t *testing.T) {
	skipIfIgnored(t, syscall.SIGHUP)
	t.Parallel()
	b := begin(t, t.TempDir(), "watch", start(t))
	b.await(t, "watching victim")
	b.signal(t, syscall.SIGHUP)
	<-b.ended
	if said, _ := b.text(); b.cmd.ProcessState.ExitCode() != 0 || !strings.Contains(said, "watched  ") {
		t.Errorf("%s; it said:\n%s", b.cmd.ProcessState, said)
	}
}

// While the first signal is still ending the watch properly, a second one ends the process at once.
func TestSecondSignalKills(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "slow.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	b := begin(t, dir, "watch", "--profile", "1s", "--rules", write(t, "r.json", tripRules), "--exec", script, start(t))
	b.await(t, "Report  ")
	for again := true; again; { // the reporter's grace period is 5 s
		_ = b.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		select {
		case <-b.ended:
			again = false
		case <-time.After(10 * time.Millisecond):
		}
	}
	if ws, ok := b.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !ws.Signaled() {
		t.Errorf("it ended with %s, want the signal's own end", b.cmd.ProcessState)
	}
}
