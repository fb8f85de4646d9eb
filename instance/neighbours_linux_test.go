package instance

import (
	"fmt"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// line is /proc/PID/stat of a process with a parent, a process group and a name, and what it and its children used.
func line(pid, parent, group int, name string, user, children int) string {
	return fmt.Sprintf("%d (%s) R %d %d %d 0 -1 4194560 1 2 3 4 %d 0 %d 0 20 0 1 0 %d 100 10 0", pid, name, parent, group,
		group, user, children, 1000+pid)
}

// readings of processes by lines, as a census takes them.
func readings(t *testing.T, rounds ...[]string) *machineCensus {
	t.Helper()
	var c machineCensus
	for _, lines := range rounds {
		var entries []entry
		for _, l := range lines {
			e, ok := parseEntry([]byte(l))
			if !ok {
				t.Fatalf("cannot read %q", l)
			}
			entries = append(entries, e)
		}
		c.round(entries)
	}
	return &c
}

// TestJobs: who used how much in ten seconds, in jobs as people start and stop them. Process 10 is watched, by 20.
func TestJobs(t *testing.T) {
	own := []string{line(1, 0, 1, "init", 0, 0), line(10, 1, 10, "service", 500, 0), line(20, 1, 20, "casebook", 7, 0)}
	for _, tt := range []struct {
		name          string
		before, after []string
		want          casefile.ProcessUse // the job that used most
	}{
		{"a compressor", []string{line(30, 1, 30, "gzip", 100, 0)}, []string{line(30, 1, 30, "gzip", 1050, 0)},
			casefile.ProcessUse{PID: 30, Name: "gzip", Processes: 1, User: 0.95}},
		{"a process that began meanwhile", nil, []string{line(31, 1, 31, "xz", 600, 0)},
			casefile.ProcessUse{PID: 31, Name: "xz", Processes: 1, User: 0.6}},
		{"a build: compilers that come and go", []string{line(40, 1, 40, "go", 50, 100), line(41, 40, 40, "compile", 40, 0)},
			[]string{line(40, 1, 40, "go", 60, 900), line(42, 40, 40, "compile", 80, 0)},
			// the first compiler had used 40 when it was seen last: they are in the 900 that its parent waited for
			casefile.ProcessUse{PID: 42, Name: "compile", Job: "go", JobPID: 40, Processes: 3, User: 0.01 + 0.08, Ended: 0.76}},
		{"a build that ends, and its shell with it", []string{line(70, 1, 70, "sh", 0, 0), line(71, 70, 71, "make", 0, 300),
			line(72, 71, 71, "cc", 200, 0)}, []string{line(70, 1, 70, "sh", 0, 550)},
			// make had waited for 300, and the compiler had used 200, when they were seen last
			casefile.ProcessUse{PID: 70, Name: "sh", Processes: 1, Ended: 0.05}},
		{"a build below a shell and a time limit", []string{line(80, 1, 80, "bash", 0, 0), line(81, 80, 80, "timeout", 0, 0),
			line(82, 81, 80, "go", 0, 0), line(83, 82, 80, "compile", 0, 0)},
			[]string{line(80, 1, 80, "bash", 0, 0), line(81, 80, 80, "timeout", 0, 0), line(82, 81, 80, "go", 100, 0),
				line(83, 82, 80, "compile", 500, 0)},
			casefile.ProcessUse{PID: 83, Name: "compile", Job: "go", JobPID: 82, Processes: 4, User: 0.6}},
		{"a server with a process a connection", []string{line(50, 1, 50, "postgres", 10, 0),
			line(51, 50, 51, "postgres", 0, 0), line(52, 50, 52, "postgres", 0, 0)},
			[]string{line(50, 1, 50, "postgres", 10, 0), line(51, 50, 51, "postgres", 400, 0),
				line(52, 50, 52, "postgres", 300, 0)},
			casefile.ProcessUse{PID: 51, Name: "postgres", Processes: 3, User: 0.7}},
		{"two tools of one script, started by the shell that started the service", []string{
			line(60, 1, 10, "sh", 0, 0), line(61, 60, 10, "tar", 0, 0)},
			[]string{line(60, 1, 10, "sh", 0, 0), line(61, 60, 10, "tar", 300, 0)},
			casefile.ProcessUse{PID: 61, Name: "tar", Job: "sh", JobPID: 60, Processes: 2, User: 0.3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after := slices.Concat([]string{line(1, 0, 1, "init", 0, 0), line(10, 1, 10, "service", 600, 0),
				line(20, 1, 20, "casebook", 9, 0)}, tt.after)
			c := readings(t, slices.Concat(own, tt.before), after)
			all := c.jobs(10, 20, 10)
			if got := rounded(all[0].use); got != tt.want {
				t.Errorf("most is\n%+v, want\n%+v", got, tt.want)
			}
			for _, j := range all {
				if j.use.Casebook != (j.use.PID == 20) || j.use.PID == 10 {
					t.Errorf("%+v: the watch is process 20, and the watched one no neighbour", j.use)
				}
			}
		})
	}
}

// TestJobsApart: what the same ancestor has started is no job with the service's own ancestors in it.
func TestJobsApart(t *testing.T) {
	c := readings(t, []string{line(5, 1, 5, "lab", 0, 0), line(10, 5, 5, "service", 0, 0), line(11, 5, 5, "load", 0, 0),
		line(12, 11, 5, "helper", 0, 0)},
		[]string{line(5, 1, 5, "lab", 10, 0), line(10, 5, 5, "service", 200, 0), line(11, 5, 5, "load", 100, 0),
			line(12, 11, 5, "helper", 300, 0)})
	all := c.jobs(10, 5, 1)
	want := casefile.ProcessUse{PID: 12, Name: "helper", Job: "load", JobPID: 11, Processes: 2, User: 4}
	if got := rounded(all[0].use); got != want || !all[1].use.Casebook {
		t.Errorf("jobs are %+v and %+v, want %+v and Casebook", got, all[1].use, want)
	}
}

func TestContainerOf(t *testing.T) {
	const id = "3f2a9c0011223344556677889900aabbccddeeff00112233445566778899aabb"
	for groups, want := range map[string][2]string{
		"0::/system.slice/pg@15-main.service\n":                                                 {"pg@15-main.service", ""},
		"0::/system.slice/docker-" + id + ".scope\n":                                            {"", id[:12]},
		"4:memory:/kubepods/burstable/pod1-2/" + id + "\n1:name=systemd:/kubepods/" + id + "\n": {"", id[:12]},
		"0::/kubepods.slice/cri-containerd-" + id + ".scope\n":                                  {"", id[:12]},
		"0::/user.slice/user-1000.slice/user@1000.service/app.slice/build.scope\n":              {"user@1000.service", ""},
		"0::/\n": {}, "": {}, "garbage": {},
	} {
		if unit, container := containerOf(groups); unit != want[0] || container != want[1] {
			t.Errorf("%q is of unit %q and container %q, want %q", groups, unit, container, want)
		}
	}
}

// TestNeighbours watches this process beside one that is busy, until that has used something.
func TestNeighbours(t *testing.T) {
	busy := exec.Command("sh", "-c", "while :; do :; done")
	if err := busy.Start(); err != nil {
		t.Skip(err)
	}
	defer func() {
		_ = busy.Process.Kill()
		_ = busy.Wait()
	}()
	self := NewSelf()
	for {
		use, err := self.Neighbours(t.Context(), time.Second)
		if err != nil {
			t.Skip(err) // a sandbox without an account, or thousands of processes
		}
		if use.Own.PID == 0 || use.CPUs <= 0 || use.Seconds <= 0 {
			t.Fatalf("%+v", use)
		}
		for _, o := range use.Others {
			if o.PID == busy.Process.Pid && o.Name == "sh" && o.CPU() > 0 {
				return
			}
		}
		t.Logf("others: %+v", use.Others)
	}
}

func FuzzParseEntry(f *testing.F) {
	f.Add([]byte(line(1, 2, 3, "a (b) c", 4, 5)))
	f.Add([]byte("12 (x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, ok := parseEntry(data); ok && e.pid <= 0 {
			t.Errorf("%+v of %q", e, data)
		}
	})
}
