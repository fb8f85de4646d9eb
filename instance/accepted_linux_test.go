package instance

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// TestAccepted: of the connections between a process and itself half were accepted by it; those to another one's port
// are none of them, and the number is not counted again before it is due.
func TestAccepted(t *testing.T) {
	for tries := 1; ; tries++ { // a connection that an earlier test left may end meanwhile
		before, after := acceptFive(t)
		if after.served-before.served == 5 {
			return
		}
		if tries == 5 {
			t.Fatalf("5 connections were accepted, and the count went from %v to %v", before, after)
		}
	}
}

func acceptFive(t *testing.T) (before, after connCounts) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	now := time.Now()
	if before, err = counted(now); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		a, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
	}
	a := newAccepted("/proc/self")
	if after, err = a.count(now); err != nil {
		t.Fatal(err)
	}
	if _, err := a.count(now.Add(time.Second)); err != errAcceptedRarely {
		t.Errorf("a second later it is counted again: %v", err)
	}
	if again, err := a.count(now.Add(time.Hour)); err != nil || again.served < 5 {
		t.Errorf("an hour later it is %v, %v, want %v", again, err, after)
	}
	return before, after
}

func counted(now time.Time) (connCounts, error) {
	a := newAccepted("/proc/self")
	return a.count(now)
}

// TestAcceptedPrice: a long table is read less often, but for when something waits to be accepted.
func TestAcceptedPrice(t *testing.T) {
	for _, tt := range []struct {
		took   time.Duration
		queued bool
		want   time.Duration
	}{
		{time.Millisecond, false, 15 * time.Second},
		{22 * time.Millisecond, false, 22 * time.Second},
		{22 * time.Millisecond, true, 15 * time.Second},
		{time.Second, true, 100 * time.Second},
	} {
		a := newAccepted("")
		if tt.queued {
			a.tcp[1].queue[0] = 7
		}
		if got := a.rest(tt.took); got != tt.want {
			t.Errorf("a table of %s, queued %v: %s, want %s", tt.took, tt.queued, got, tt.want)
		}
	}
}

// TestQueued: connections that nobody accepts are queued when one of them has been so since the count before, and are
// not accepted.
func TestQueued(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	a, now := newAccepted("/proc/self"), time.Now()
	before, err := a.count(now)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	now = now.Add(time.Hour)
	if n, err := a.count(now); err != nil || n != before {
		t.Errorf("connections that have just come: %+v, %v; want %+v", n, err, before)
	}
	now = now.Add(time.Hour)
	if n, err := a.count(now); err != nil || n.queued-before.queued != 3 || n.served != before.served {
		t.Errorf("at the next count %+v, %v; want three queued", n, err)
	}
	if c, err := l.Accept(); err != nil {
		t.Fatal(err)
	} else {
		defer c.Close()
	}
	now = now.Add(time.Hour)
	if n, err := a.count(now); err != nil || n.queued-before.queued != 2 || n.served-before.served != 1 {
		t.Errorf("after one was accepted %+v, %v; want two queued", n, err)
	}
}

// TestOwed: of five clients one has been answered, one has not asked, one waits from 10 s on, and two had earlier answers:
// one of them asks again, and the other one does not.
func TestOwed(t *testing.T) {
	want := owedConns{}
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue // a machine without IPv6
		}
		defer l.Close()
		want.first, want.all = want.first+1, want.all+2
		for i := range 5 {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			served, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer served.Close()
			ask := func() { exchange(t, c, served, "GET") }
			if i > 0 {
				ask()
			}
			if i > 1 {
				exchange(t, served, c, "200")
			}
			if i == 3 {
				time.Sleep(50 * time.Millisecond) // the kernel's clock has steps of 4 ms
				ask()
			}
		}
	}
	a, now := newAccepted("/proc/self"), time.Now()
	if _, err := a.count(now); err != nil {
		t.Fatal(err)
	}
	count := func() owedConns {
		t.Helper()
		now = now.Add(time.Hour)
		n, err := a.owed(now)
		if err != nil {
			t.Skip(err)
		}
		return n
	}
	if n := count(); n != (owedConns{}) {
		t.Errorf("%v clients wait that have just come", n)
	}
	for count().all < want.all {
		time.Sleep(100 * time.Millisecond)
	}
	n := count()
	if n.oldest < unansweredOldest || n.oldest > 2*unansweredOldest {
		t.Errorf("the first asked %d ms ago", n.oldest)
	}
	if want.oldest = n.oldest; n != want {
		t.Errorf("%v clients wait, want %v", n, want)
	}
	if _, err := a.owed(now); err != errOwedRarely {
		t.Errorf("counted again before it is due: %v", err)
	}
}

