package blackbox_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/filetest"
	"github.com/gocasebook/casebook/vitals"
)

// lives are a minute of samples of a process with a memory limit of 1 GB, of which it uses a given share at the end.
func lives(share float64) []vitals.Sample {
	var samples []vitals.Sample
	for i := range 60 {
		s := vitals.NewSample(time.Unix(int64(1e9+i), 0))
		s.Set(vitals.RSS, share*1e9)
		s.Set(vitals.MemoryLimit, 1e9)
		s.Set(vitals.MemoryShare, share)
		s.Set(vitals.Goroutines, 40)
		samples = append(samples, s)
	}
	return samples
}

func TestEndsSeenFromOutside(t *testing.T) {
	known := func(e blackbox.Ending) blackbox.Ending { e.Known, e.OOMKills = true, 0; return e }
	for _, c := range []struct {
		name  string
		e     blackbox.Ending
		share float64
		want  blackbox.Verdict
		text  string
	}{
		// Crashes.
		{"the OOM killer, and the supervisor starts it again", blackbox.Ending{OOMKills: 1, Replaced: true,
			Away: time.Second},
			0.7, blackbox.Crash, "OOM killer struck 1 time"},
		{"a nil map in a handler's goroutine", known(blackbox.Ending{Code: 2, Replaced: true, Away: time.Second}), 0.3,
			blackbox.Crash,
			"exit status 2, as after a panic"},
		{"a panic while a new build is rolled out", known(blackbox.Ending{Code: 2, Replaced: true, NewBuild: true}), 0.3,
			blackbox.Crash,
			"exit status 2"},
		{"a fault in C code", known(blackbox.Ending{Signal: syscall.SIGSEGV}), 0.3, blackbox.Crash,
			"signal segmentation fault"},
		{"SIGKILL by hand, the same build comes back",
			known(blackbox.Ending{Signal: syscall.SIGKILL, Replaced: true, Away: time.Second}), 0.3, blackbox.Crash,
			"signal killed"},
		{"log.Fatal for a lost database, nobody restarts it", known(blackbox.Ending{Code: 1, Away: 11 * time.Second}), 0.3,
			blackbox.Crash, "exit status 1"},
		{"an older kernel, memory at its limit", blackbox.Ending{OOMKills: -1}, 0.99, blackbox.Crash, "memory was at 99 %"},
		{"an older kernel, it stays away", blackbox.Ending{OOMKills: -1, Away: 61 * time.Second}, 0.3, blackbox.Crash,
			"nothing took its place"},
		{"an older kernel, a crash loop", blackbox.Ending{OOMKills: -1, Replaced: true, Earlier: 2}, 0.3, blackbox.Crash,
			"3. end within ten minutes"},

		// Ends that somebody intended.
		{"SIGTERM, a new build", known(blackbox.Ending{Signal: syscall.SIGTERM, Replaced: true, NewBuild: true}), 0.3,
			blackbox.Planned,
			""},
		{"systemctl restart, a graceful shutdown", known(blackbox.Ending{Replaced: true, Away: 2 * time.Second}), 0.3,
			blackbox.Planned,
			""},
		{"systemctl stop", known(blackbox.Ending{Away: time.Hour}), 0.3, blackbox.Planned, ""},
		{"Ctrl-C", known(blackbox.Ending{Signal: syscall.SIGINT}), 0.3, blackbox.Planned, ""},
		{"a shutdown that logs http.ErrServerClosed as fatal, a new build",
			known(blackbox.Ending{Code: 1, Replaced: true, NewBuild: true}), 0.3, blackbox.Planned, ""},
		{"docker stop of what ignores SIGTERM, a new build",
			known(blackbox.Ending{Signal: syscall.SIGKILL, Replaced: true, NewBuild: true}), 0.3, blackbox.Planned, ""},
		{"a full cache's deployment", known(blackbox.Ending{Replaced: true, NewBuild: true}), 0.97, blackbox.Planned, ""},
		{"an older kernel, a restart of the same build", blackbox.Ending{OOMKills: -1, Replaced: true, Away: 3 * time.Second},
			0.3, blackbox.Planned, ""},
		{"an older kernel, a hand-over without a gap", blackbox.Ending{OOMKills: -1, Replaced: true, NewBuild: true}, 0.3,
			blackbox.Planned, ""},

		// Too early to tell.
		{"SIGKILL a second ago", known(blackbox.Ending{Signal: syscall.SIGKILL, Away: time.Second}), 0.3, blackbox.Wait, ""},
		{"an older kernel, half a minute ago", blackbox.Ending{OOMKills: -1, Away: 30 * time.Second}, 0.3, blackbox.Wait, ""},
	} {
		got, v := blackbox.Outside(casefile.Target{Name: "shop"}, lives(c.share), c.e)
		if v != c.want || !strings.Contains(got.Text, c.text) {
			t.Errorf("%s: verdict %d, want %d; %q, want %q in it", c.name, v, c.want, got.Text, c.text)
		}
		if got.Rule != blackbox.Killed || got.Time.IsZero() {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if _, v := blackbox.Outside(casefile.Target{}, nil, blackbox.Ending{}); v != blackbox.Planned {
		t.Error("an end before the first sample is a case")
	}
}

func TestFindNothing(t *testing.T) {
	dir := t.TempDir()
	wantFound(t, filepath.Join(dir, "not there"), 0)
	if err := os.Mkdir(filepath.Join(dir, ringPrefix+"folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, link := range map[string]string{"link": "/etc/passwd", "nowhere": "nowhere"} {
		if err := os.Symlink(link, filepath.Join(dir, ringPrefix+name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "case.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantFound(t, dir, 0)
	wantFiles(t, dir, 4)
}

const killedSamples = 200

const retarget = 25

const countName = "added"

// writeWithoutEnd adds samples at full speed, and counts them in a file beside the ring's folder.
func writeWithoutEnd(dir string) error {
	count, err := os.Create(filepath.Join(dir, countName))
	if err != nil {
		return err
	}
	r, err := blackbox.Create(blackbox.Config{Dir: filepath.Join(dir, "cases"), Samples: killedSamples})
	if err != nil {
		return err
	}
	fmt.Println("begun")
	var buf [8]byte
	for i := uint64(1); ; i++ {
		s := sample(int(i))
		for id := range vitals.ID(vitals.NumSignals) {
			s.Set(id, float64(i))
		}
		if err := r.Add(&s); err != nil {
			return err
		}
		binary.LittleEndian.PutUint64(buf[:], i)
		if _, err := count.WriteAt(buf[:], 0); err != nil {
			return err
		}
		if i%retarget == 0 {
			if err := r.SetTarget(casefile.Target{PID: int(i)}); err != nil {
				return err
			}
		}
	}
}

// TestKill kills a recorder at random moments. The ring must always be readable and contain everything that Add
// reported as written, except for at most the record that the next Add was about to overwrite.
func TestKill(t *testing.T) {
	lengths, moments := map[int]int{}, map[uint64]bool{}
	for moment := range 50 {
		dir := t.TempDir()
		added := killWriter(t, dir, moment)
		r := mustFind(t, filepath.Join(dir, "cases"))
		n := len(r.Samples)
		lengths[n]++
		moments[added] = true
		if wanted := min(int(added), killedSamples); n < wanted-1 || n > killedSamples {
			t.Errorf("moment %d: %d samples of %d added", moment, n, added)
		}
		for i := range r.Samples {
			wantUntorn(t, &r.Samples[i])
			if v := r.Samples[i].Values[0]; i > 0 && v != r.Samples[i-1].Values[0]+1 {
				t.Errorf("moment %d: sample %g follows sample %g", moment, v, r.Samples[i-1].Values[0])
			}
		}
		if added > 0 {
			if last := uint64(r.Samples[n-1].Values[0]); last != added && last != added+1 {
				t.Errorf("moment %d: the last sample is %d, %d were added", moment, last, added)
			}
		}
		if pid := uint64(r.Target.PID); pid%retarget != 0 || pid > added+1 || added >= retarget &&
			pid+2*retarget < added {
			t.Errorf("moment %d: the target is of sample %d, %d were added", moment, pid, added)
		}
		if err := r.Remove(); err != nil {
			t.Error(err)
		}
		wantFiles(t, filepath.Join(dir, "cases"), 0)
	}
	t.Log("kills by samples in the ring:", lengths)
	if len(moments) == 1 {
		t.Error("all kills came at the same moment: the test proves little")
	}
}

// killWriter lets a child write, kills it at a random moment and returns how many samples it had added.
func killWriter(t *testing.T, dir string, seed int) uint64 {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	cmd := filetest.Child(t, childVar, "write", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("the child said nothing: %v", cmd.Wait())
	}
	longest := 400 << (seed % 5) // µs: some before the ring is full, most after
	time.AfterFunc(time.Duration(random.IntN(longest))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	for lines.Scan() {
	}
	_ = cmd.Wait() // killed, as the test wants
	if s := cmd.ProcessState.String(); s != "signal: killed" {
		t.Fatalf("the child ended by %q", s)
	}
	data, err := os.ReadFile(filepath.Join(dir, countName))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) < 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(data)
}

// wantUntorn wants all values to be from one Add.
func wantUntorn(t *testing.T, s *vitals.Sample) {
	t.Helper()
	for id := range vitals.ID(vitals.NumSignals) {
		if v, _ := s.Get(id); v != s.Values[0] {
			t.Errorf("signal %d of sample %g is %g", id, s.Values[0], v)
		}
	}
}

// memoryCap is how much memory the child of TestOOMKill may use.
const memoryCap = 64 << 20

// makeCgroup makes a cgroup on this machine with a memory limit. It skips the test where it is not allowed.
func makeCgroup(t *testing.T) (dir string) {
	t.Helper()
	name := fmt.Sprintf("casebook-blackbox-%d", os.Getpid())
	for _, c := range []struct{ parent, file, noSwap string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes"}, // v1
		{"/sys/fs/cgroup", "memory.max", "memory.swap.max"},                               // v2
	} {
		dir := filepath.Join(c.parent, name)
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() {
			if err := os.Remove(dir); err != nil {
				t.Errorf("the test's cgroup is left: %v", err)
			}
		})
		if os.WriteFile(filepath.Join(dir, c.file), []byte(strconv.Itoa(memoryCap)), 0o600) == nil {
			// Missing where swap is not accounted.
			_ = os.WriteFile(filepath.Join(dir, c.noSwap), []byte(strconv.Itoa(memoryCap)), 0o600)
			return dir
		}
	}
	t.Skip("no cgroup with a memory limit can be made here: that needs root and the memory controller")
	return ""
}

// eatMemory uses more and more memory, and samples it, until the kernel kills it.
func eatMemory(dir string) error {
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil { // is moved into the cgroup meanwhile
		return err
	}
	r, err := blackbox.Create(blackbox.Config{Dir: dir, Target: casefile.Target{Name: "eater", PID: os.Getpid(),
		Limits: casefile.Limits{MemoryBytes: memoryCap}}})
	if err != nil {
		return err
	}
	var kept [][]byte
	for len(kept) < 1000 {
		s := vitals.NewSample(time.Now())
		rss, err := residentBytes()
		if err != nil {
			return err
		}
		s.Set(vitals.RSS, rss)
		s.Set(vitals.MemoryLimit, memoryCap)
		s.Set(vitals.MemoryShare, rss/memoryCap)
		if err := r.Add(&s); err != nil {
			return err
		}
		block := make([]byte, 256<<10)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
		time.Sleep(2 * time.Millisecond) // the pace of the rise, in a process that only the kernel ends
	}
	return fmt.Errorf("%d MiB were not too much", len(kept)/4)
}

func residentBytes() (float64, error) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	pages, err := strconv.ParseFloat(strings.Fields(string(data))[1], 64)
	return pages * float64(os.Getpagesize()), err
}

// TestOOMKill lets the kernel kill a process that ran out of memory. Its black box says so.
func TestOOMKill(t *testing.T) {
	group, dir := makeCgroup(t), t.TempDir()
	cmd := filetest.Child(t, childVar, "eat", dir)
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
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), fmt.Appendln(nil, cmd.Process.Pid),
		0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if s := cmd.ProcessState.String(); s != "signal: killed" {
		t.Fatalf("the child ended by %q", s)
	}
	r := mustFind(t, dir)
	trigger := r.Trigger()
	t.Log(trigger.Text)
	if trigger.Signal != "memory_share" || trigger.Value < 0.8 || r.OOMKills != 1 {
		t.Errorf("the trigger is %+v, %d OOM kills; want memory_share near 1, and one", trigger, r.OOMKills)
	}
	for _, want := range []string{"killed, most likely out of memory", "memory was at ", "of 64 MiB (memory_share)"} {
		if !strings.Contains(trigger.Text, want) {
			t.Errorf("%q is not in %q", want, trigger.Text)
		}
	}
}

func TestCreateErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		cfg  blackbox.Config
		want string
	}{
		{"no folder", blackbox.Config{}, "field Dir is empty"},
		{"too many", blackbox.Config{Dir: t.TempDir(), Samples: 1 << 30}, "field Samples is"},
		{"negative", blackbox.Config{Dir: t.TempDir(), Samples: -1}, "field Samples is -1"},
		{"negative interval", blackbox.Config{Dir: t.TempDir(), Interval: -1}, "field Interval is"},
		{"a file", blackbox.Config{Dir: file}, "not a directory"},
		{"too long", blackbox.Config{Dir: t.TempDir(), Target: casefile.Target{URL: strings.Repeat("x", slotSize)}},
			"more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := blackbox.Create(c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Create = %v, %v; want %q in the error", r, err, c.want)
			}
			if c.cfg.Dir != "" && c.cfg.Dir != file {
				wantFiles(t, c.cfg.Dir, 0)
			}
		})
	}
}

// TestConcurrentAdds lets many goroutines add, rename and close at once, for -race.
func TestConcurrentAdds(t *testing.T) {
	r := mustCreate(t, blackbox.Config{Samples: 10})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 200 {
				s := sample(n)
				if err := r.Add(&s); err != nil && !errors.Is(err, fs.ErrClosed) {
					t.Error(err)
				}
				if i == 0 && n == 150 {
					_ = r.Close()
				}
			}
		})
	}
	wg.Wait()
}

func TestAddAllocatesNothing(t *testing.T) {
	r, s := mustCreate(t, blackbox.Config{}), sample(1)
	if n := testing.AllocsPerRun(1000, func() { mustAdd(t, r, s) }); n != 0 {
		t.Errorf("Add allocates %g times", n)
	}
}

func BenchmarkAdd(b *testing.B) {
	r, s := mustCreate(b, blackbox.Config{}), sample(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := r.Add(&s); err != nil {
			b.Fatal(err)
		}
	}
}
