package prove

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// rusage is the CPU time that this process has used, in seconds.
func rusage(t *testing.T) float64 {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// TestSamplerAgreesWithGetrusage burns CPU in this process and reads it both ways.
func TestSamplerAgreesWithGetrusage(t *testing.T) {
	s, err := NewSampler(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	before := rusage(t)
	for rusage(t) < before+0.2 {
	}
	u, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	used := rusage(t) - before
	// getrusage was called a moment earlier and a moment later.
	if u.CPUSeconds < 0.18 || u.CPUSeconds > used+0.05 {
		t.Errorf("CPU %.3f s, want about %.3f s", u.CPUSeconds, used)
	}
	if u.Seconds <= 0 || u.RSS < 1<<20 || u.PeakRSS < u.RSS || u.Threads < 1 {
		t.Errorf("usage %+v, want time, resident memory, a peak above it, and threads", u)
	}
}

func TestSamplerOfAnEndedProcess(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s, err := NewSampler(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if _, err := s.Next(); err == nil || !strings.Contains(err.Error(), "has it ended?") {
		t.Errorf("err = %v, want that the process has ended", err)
	}
	if _, err := NewSampler(cmd.Process.Pid); err == nil {
		t.Error("a sampler of a process that is not there, want an error")
	}
}

func TestParseStat(t *testing.T) {
	const tail = " S 1 2 2 0 -1 4194304 1 0 0 0 150 50 0 0 20 0 9 0 777 1 1"
	for _, c := range []struct {
		name, text string
		ok         bool
	}{
		{"plain", "42 (phones)" + tail, true},
		{"a name with spaces and parentheses", "42 (a) b (c))" + tail, true},
		{"cut", "42 (phones) S 1 2", false},
		{"no name", "42", false},
		{"empty", "", false},
		{"no number", strings.Replace("42 (phones)"+tail, "150", "x", 1), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := parseStat(c.text)
			if (err == nil) != c.ok {
				t.Fatalf("err = %v, want ok %v", err, c.ok)
			}
			if c.ok && (r.cpu != 2 || r.started != 777) {
				t.Errorf("cpu %v s, started %d; want 2 and 777", r.cpu, r.started)
			}
		})
	}
}

func TestParseStatus(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"whole", "Name:\tphones\nVmHWM:\t  2048 kB\nVmRSS:\t  1024 kB\nThreads:\t9\n", ""},
		{"zombie", "Name:\tphones\nState:\tZ (zombie)\nThreads:\t1\n", "the process has ended"},
		{"no number", "VmRSS:\tlots kB\n", "VmRSS in /proc/PID/status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r reading
			err := r.parseStatus(c.text)
			if c.want == "" {
				if err != nil || r.rss != 1<<20 || r.peakRSS != 2<<20 || r.threads != 9 {
					t.Errorf("%+v, %v; want 1 MiB, 2 MiB at the peak, 9 threads", r, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want %q in it", err, c.want)
			}
		})
	}
}
