package cli_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A silentPipe is one that has said something and then says no more.
type silentPipe struct{ from, to *os.File }

func newSilentPipe(t *testing.T) *silentPipe {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { from.Close(); to.Close() })
	if _, err := to.WriteString(" "); err != nil {
		t.Fatal(err)
	}
	return &silentPipe{from, to}
}

// unread counts the bytes in the pipe (FIONREAD).
func (p *silentPipe) unread(t *testing.T) (n int32) {
	t.Helper()
	const fionread = 0x541b
	if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, p.from.Fd(), fionread, uintptr(unsafe.Pointer(&n))); no != 0 {
		t.Fatal(no)
	}
	return n
}

// interrupted starts a command, waits until it reads what does not end, and sends it one SIGINT.
func interrupted(t *testing.T, in *os.File, reads func(pid int) bool, args ...string) (r result, took time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Dir, cmd.Stdin = t.TempDir(), in
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !reads(cmd.Process.Pid) {
		select {
		case err := <-ended:
			t.Errorf("casebook %s ended before it read: %v\n%s%s", strings.Join(args, " "), err, &out, &errs)
			return result{code: cmd.ProcessState.ExitCode(), errors: "interrupted"}, 0
		case <-time.After(10 * time.Millisecond):
		}
	}
	began := time.Now()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill() // it is what this test is about
		<-ended
		t.Errorf("casebook %s still runs a minute after SIGINT", strings.Join(args, " "))
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, time.Since(began)
}

// The first SIGINT ends every command that reads something which does not come to an end: here a pipe that says no more.
func TestInterruptWhileReading(t *testing.T) {
	t.Parallel()
	cpu, err := filepath.Abs(hotCPU(t))
	if err != nil {
		t.Fatal(err)
	}
	var slowest time.Duration
	commands := []string{"diagnose -", "diagnose /dev/stdin", "diagnose --base /dev/stdin " + cpu, "compare - " + cpu,
		"compare /dev/stdin " + cpu, "rules check /dev/stdin",
		"watch --rules /dev/stdin http://127.0.0.1:1", "watch --config /dev/stdin",
		"capture --bearer-file /dev/stdin http://127.0.0.1:1", "serve --store s --engine file:/dev/stdin",
		"mcp --dir . --http 127.0.0.1:0 --token-file /dev/stdin", "trace /dev/stdin",
		"load --rate 5 --targets -", "load --rate 5 --targets /dev/stdin http://127.0.0.1:1", "replay -",
		"gate --proof /dev/stdin", "gate comment --github --markdown /dev/stdin", "pgo -", "lint --profile /dev/stdin",
		"lint --without-heat --baseline /dev/stdin", "fix --profile /dev/stdin", "escape --profile /dev/stdin"}
	for _, args := range commands {
		p := newSilentPipe(t)
		r, took := interrupted(t, p.from, func(int) bool { return p.unread(t) == 0 }, strings.Fields(args)...)
		if r.code == 0 || r.code == -1 || !strings.Contains(r.errors, "interrupted") {
			t.Errorf("casebook %s: exit code %d, it said %q", args, r.code, r.errors)
		}
		slowest = max(slowest, took)
	}
	t.Logf("attack: %d commands that read a pipe which says no more end at the first SIGINT, the slowest after %.1f s",
		len(commands), slowest.Seconds())
}

// deadMount is a file system whose server never answers.
func deadMount(t *testing.T) (dir string) {
	t.Helper()
	fuse, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	dir = t.TempDir()
	options := "fd=" + strconv.Itoa(int(fuse.Fd())) + ",rootmode=40000,user_id=0,group_id=0"
	if err := syscall.Mount("dead", dir, "fuse", 0, options); err != nil {
		fuse.Close()
		t.Skip("mounting: ", err)
	}
	t.Cleanup(func() {
		_ = syscall.Unmount(dir, syscall.MNT_DETACH) // closing the device ends what waits
		fuse.Close()
	})
	return dir
}

// A mount whose server is gone holds up opening and listing, too.
func TestInterruptOnDeadMount(t *testing.T) {
	t.Parallel()
	dead := deadMount(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dead, link); err != nil {
		t.Fatal(err)
	}
	var slowest time.Duration
	commands := []string{"diagnose " + dead, "diagnose " + link, "diagnose " + dead + "/cpu.pb.gz", "compare " + dead + " x",
		"case ls --dir " + dead, "case show --dir " + dead, "case import " + dead + "/x.zip", "rules check " + dead + "/r.json",
		"watch --rules " + dead + "/r.json http://127.0.0.1:1", "lint --without-heat --source " + dead, "pgo " + dead,
		"gate --proof " + dead, "heap " + dead + "/heap"}
	for _, args := range commands {
		r, took := interrupted(t, nil, waitsForFuse(t), strings.Fields(args)...)
		if r.code == 0 || r.code == -1 {
			t.Errorf("casebook %s: exit code %d, it said %q", args, r.code, r.errors)
		}
		slowest = max(slowest, took)
	}
	t.Logf("attack: %d commands on a mount whose server is gone end at the first SIGINT, the slowest after %.1f s",
		len(commands), slowest.Seconds())
}

// waitsForFuse reports whether a thread of a process waits for a file system. It must not be the main thread: Linux would
// give it the signal, and it hears of none until the file system answers.
func waitsForFuse(t *testing.T) func(pid int) bool {
	return func(pid int) bool {
		tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/wchan")
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			if text, err := os.ReadFile(task); err == nil && (strings.Contains(string(text), "fuse") ||
				strings.Contains(string(text), "request_wait")) {
				if strings.HasSuffix(task, "/task/"+strconv.Itoa(pid)+"/wchan") {
					t.Errorf("the main thread of process %d waits for the file system", pid)
				}
				return true
			}
		}
		return false
	}
}

// A folder may be the whole machine: what is no evidence is left, and the kernel's views are not waited for.
func TestDiagnoseTheMachine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, to := range map[string]string{"root": "/", "proc": "/proc", "sys": "/sys/kernel", "dev": "/dev"} {
		link := filepath.Join(dir, name)
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		r := casebook(t, dir, "diagnose", link)
		if r.code < 0 || r.code > 2 || r.out+r.errors == "" { // some machine may have evidence there
			t.Errorf("a link to %s: exit code %d, it said %q", to, r.code, r.errors)
		}
	}
	casebook(t, dir, "diagnose", "/proc/kmsg").want(t, 2, "/proc/kmsg is a view of the kernel, which may have no end, not a file")
	casebook(t, dir, "rules", "check", "/proc/kmsg").want(t, 2, "is a view of the kernel")
}
