package instance

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// The status of a process that its parent has reaped, and of one that still waits for that.
func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		script string
		want   End
	}{
		{"read x; exit 3", End{Known: true, Code: 3}},
		{"read x; exit 0", End{Known: true}},
		{"read x; kill -9 $$", End{Known: true, Signal: syscall.SIGKILL}},
		{"read x; kill -15 $$", End{Known: true, Signal: syscall.SIGTERM}},
	} {
		cmd := exec.Command("sh", "-c", c.script)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		p, err := newProcess(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if !p.lives() {
			t.Error("a process that waits for its input has ended")
		}
		if _, known := exitStatus(p.exit); known {
			t.Error("a process that lives has an exit status")
		}
		_, _ = in.Write([]byte("\n"))
		for p.lives() && t.Context().Err() == nil {
			_ = sleep(t.Context(), time.Millisecond)
		}
		check := func(when string, got End) {
			got.PID, got.OOMKills = 0, 0
			if got != c.want {
				t.Errorf("%q, %s: %+v, want %+v", c.script, when, got, c.want)
			}
		}
		check("not collected", p.ended())
		_ = cmd.Wait() // it says how it ended
		if _, known := exitStatus(p.exit); known {
			check("collected", p.ended())
		} else {
			t.Log("this kernel (before Linux 6.15) does not tell of a process that was collected")
		}
		p.close()
		if e := p.ended(); e.Known {
			t.Errorf("a process that was closed reports %+v", e)
		}
	}
}

func TestOOMCounts(t *testing.T) {
	root := t.TempDir()
	proc, group := filepath.Join(root, "proc"), filepath.Join(root, "cgroup/shop")
	for _, dir := range []string{proc, group} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	events, machine := filepath.Join(group, "memory.events"), filepath.Join(proc, "vmstat")
	write(events, "low 0\noom 4\noom_kill 2\noom_group_kill 0\n")
	write(machine, "pgfault 7\noom_kill 9\n")
	c := newOOMCounts(proc, group)
	if n := c.since(); n != 0 {
		t.Errorf("%d kills since now", n)
	}
	write(machine, "oom_kill 10\n")
	if n := c.since(); n != 0 {
		t.Errorf("%d kills, and that was in another group", n)
	}
	write(events, "oom_kill 3\n")
	if n := c.since(); n != 1 {
		t.Errorf("%d kills in its group, want 1", n)
	}
	c.files[0].close() // the container is gone: reading fails
	if n := c.since(); n != 1 {
		t.Errorf("%d kills on the machine, want 1", n)
	}
	c.close()
	if n := c.since(); n != -1 {
		t.Errorf("%d kills that nobody counts, want -1", n)
	}
}
