//go:build unix

package reporter_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/reporter"
)

// sh is a shell command that runs once.
func sh(script string, args ...string) reporter.Reporter {
	r := reporter.Exec("/bin/sh", append([]string{"-c", script, "sh"}, args...)...)
	r.Retry.Tries = 1
	return r
}

func TestExec(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r := sh(
		`printf '%s\n' "$1" "$2" "$CASEBOOK_CASE" "$CASEBOOK_ID" "$CASEBOOK_SERVICE" "$CASEBOOK_RULE" "$CASEBOOK_TEXT" `+
			`"$CASEBOOK_FINDING" "$CASEBOOK_SCORE" "$CASEBOOK_WHERE" "$CASEBOOK_REMEDY" "$CASEBOOK_LABEL_ZONE_A" "$HOME" > `+
			out,
		"first arg; $(x)")
	t.Setenv("HOME", "/home/test")
	err := r.Send(t.Context(), reporter.Report{Case: casetest.Sample(), Folder: "/var/case x",
		Labels: map[string]string{"zone-a": "b\x00c"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"first arg; $(x)", "/var/case x", "/var/case x", casetest.Sample().ID, "phones", "gc-cpu",
		casetest.Sample().Trigger.Text,
		"GC003 Many pointers in the heap", "80", "main.load (cache.go:42)", "Keep the entries in pointer-free memory",
		"b c", "/home/test", ""}
	if string(got) != strings.Join(want, "\n") {
		t.Errorf("the command saw\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestExecFails(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"status", "echo to stdout; echo to stderr >&2; exit 3", "exit status 3; it printed: to stdout to stderr"},
		{"signal", "kill -9 $$", "signal: killed"},
		{"much output", "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; echo end; exit 1",
			"line 2999 end"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := report(t, sh(tt.script))
			wantCounts(t, s, counts{failed: 1})
			if !strings.Contains(s.LastError, tt.want) && !strings.Contains(s.LastError, "it printed") ||
				len(s.LastError) > 3*maxOutput {
				t.Errorf("last error of %d bytes: %.300s, want %q in it", len(s.LastError), s.LastError, tt.want)
			}
			err := sh(tt.script).Send(t.Context(), reporter.Report{Case: casetest.Sample(), Folder: "/x"})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Send said %v, want %q in it", err, tt.want)
			}
		})
	}
}

// When its time is up, the command and everything that it started are killed.
func TestExecTimeout(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	r := sh(`sleep 600 & echo waiting; echo $! > ` + pids + `; trap "" TERM; wait; sleep 600`)
	ctx, cancel := context.WithCancel(t.Context())
	said := make(chan error, 1)
	go func() { said <- r.Send(ctx, reporter.Report{Case: casetest.Sample(), Folder: "/x"}) }()
	child := pidIn(t, pids)
	cancel()
	err := <-said
	if err == nil || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(),
		"was killed") || !strings.Contains(err.Error(), "it printed: waiting") {
		t.Errorf("Send said %v", err)
	}
	eventually(t, "without the child", func() bool { return !alive(child) })
}

// pidIn waits for the process ID that a command writes to a file.
func pidIn(t *testing.T, path string) (pid int) {
	t.Helper()
	eventually(t, "a process ID in "+path, func() bool {
		data, _ := os.ReadFile(path)
		line, whole := strings.CutSuffix(string(data), "\n")
		n, err := strconv.Atoi(line)
		pid = n
		return whole && err == nil
	})
	return pid
}

// alive reports whether the process exists and is not a zombie that waits for its parent.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// A command that leaves a child behind, with the pipe open, has done its work.
func TestExecLeavesAChild(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	wantCounts(t, report(t, sh("sleep 600 & echo $! > "+pids+"; exit 0")), counts{sent: 1})
	if err := syscall.Kill(pidIn(t, pids), syscall.SIGKILL); err != nil {
		t.Errorf("the child did not outlive the command: %v", err)
	}
}
