package instance

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

// goesOn limits how long a test waits for what comes at any speed of the machine. After that it says what did not come.
const goesOn = 8 * time.Minute

// startVictim builds and starts the victim and returns its address and a func that stops it.
func startVictim(t *testing.T, args ...string) (addr string, stop func()) {
	t.Helper()
	bin, err := victimtest.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return victimtest.Start(t, bin, args...)
}

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
	addr, _ := startVictim(t, "-objects", "200000", "-park", "500")
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

func TestCaptureRealProcess(t *testing.T) {
	addr, _ := startVictim(t, "-objects", "100000", "-park", "50")
	h := newHTTP(t, "http://"+addr+"/debug/pprof/heap?debug=1")
	take(t, h, time.Now())
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine,
		casefile.ThreadCreate} {
		// A starved process may not get the 10 ms of CPU within a second that make a sample.
		for d := time.Second; d <= time.Minute; d *= 4 {
			p, err := h.Capture(t.Context(), kind, d)
			if err != nil {
				t.Errorf("%s: %v", kind, err)
				break
			}
			prof, err := profile.ParseData(p.Data)
			if err != nil {
				t.Errorf("%s is not a profile: %v", kind, err)
				break
			}
			if len(prof.Sample) > 0 {
				break
			}
			if kind != casefile.CPU || 4*d > time.Minute {
				t.Errorf("%s of %s has no samples", kind, d)
				break
			}
		}
	}
	for _, kind := range []string{casefile.Mutex, casefile.Block} {
		var empty *EmptyError
		if _, err := h.Capture(t.Context(), kind, time.Second); !errors.As(err, &empty) {
			t.Errorf("%s of a process that does not record it: %v, want an EmptyError", kind, err)
		}
	}
	if _, err := h.Capture(t.Context(), "cup", time.Second); err == nil {
		t.Error("an unknown kind was captured")
	}
}

func TestRestartedProcessIsFoundAgain(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found through /proc")
	}
	addr, stop := startVictim(t)
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
	startVictim(t, "-listen", addr)
	take(t, h, time.Now())
	if !h.Restarted() || h.Restarted() {
		t.Error("Restarted must say so, once")
	}
	if p := h.proc.Load(); p == nil || p.pid == old {
		t.Errorf("the new process was not found: %+v, %s", p, h.whyNoProcess())
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	h := newHTTP(t, "http://ann:s3cret@127.0.0.1:1/debug/pprof/?token=s3cret")
	d, err := h.Describe(t.Context())
	if err == nil {
		t.Fatal("port 1 answers")
	}
	_, bad := NewHTTP("http://ann:s3cret@h:port/?token=s3cret")
	for _, text := range []string{err.Error(), h.URL(), d.URL, d.Name, bad.Error()} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("a secret is shown: %s", text)
		}
	}
}

// index is the index page of net/http/pprof.
const index = `<tr><td>3</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr>`

func TestBadTargets(t *testing.T) {
	var busy atomic.Int32
	var zipped bytes.Buffer
	zw := gzip.NewWriter(&zipped)
	_, _ = zw.Write(bytes.Repeat([]byte("profile"), 1000))
	_ = zw.Close()
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		capture bool // the fault shows in Capture, not in Describe
		want    string
	}{
		{"not pprof", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>hello</html>") }, false,
			"not the index page"},
		{"not mounted", http.NotFound, false, "is net/http/pprof mounted there?"},
		{"credentials", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusUnauthorized) },
			false, "--bearer-file"},
		{"html", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>login</html>") }, true,
			"HTML page"},
		{"empty", func(http.ResponseWriter, *http.Request) {}, true, "empty"},
		{"text", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, true,
			"not a gzipped pprof profile"},
		{"cut", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(zipped.Bytes()[:zipped.Len()-5]) }, true,
			"cut or damaged"},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(zipped.Bytes()[:10])
		}, true, "the answer ends in the middle"},
		{"busy, then free", func(w http.ResponseWriter, _ *http.Request) {
			if busy.Add(1) == 1 {
				http.Error(w, "Could not enable CPU profiling: cpu profiling already in use",
					http.StatusInternalServerError)
				return
			}
			_, _ = w.Write(zipped.Bytes())
		}, true, ""},
		{"short write timeout", func(w http.ResponseWriter, r *http.Request) {
			if r.FormValue("seconds") != "1" {
				http.Error(w, "profile duration exceeds server's WriteTimeout", http.StatusBadRequest)
				return
			}
			_, _ = w.Write(zipped.Bytes())
		}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
				if c.capture && r.URL.Path == "/debug/pprof/" {
					_, _ = io.WriteString(w, index)
					return
				}
				c.handler(w, r)
			})
			srv := httptest.NewServer(mux)
			defer srv.Close()
			h := newHTTP(t, srv.URL)
			_, err := h.Describe(t.Context())
			if c.capture {
				if err != nil {
					t.Fatal(err)
				}
				var p Profile
				p, err = h.Capture(t.Context(), casefile.CPU, 4*time.Second)
				if err == nil && p.Note == "" {
					t.Error("the profile came at the second try; want a note that says so")
				}
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	_, err := newHTTP(t, "127.0.0.1:1").Describe(t.Context())
	if err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("error is %v", err)
	}
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer hang.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = newHTTP(t, hang.URL).Describe(ctx)
	if err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Errorf("error is %v", err)
	}
}

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
