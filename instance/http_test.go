package instance

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

// goesOn limits how long a test waits for what comes at any speed of the machine. After that it says what did not come.
const goesOn = 8 * time.Minute

func newHTTP(t *testing.T, url string) *HTTP {
	t.Helper()
	h, err := NewHTTP(url)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func take(t *testing.T, h *HTTP, at time.Time) vitals.Sample {
	t.Helper()
	s := vitals.NewSample(at)
	if err := h.Sample(t.Context(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHTTPRealProcess(t *testing.T) {
	addr, _ := victimtest.StartNew(t, "-objects", "200000", "-park", "500")
	h := newHTTP(t, addr)
	d, err := h.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" && (d.Name != "victim" || d.PID == 0 || d.Build.GoVersion == "" || d.Limits.CPUs <= 0) {
		t.Errorf("the local process is described as %+v", d)
	}

	// The collector runs all the time. Wait until the samples show it, however slow the machine is.
	first := take(t, h, time.Now())
	var s vitals.Sample
	live := math.NaN()
	for ctx := t.Context(); ctx.Err() == nil; {
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		s = take(t, h, time.Now())
		if v, ok := s.Get(vitals.HeapLive); ok {
			live = v
		}
		if gc, ok := s.Get(vitals.GCCPU); ok && gc > 0 && live > 0 && s.Values[vitals.Goroutines] > 500 {
			break
		}
	}
	if _, ok := first.Get(vitals.CPU); ok {
		t.Error("the first sample has a rate; there is nothing to compare it with")
	}
	for _, id := range []vitals.ID{vitals.AllocRate, vitals.HeapAlloc, vitals.HeapObjects, vitals.GoMemory,
		vitals.ProbeTime, vitals.GCRate} {
		if v, ok := s.Get(id); !ok || v <= 0 {
			t.Errorf("%s is %g (present: %v), want more than 0", id, v, ok)
		}
	}
	// A list of 200,000 objects of 8 bytes and more. What is not swept yet counts as well, but the value is never above
	// the goal.
	if live < 200_000*8 || live > 1.1*s.Values[vitals.HeapGoal] {
		t.Errorf("heap_live is %g, want the list's 1.6 MB at least and no more than the goal, %g", live,
			s.Values[vitals.HeapGoal])
	}
	if n := s.Values[vitals.HeapObjects]; n < 200_000 {
		t.Errorf("%g heap objects, want the list's 200000 at least", n)
	}
	if runtime.GOOS == "linux" {
		for _, id := range []vitals.ID{vitals.CPU, vitals.CPUShare, vitals.CPULimit, vitals.RSS, vitals.Threads,
			vitals.OpenFiles} {
			if v, ok := s.Get(id); !ok || v <= 0 {
				t.Errorf("%s is %g (present: %v), want more than 0", id, v, ok)
			}
		}
	}
	for id := range vitals.ID(vitals.NumSignals) {
		_, ok := s.Get(id)
		if why := h.Absent()[id.String()]; ok && why != "" || !ok && why == "" && id != vitals.Throttled &&
			id != vitals.HeapLive {
			t.Errorf("%s: present is %v, and the reason of its absence is %q", id, ok, why)
		}
	}

	// The number of the runtime's threads is known from another machine, too. The victim has no other threads, so the
	// two numbers must agree when no thread starts between them. With cgo the profile has one more, which is not a
	// thread yet.
	proc := h.proc.Load()
	h.refind = time.Now().Add(time.Hour)
	for try := 1; ; try++ {
		h.setProcess(proc, "")
		near := take(t, h, time.Now())
		h.setProcess(nil, "pretend to be elsewhere")
		far := take(t, h, time.Now())
		v, ok := far.Get(vitals.Threads)
		if more := v - near.Values[vitals.Threads]; ok && (runtime.GOOS != "linux" || more == 0 || more == 1) {
			break
		}
		if try == 20 {
			t.Fatalf("%g threads from the pprof index (present: %v), %g from /proc", v, ok, near.Values[vitals.Threads])
		}
	}
}

// On a machine without a CPU to spare the runtime's account of the collector counts the time that its workers wait.
func TestCollectorTakesNoMoreThanTheProcess(t *testing.T) {
	var b gcBound
	for _, row := range []struct{ cpu, gc, want float64 }{
		{cpu: 0.02, gc: 0.003, want: 0.003},
		{cpu: 0.01, gc: 0.55, want: 0.01}, // of two cores, and 0.02 were used in a sample that the cycle may have begun in
		{cpu: 1.9, gc: 0.4, want: 0.4},
		{cpu: 0.1, gc: 0.6, want: 0.6}, // what was used in the second before may be of this cycle
		{cpu: 0.1, gc: 0.6, want: 0.05},
	} {
		s := vitals.NewSample(time.Now())
		s.Set(vitals.CPU, row.cpu)
		s.Set(vitals.CPULimit, 2)
		s.Set(vitals.GCCPU, row.gc)
		if b.apply(&s); s.Values[vitals.GCCPU] != row.want {
			t.Errorf("%v: gc_cpu is %v", row, s.Values[vitals.GCCPU])
		}
	}
}

// GCCPUFraction of the whole life of a process must be turned into the share in the interval.
func TestGCShareAgainstRuntimeMetrics(t *testing.T) {
	began := time.Unix(1000, 0)
	at := func(age float64) float64 { return float64(began.UnixNano()) + age*1e9 }
	a := memMark{lastGC: at(100), cpuFraction: 0.02}     // 2 s of 100
	b := memMark{lastGC: at(110), cpuFraction: 6. / 110} // 4 s more in the 10 s since
	if got, ok := gcShare(&a, &b, began); !ok || got < 0.399 || got > 0.401 {
		t.Errorf("share is %g, %v; want 0.4", got, ok)
	}
	if _, ok := gcShare(&a, &b, time.Time{}); ok {
		t.Error("a share without a start time")
	}
	if _, ok := gcShare(&b, &b, began); ok {
		t.Error("a share without a new cycle: unknown is not 0")
	}
}

func TestRestartedProcessIsFoundAgain(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found through /proc")
	}
	addr, stop := victimtest.StartNew(t)
	h := newHTTP(t, addr)
	if _, err := h.Describe(t.Context()); err != nil {
		t.Fatal(err)
	}
	take(t, h, time.Now())
	old := h.proc.Load().pid
	stop()
	s := vitals.NewSample(time.Now())
	if err := h.Sample(t.Context(), &s); err == nil {
		t.Fatal("a process that is gone was sampled")
	}
	if h.Restarted() {
		t.Error("gone is not restarted")
	}
	victimtest.StartNew(t, "-listen", addr)
	take(t, h, time.Now())
	if !h.Restarted() || h.Restarted() {
		t.Error("Restarted must say so, once")
	}
	if p := h.proc.Load(); p == nil || p.pid == old {
		t.Errorf("the new process was not found: %+v, %s", p, h.whyNoProcess())
	}
}

// index is the index page of net/http/pprof.
const index = `<tr><td>3</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>`

func TestParseMemStatsCut(t *testing.T) {
	whole := "heap profile: 1: 2 [3: 4] @ heap/1048576\n# runtime.MemStats\n# Alloc = 1\n# HeapAlloc = 5\n"
	if err := new(MemStats).parse(strings.NewReader(whole)); err == nil {
		t.Error("an answer that ends early was taken for whole")
	}
}

func FuzzParseMemStats(f *testing.F) {
	f.Add([]byte("# HeapAlloc = 5\n# PauseNs = [1 2 3]\n# Stack = 1 / 2\n"))
	f.Add([]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n1: 2\n#\t0x1\n\n# NumGC = 4\n# \n## a = 1\n#\n# GCSys = 7\n" +
		"# Sys = x\nSys"))
	f.Add(textOf("heap", 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m MemStats
		err := m.parse(bytes.NewReader(data))
		want, complete := statsByLines(data)
		if fmt.Sprint(m) != fmt.Sprint(want) || (err == nil) != complete { // also with NaN
			t.Errorf("%v, %+v; want %v, %+v", err, m, complete, want)
		}
		if err == nil {
			s := vitals.NewSample(time.Unix(1, 0))
			var r memReader
			r.apply(&m, &s, time.Unix(0, 0))
			r.apply(&m, &s, time.Unix(0, 0))
		}
	})
}

// statsByLines is what MemStats.parse does, line by line. Lines must fit into its buffer.
func statsByLines(data []byte) (m MemStats, complete bool) {
	m.ProfileRate = -1
	found := 0
	for i, l := range bytes.SplitAfter(data, []byte("\n")) {
		if rate, ok := profileRate(l); ok && i == 0 {
			m.ProfileRate = rate
		}
		if name, value, ok := memLine(l); ok && bytes.HasSuffix(l, []byte("\n")) && m.set(name, value) {
			found++
		}
	}
	return m, found >= memFields
}

// textOf is a profile of this process as text.
func textOf(kind string, debug int) []byte {
	var b bytes.Buffer
	_ = pprof.Lookup(kind).WriteTo(&b, debug) // to memory
	return b.Bytes()
}

// TestParseMemStatsInPieces: wherever the answer is cut into pieces, the same is read.
func TestParseMemStatsInPieces(t *testing.T) {
	text := textOf("heap", 1)
	want, complete := statsByLines(text)
	for _, size := range []int{1, 2, 3, 100, 4096} {
		var m MemStats
		if err := m.parse(&pieces{text, size}); err != nil || !complete || m != want {
			t.Errorf("in pieces of %d: %v, %+v; want %+v", size, err, m, want)
		}
	}
	large := append(bytes.Repeat([]byte("1: 2 [3: 4] @ 0x1 0x2\n#\t0x1\tmain.f+0x1\tmain.go:1\n\n"), 10_000), text...)
	var m MemStats
	if err := m.parse(bytes.NewReader(large)); err != nil || m.NumGC != want.NumGC || m.PauseEnd != want.PauseEnd {
		t.Errorf("behind 600 KB of records: %v, %+v; want %+v", err, m, want)
	}
}

// pieces are read size bytes at a time.
type pieces struct {
	rest []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(p.size, len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

func FuzzParseIndex(f *testing.F) {
	f.Add([]byte(index))
	f.Add([]byte("<td>1<td>2</td>\n<td><a href=/x/a/heap?debug=1'>heap</a>" +
		"<td>3</td><td><a href=\"a b?\"><td>4</td><td><a href=b?"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, want := parseIndex(data), indexByPattern(data); !maps.Equal(got, want) {
			t.Errorf("%q has %v, want %v", data, got, want)
		}
	})
}

var indexRow = regexp.MustCompile(`<td>(\d+)</td>\s*<td><a href=['"]?(?:[^'"?> ]*/)?([a-z]+)\?`)

// indexByPattern is what parseIndex does, in one regular expression.
func indexByPattern(page []byte) counts {
	c := make(counts)
	for _, m := range indexRow.FindAllSubmatch(page, maxRows) {
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			c[string(m[2])] = n
		}
	}
	return c
}

// The mappings of programs built with several versions of Go, with cgo, and with the race detector: the heap's arenas
// are found where the runtime has its account of them, and nothing else is.
func TestMappingsOfPrograms(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the recordings are of amd64")
	}
	for file, data := range checkout.Case(t, "forms/smaps") {
		t.Run(file, func(t *testing.T) {
			all, err := parseMappings(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			m := addUp(all, "/tmp/mprobe/x."+strings.TrimSuffix(file, ".txt"))
			sum := m.Heap + m.Runtime + m.Program + m.Files + m.Shared + m.Anonymous
			if sum != m.RSS || m.RSS == 0 {
				t.Errorf("parts add up to %d, want %d", sum, m.RSS)
			}
			heap, planted := heapOf(t, data), int64(64<<20)
			if d := m.Heap - heap; d < -2<<20 || d > 1<<20 {
				t.Errorf("%d resident in the arenas, the runtime counts %d", m.Heap, heap)
			}
			if bytes.Contains(data, []byte("malloc")) {
				planted += 32 << 20
			}
			if m.Anonymous < planted || !strings.Contains(file, "race") && m.Anonymous > planted+6<<20 {
				t.Errorf("%d of C and mmap, planted are %d", m.Anonymous, planted)
			}
			if m.Program < 1<<20 || m.Files != 0 || m.Shared != 0 {
				t.Errorf("program %d, files %d, shared %d", m.Program, m.Files, m.Shared)
			}
		})
	}
}

// heapOf is the runtime's account of what it holds of its heap, from the lines "# /memory/classes/heap/… N".
func heapOf(t *testing.T, data []byte) (sum int64) {
	t.Helper()
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var name string
		var n int64
		if _, err := fmt.Sscanf(lines.Text(), "# %s %d", &name, &n); err == nil && !strings.Contains(name, "released") {
			sum += n
		}
	}
	if sum == 0 {
		t.Fatal("the recording has no account")
	}
	return sum
}

func TestAddUpFiles(t *testing.T) {
	const smaps = `00400000-004ac000 r-xp 00000000 fe:00 42     /opt/my shop/shop (deleted)
Rss:                1000 kB
004ac000-00500000 rw-p 00000000 00:00 0
Rss:                  12 kB
0f8e2000-0f903000 rw-p 00000000 00:00 0      [heap]
Rss:                  20 kB
c000000000-c004000000 rw-p 00000000 00:00 0  [anon: Go: heap]
Rss:                 400 kB
LazyFree:            100 kB
7f0000000000-7f0000100000 rw-p 00000000 00:00 0   [anon: Go: gc bits]
Rss:                  30 kB
7f1000000000-7f1000100000 r--s 00000000 fe:00 7   /data/bolt.db
Rss:                 200 kB
7f2000000000-7f2000100000 r-xp 00000000 fe:00 8   /lib/libc.so.6
Rss:                 300 kB
7f3000000000-7f3000100000 rw-s 00000000 00:01 9   /memfd:queue (deleted)
Rss:                  40 kB
7f4000000000-7f4000100000 rw-p 00000000 00:00 0
Rss:                  50 kB
`
	all, err := parseMappings(strings.NewReader(smaps))
	if err != nil {
		t.Fatal(err)
	}
	got := addUp(all, "/opt/my shop/shop (deleted)")
	if len(got.Largest) != 1 || got.Largest[0] != (casefile.MappedFile{Name: "bolt.db", RSS: 200 << 10}) {
		t.Errorf("files %+v, want bolt.db", got.Largest)
	}
	got.Largest = nil
	want := fmt.Sprintf("%+v", casefile.MappedMemory{RSS: 2052 << 10, Heap: 400 << 10, Runtime: 30 << 10,
		Program: 1312 << 10, Files: 200 << 10, Shared: 40 << 10, Anonymous: 70 << 10, CHeap: 20 << 10,
		LazyFree: 100 << 10, Arenas: 64 << 20})
	if fmt.Sprintf("%+v", got) != want {
		t.Errorf("got  %+v\nwant %s", got, want)
	}
}

func TestParseMemory(t *testing.T) {
	got, err := parseMemory([]byte("Name:\tshop\nVmRSS:\t  900 kB\nRssAnon:\t  600 kB\nRssFile:\t  200 kB\n" +
		"RssShmem:\t  100 kB\nVmSwap:\t    7 kB\n"))
	want := casefile.ProcessMemory{RSS: 900 << 10, Anonymous: 600 << 10, File: 200 << 10, Shared: 100 << 10,
		Swapped: 7 << 10}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if _, err := parseMemory([]byte("Name:\tkthreadd\n")); err == nil {
		t.Error("a process without memory has some")
	}
}

func FuzzParseMappings(f *testing.F) {
	f.Add([]byte("00400000-004ac000 r-xp 00000000 fe:00 42 /bin/x\nRss: 12 kB\n"))
	f.Add([]byte("c000000000-c004000000 rw-p 0 0 0\nRss: 99999999999999999999 kB\nLazyFree:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := parseMappings(bytes.NewReader(data))
		if err == nil {
			addUp(all, "/bin/x")
		}
	})
}

func TestSelfMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	debug.FreeOSMemory() // of the tests before this one
	var e environment
	e.setMemory("", "self")
	m := e.Memory
	if m != nil && m.RSS > maxWalked && m.Mapped == nil && e.Absent["mappings"] != "" {
		t.Skipf("the tests before this one left the process with %d MiB: its mappings are not read", m.RSS>>20)
	}
	if m == nil || m.RSS < 1<<20 || m.Mapped == nil || m.Mapped.Program < 1<<20 || m.Mapped.Arenas == 0 {
		t.Errorf("of this process the memory is %+v, absent %v", m, e.Absent)
	}
	if got := memoryMetrics(); got["/memory/classes/heap/objects:bytes"] == 0 || got["/memory/classes/other:bytes"] == 0 {
		t.Errorf("the metrics of memory are %v", got)
	}
}

