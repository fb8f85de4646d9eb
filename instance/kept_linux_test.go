package instance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// recorded is /proc and /sys/fs/cgroup of process 4242, whose cgroup has a quota, a memory limit and pressure files.
func recorded(t *testing.T, more map[string]string) (proc, cgroups string) {
	t.Helper()
	files := map[string]string{
		"proc/uptime":          "100.00 150.00\n",
		"proc/pressure/cpu":    "some avg10=50.00 avg60=0.00 avg300=0.00 total=0\n",
		"proc/pressure/memory": "some avg10=40.00 avg60=0.00 avg300=0.00 total=0\n",
		"proc/4242/stat":       statLine(300, 3),
		"proc/4242/status":     "Name:\tapp\nCpus_allowed_list:\t0-2,7\n",
		"proc/4242/limits":     "Max open files            1000                 4096                 files\n",
		"proc/4242/cgroup":     "0::/app\n",
		"proc/4242/fd/0":       "",
		"proc/4242/io":         ioText(1000, 100, 500, 10, 4096),

		"cg/cgroup.procs": "", "cg/app/cgroup.procs": "",
		"cg/app/cpu.max": "150000 100000\n", "cg/app/memory.max": "40960000\n",
		"cg/app/cpu.stat":     "usage_usec 1\nnr_periods 100\nnr_throttled 10\n",
		"cg/app/cpu.pressure": "some avg10=12.50 avg60=0.00 avg300=0.00 total=0\n",
	}
	for name, text := range more {
		files[name] = text
	}
	root := tree(t, files)
	return filepath.Join(root, "proc"), filepath.Join(root, "cg")
}

func statLine(userTicks, threads int) string {
	return fmt.Sprintf("4242 (app) S 1 1 1 0 -1 4194560 1 0 0 0 %d 0 0 0 20 0 %d 0 5000 1000000 1000 1\n", userTicks,
		threads)
}

func ioText(bytesRead, bytesWritten, reads, writes, toDisks int) string {
	return fmt.Sprintf("rchar: %d\nwchar: %d\nsyscr: %d\nsyscw: %d\nread_bytes: 4096\nwrite_bytes: %d\n"+
		"cancelled_write_bytes: 0\n", bytesRead, bytesWritten, reads, writes, toDisks)
}

func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRecordedProcess(t *testing.T) {
	proc, cgroups := recorded(t, nil)
	p, err := openProcess(mounts{proc: proc, cgroups: cgroups}, 4242)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if p.limits.CPUs != 1.5 || p.limits.CPUQuota != 1.5 || p.limits.OpenFiles != 1000 ||
		p.limits.MemoryBytes != 40960000 {
		t.Errorf("limits are %+v", p.limits)
	}
	if age := time.Since(p.started); age < 50*time.Second || age > 80*time.Second {
		t.Errorf("started %v ago, want 50 s: 100 s of uptime less 5000 ticks", age)
	}
	var absent reasons
	at := time.Unix(1000, 0)
	first := vitals.NewSample(at)
	if err := p.sample(&first, first.Time, &absent); err != nil {
		t.Fatal(err)
	}
	// A file that is kept open must be read anew each time.
	overwrite(t, filepath.Join(proc, "4242/stat"), statLine(450, 5))
	overwrite(t, filepath.Join(cgroups, "app/cpu.stat"), "nr_periods 120\nnr_throttled 15\n")
	overwrite(t, filepath.Join(cgroups, "app/cpu.pressure"), "some avg10=25.00 avg60=0.00 avg300=0.00 total=0\n")
	overwrite(t, filepath.Join(proc, "4242/io"), ioText(9000, 2100, 520, 210, 12288))
	s := vitals.NewSample(at.Add(2 * time.Second))
	if err := p.sample(&s, s.Time, &absent); err != nil {
		t.Fatal(err)
	}
	rss := 1000 * float64(os.Getpagesize())
	for id, want := range map[vitals.ID]float64{
		vitals.CPU: 0.75, vitals.CPUShare: 0.5, vitals.Threads: 5, vitals.RSS: rss, vitals.Throttled: 0.25,
		vitals.MemoryLimit: 40960000, vitals.MemoryShare: rss / 40960000, vitals.MemoryHeadroom: 40960000 - rss,
		vitals.CPULimit:  1.5,
		vitals.ReadCalls: 10, vitals.WriteCalls: 100, vitals.ReadRate: 4000, vitals.WriteRate: 1000, vitals.DiskWrites: 4096,
		vitals.CPUPressure:    0.25, // the cgroup's
		vitals.MemoryPressure: 0.40, // the machine's: the cgroup has no such file
	} {
		if got, ok := s.Get(id); !ok || got != want {
			t.Errorf("%s is %g (present: %v), want %g", id, got, ok, want)
		}
	}
	if v, ok := first.Get(vitals.CPU); ok {
		t.Errorf("cpu is %g in the first sample; there is nothing to compare it with", v)
	}

	// Of somebody else's process /proc/PID/io may not be read: the kernel opens it, and refuses the reading.
	p.files.io.close()
	p.files.io.err = os.ErrPermission
	s = vitals.NewSample(at.Add(3 * time.Second))
	if err := p.sample(&s, s.Time, &absent); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get(vitals.WriteCalls); ok || !strings.Contains(absent.all()["write_calls"], "root may") {
		t.Errorf("write_calls of a hidden /proc/PID/io: want it absent, with a reason, got %v", absent.all())
	}

	// When a cgroup is removed under a process, its numbers are absent, and the sample is still there.
	p.files.cpuStat.close()
	p.files.cpuStat.err = os.ErrNotExist
	s = vitals.NewSample(at.Add(3 * time.Second))
	if err := p.sample(&s, s.Time, &absent); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get(vitals.Throttled); ok || absent.all()["throttled"] == "" {
		t.Error("throttled without cpu.stat: want it absent, with a reason")
	}
}