// exchange sends a text over a connection, and waits until it has come.
func exchange(t *testing.T, from, to net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(from, text); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(to, make([]byte, len(text))); err != nil {
		t.Fatal(err)
	}
}

// TestWaits: there are no more requests that wait than a census of late found in progress.
func TestWaits(t *testing.T) {
	var p process
	now := time.Now()
	if _, err := p.waits(3, now); err == nil {
		t.Error("requests wait although nobody has counted them")
	}
	p.serves(placeSet{1: {Place: vitals.Place{Count: 2}, reads: true}, 2: {Place: vitals.Place{Count: 9}}})
	for owed, want := range map[float64]float64{1: 1, 2: 2, 70: 2} {
		if n, err := p.waits(owed, now); n != want || err != nil {
			t.Errorf("of %v connections %v wait, %v; want %v", owed, n, err, want)
		}
	}
	if _, err := p.waits(3, now.Add(time.Minute)); err == nil {
		t.Error("a census of a minute ago counts")
	}
}

// BenchmarkOwed is what the kernel is asked every 5 s: which of so many connections owe their clients an answer.
func BenchmarkOwed(b *testing.B) {
	for _, sockets := range []int{10, 1000, 9500} { // below 20,000 files, a usual limit
		b.Run(fmt.Sprintf("sockets=%d", sockets), func(b *testing.B) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			for range sockets {
				c, err := net.Dial("tcp", l.Addr().String())
				if err != nil {
					b.Skip(err) // too many files
				}
				defer c.Close()
				served, err := l.Accept()
				if err != nil {
					b.Skip(err)
				}
				defer served.Close()
			}
			a, now := newAccepted("/proc/self"), time.Now()
			if _, err := a.count(now); err != nil {
				b.Fatal(err)
			}
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			b.ReportAllocs()
			began := threadCPU()
			for b.Loop() {
				if _, err := a.countOwed(); err != nil {
					b.Skip(err)
				}
			}
			b.ReportMetric(float64((threadCPU()-began).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// TestAcceptedOfOthers: the socket that listens belongs to somebody else, and a connection that the process opened to a
// port of the same number elsewhere does not count.
func TestAcceptedOfOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/net", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir+"/fd", 0o700); err != nil {
		t.Fatal(err)
	}
	line := func(local, remote, state, inode string) string {
		return "   0: " + local + " " + remote + " " + state + " 00000000:00000000 00:00000000 00000000  1000        0 " +
			inode + " 1 0000000000000000 100 0 0 10 0\n"
	}
	table := "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
		line("0100007F:1F90", "00000000:0000", "0A", "11") + line("0100007F:2328", "00000000:0000", "0A", "22") +
		line("0100007F:1F90", "0100007F:9C40", "01", "33") + // accepted
		line("0100007F:1F90", "0100007F:9C41", "08", "34") + // the client has left
		line("0100007F:1F90", "0100007F:9C42", "06", "0") + // TIME_WAIT
		line("0100007F:1F90", "0100007F:9C44", "01", "0") + // not accepted yet
		line("0100007F:1F90", "0100007F:9C45", "08", "0") + // likewise, and the client has left
		line("0100007F:2328", "0100007F:9C43", "01", "35") + // another one's
		line("0100007F:9C40", "0100007F:1F90", "01", "36") // opened
	if err := os.WriteFile(dir+"/net/tcp", []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"3": "socket:[11]", "4": "/dev/null", "5": "socket:[36]"} {
		if err := os.Symlink(to, dir+"/fd/"+name); err != nil {
			t.Fatal(err)
		}
	}
	a := newAccepted(dir)
	now := time.Now()
	if n, err := a.count(now); err != nil || n != (connCounts{served: 1, abandoned: 1}) {
		t.Errorf("%+v, %v; want one served and one abandoned", n, err)
	}
	if n, err := a.count(now.Add(time.Minute)); err != nil || n.queued != 2 {
		t.Errorf("a minute later %+v, %v; want two queued, because they were before", n, err)
	}
	// What waits now has come since.
	table = strings.NewReplacer("0100007F:9C44", "0100007F:9C54", "0100007F:9C45", "0100007F:9C55").Replace(table)
	if err := os.WriteFile(dir+"/net/tcp", []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := a.count(now.Add(2 * time.Minute)); err != nil || n.queued != 0 {
		t.Errorf("with other connections in the queue %+v, %v; want none", n, err)
	}
	if err := a.lines(strings.NewReader(strings.Repeat("x", 20<<10)), nil); err == nil {
		t.Error("a line without an end is no error")
	}
}

// makeCgroup makes a cgroup on this machine with a hundredth of a core, which even a starved process uses up. It skips
// the test where it is not allowed.
func makeCgroup(t *testing.T) (dir string) {
	t.Helper()
	name := fmt.Sprintf("casebook-test-%d", os.Getpid())
	for _, c := range []struct{ parent, file, quota string }{
		{"/sys/fs/cgroup/cpu", "cpu.cfs_quota_us", "1000"}, // v1; its period is 100 ms unless set
		{"/sys/fs/cgroup", "cpu.max", "1000 100000"},       // v2
	} {
		dir := filepath.Join(c.parent, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		if os.WriteFile(filepath.Join(dir, c.file), []byte(c.quota), 0o600) == nil {
			t.Cleanup(func() {
				if err := os.Remove(dir); err != nil {
					t.Errorf("the test's cgroup is left: %v", err)
				}
			})
			return dir
		}
		_ = os.Remove(dir) // a folder of the wrong kind of tree; empty
	}
	t.Skip("no cgroup with a CPU quota can be made here: that needs root and the cpu controller")
	return ""
}

// The kernel's throttling of a busy process in a real cgroup is visible.
func TestLiveCgroup(t *testing.T) {
	dir := makeCgroup(t)
	cmd := exec.Command("sh", "-c", "read go; while :; do :; done")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), fmt.Appendln(nil, cmd.Process.Pid), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := newProcess(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if p.limits.CPUQuota != 0.01 || p.limits.CPUs != 0.01 {
		t.Errorf("limits are %+v, want a hundredth of a core", p.limits)
	}
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	var absent reasons
	for end := time.Now().Add(goesOn); ; {
		s := vitals.NewSample(time.Now())
		if err := p.sample(&s, s.Time, &absent); err != nil {
			t.Fatal(err)
		}
		if share, ok := s.Get(vitals.Throttled); ok && share > 0 && share <= 1 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %s of a busy loop throttled is %g; %v", goesOn, s.Values[vitals.Throttled], absent.all())
		}
		if err := sleep(t.Context(), 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCourse: the CPU of a second in which a process works for the first half shows in its course, and the calls, too.
func TestCourse(t *testing.T) {
	file, err := os.Open("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ended := make(chan []vitals.Sample, 1)
	go func() { ended <- NewSelf().Course(t.Context(), time.Second) }()
	buf := make([]byte, 10)
	used := func() float64 { user, system := ownCPU(0, 0); return user + system }
	for began := used(); used()-began < 0.2; { // of CPU, however long that takes
		if _, err := file.ReadAt(buf, 0); err != nil {
			t.Fatal(err)
		}
	}
	samples := <-ended
	if len(samples) == 0 {
		t.Fatal("no samples in a second")
	}
	seconds, calls, before := 0.0, 0.0, samples[0].Time.Add(-courseStep)
	for i := range samples {
		dt := samples[i].Time.Sub(before).Seconds()
		before = samples[i].Time
		cpu, ok := samples[i].Get(vitals.CPU)
		if !ok || cpu < 0 {
			t.Fatalf("sample %d: CPU %v %v", i, cpu, ok)
		}
		reads, _ := samples[i].Get(vitals.ReadCalls)
		seconds, calls = seconds+cpu*dt, calls+reads*dt
	}
	if seconds < 0.05 || calls < 1000 {
		t.Errorf("%.2f s of CPU and %.0f reads in %d samples, want some 0.2 s and thousands", seconds, calls,
			len(samples))
	}
}

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

func TestProcsOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name, environ string
		want          float64
	}{
		{"set", "PATH=/bin\x00GOMAXPROCS=3\x00HOME=/", 3},
		{"not set", "PATH=/bin\x00HOME=/", 0},
		{"what the runtime ignores", "GOMAXPROCS=many\x00", 0},
		{"a name that ends so", "MYGOMAXPROCS=3\x00", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := procsOf(tree(t, map[string]string{"environ": c.environ})); got != c.want {
				t.Errorf("procsOf = %g, want %g", got, c.want)
			}
		})
	}
}

// awaitEnvironment returns when the kernel shows a process's environment: for a moment after exec it is empty.
func awaitEnvironment(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil && len(data) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the process has no environment after 10 s")
}

// A real process is started with the variable set.
func TestProcsOfAProcess(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	cmd.Env = []string{"GOMAXPROCS=2"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	awaitEnvironment(t, cmd.Process.Pid)
	p, err := newProcess(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	// It has changed the value since.
	for _, c := range []struct{ used, want float64 }{{0.5, 2}, {2.1, 2}, {3.5, 0}, {0.5, 0}} {
		s := vitals.NewSample(p.started)
		s.Set(vitals.CPU, c.used)
		p.setProcs(&s)
		got, ok := s.Get(vitals.GoMaxProcs)
		if !ok {
			got = 0 // the value is unknown
		}
		if got != c.want {
			t.Errorf("with %g cores used gomaxprocs is %g, want %g", c.used, got, c.want)
		}
	}
}