// The meter sees a stop of the world, and sees none afterwards.
func TestPauseMeter(t *testing.T) {
	m := newPauseMeter(false)
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if d := m.longest(); d <= 0 {
		t.Errorf("runtime.ReadMemStats stops the world; the meter says %s", d)
	}
	if m := newPauseMeter(true); len(m.seen) != 2 {
		t.Errorf("%d histograms with the collector's, want 2", len(m.seen))
	}
	gc := newPauseMeter(true)
	runtime.GC()
	if d := gc.longest(); d <= 0 {
		t.Errorf("a garbage collection stops the world; the meter says %s", d)
	}
	unknown := newPauseMeter(false)
	unknown.samples[0].Name = "/unknown:seconds"
	runtime.ReadMemStats(&stats)
	if d := unknown.longest(); d != 0 {
		t.Errorf("without its metric the meter says %s, want 0", d)
	}
}

func TestBuildName(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/nats-io/nats-server/v2": "nats-server",
		"example.org/shop/cmd/orders":       "orders",
		"example.org/vault":                 "vault",
		"example.org/v":                     "v",
		"v2":                                "v2",
		"command-line-arguments":            "",
		"":                                  "",
	} {
		if got := buildName(&debug.BuildInfo{Path: path}); got != want {
			t.Errorf("the binary of %q is called %q, want %q", path, got, want)
		}
	}
}