// TestLateReading: a target that is short of CPU answers late, and the process is read only after that. Its CPU is over
// the time between readings, not between samples.
func TestLateReading(t *testing.T) {
	proc, cgroups := recorded(t, nil)
	p, err := openProcess(mounts{proc: proc, cgroups: cgroups}, 4242)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var absent reasons
	at := time.Unix(1000, 0)
	first := vitals.NewSample(at)
	if err := p.sample(&first, at.Add(time.Second), &absent); err != nil {
		t.Fatal(err)
	}
	overwrite(t, filepath.Join(proc, "4242/stat"), statLine(450, 5)) // 1.5 s of CPU later
	s := vitals.NewSample(at.Add(2 * time.Second))
	if err := p.sample(&s, at.Add(4*time.Second), &absent); err != nil {
		t.Fatal(err)
	}
	if got, ok := s.Get(vitals.CPU); !ok || got != 0.5 {
		t.Errorf("cpu is %g (present: %v), want 0.5: 1.5 s in the 3 s between the readings", got, ok)
	}
}

func TestProcessSampleAllocatesNothing(t *testing.T) {
	proc, cgroups := recorded(t, nil)
	p, err := openProcess(mounts{proc: proc, cgroups: cgroups}, 4242)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var absent reasons
	at := time.Unix(1000, 0)
	if n := testing.AllocsPerRun(100, func() {
		at = at.Add(time.Second)
		s := vitals.NewSample(at)
		if err := p.sample(&s, s.Time, &absent); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a sample of a process with every limit allocates %g times", n)
	}
}

func TestNoPressureNoLimits(t *testing.T) {
	proc, _ := recorded(t, map[string]string{"proc/pressure/cpu": "", "proc/pressure/memory": ""}) // as with psi=0
	p, err := openProcess(mounts{proc: proc, cgroups: t.TempDir()}, 4242)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var absent reasons
	s := vitals.NewSample(time.Unix(1000, 0))
	if err := p.sample(&s, s.Time, &absent); err != nil {
		t.Fatal(err)
	}
	for _, id := range []vitals.ID{vitals.CPUPressure, vitals.MemoryPressure, vitals.Throttled, vitals.MemoryLimit,
		vitals.MemoryShare, vitals.MemoryHeadroom} {
		if v, ok := s.Get(id); ok || absent.all()[id.String()] == "" {
			t.Errorf("%s is %g; want it absent, with a reason", id, v)
		}
	}
	if p.limits.CPUs != 4 {
		t.Errorf("%g CPUs without a quota, want the mask's 4", p.limits.CPUs)
	}
}

func TestOpenProcessFails(t *testing.T) {
	for name, more := range map[string]map[string]string{
		"no process": nil,
		"bad stat":   {"proc/4343/stat": "4343 (x) S 1"},
	} {
		proc, cgroups := recorded(t, more)
		if p, err := openProcess(mounts{proc: proc, cgroups: cgroups}, 4343); err == nil {
			t.Errorf("%s: opened as %+v", name, p)
		}
	}
}

// startCat starts a process with n open files besides its three, and waits until it runs.
func startCat(t *testing.T, n int) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("cat")
	for range n {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close() // cat ends with its input
		_ = cmd.Wait()
	})
	if _, err := in.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// The reader is tied to the process, not to its number.
func TestProcessGone(t *testing.T) {
	cmd := startCat(t, 0)
	p, err := newProcess(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var absent reasons
	s := vitals.NewSample(time.Now())
	if err := p.sample(&s, s.Time, &absent); err != nil || s.Values[vitals.Threads] != 1 {
		t.Errorf("%g threads (%v), want 1", s.Values[vitals.Threads], err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if err := p.sample(&s, s.Time, &absent); err == nil {
		t.Error("a process that ended was sampled")
	}
}

// The size of /proc/PID/fd, the names in it and the open files agree.
func TestFDCount(t *testing.T) {
	path := fmt.Sprintf("/proc/%d/fd", startCat(t, 20).Process.Pid)
	d := keepFDs(path)
	defer d.close()
	n, err := d.count(time.Unix(1000, 0))
	if err != nil || n < 23 {
		t.Errorf("%g files (%v), want 23 at least", n, err)
	}
	if names, err := countNames(path); err != nil || names != n {
		t.Errorf("%g names (%v), %g files", names, err, n)
	}
}

// Before Linux 6.2 the folder's size is 0; then the names are counted now and then.
func TestFDCountOldKernel(t *testing.T) {
	dir := t.TempDir()
	d := keepFDs(dir)
	defer d.close()
	d.stat = func(uintptr) { d.size, d.err = 0, nil }
	for i, c := range []struct {
		after time.Duration
		want  float64
		err   error
	}{{0, 1, nil}, {time.Second, 0, errCountedRarely}, {9 * time.Second, 0, errCountedRarely},
		{10 * time.Second, 4, nil}} {
		overwrite(t, filepath.Join(dir, fmt.Sprint(i)), "")
		if got, err := d.count(time.Unix(1000, 0).Add(c.after)); got != c.want || !errors.Is(err, c.err) {
			t.Errorf("after %v: %g, %v; want %g, %v", c.after, got, err, c.want, c.err)
		}
	}
}
