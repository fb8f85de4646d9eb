package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A sink is an io.Writer that keeps what it got, each call with its time, and fails on demand.
type sink struct {
	mu    sync.Mutex
	start time.Time
	busy  bool
	op    time.Duration // how long a call takes
	got   []byte
	calls []string
	fail  func(call int, p []byte) (n int, err error) // nil: never
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	if s.busy {
		panic("two calls at once")
	}
	s.busy = true
	call := len(s.calls)
	s.calls = append(s.calls, fmt.Sprintf("%s at %s", p, time.Since(s.start)))
	s.mu.Unlock()
	time.Sleep(s.op)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
	n, err := len(p), error(nil)
	if s.fail != nil {
		n, err = s.fail(call, p)
	}
	s.got = append(s.got, p[:max(min(n, len(p)), 0)]...)
	return n, err
}

// String is the calls so far.
func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.calls, ", ")
}

func newWriter(t testing.TB, to io.Writer, cfg WriterConfig) *Writer {
	t.Helper()
	w, err := NewWriter(to, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func TestWriterConfig(t *testing.T) {
	for _, tt := range []struct {
		name string
		to   io.Writer
		cfg  WriterConfig
		want string
	}{
		{"zero", io.Discard, WriterConfig{}, ""},
		{"no delay", io.Discard, WriterConfig{MaxDelay: NoDelay}, ""},
		{"no writer", nil, WriterConfig{}, "io.Writer is nil"},
		{"negative bytes", io.Discard, WriterConfig{MaxBytes: -1}, "field MaxBytes is -1"},
		{"absurd bytes", io.Discard, WriterConfig{MaxBytes: 1<<31 - 1}, "field MaxBytes"},
		{"negative delay", io.Discard, WriterConfig{MaxDelay: -2}, "field MaxDelay is -2ns"},
		{"absurd delay", io.Discard, WriterConfig{MaxDelay: time.Hour}, "field MaxDelay"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := NewWriter(tt.to, tt.cfg)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("NewWriter: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestWriterGathers(t *testing.T) {
	const ms = time.Millisecond
	type write struct {
		at time.Duration
		p  string
	}
	for _, tt := range []struct {
		name   string
		op     time.Duration
		delay  time.Duration
		writes []write
		want   string
	}{
		{"lone ones go through", 0, 10 * ms, []write{{0, "a"}, {20 * ms, "b"}, {40 * ms, "c"}},
			"a at 0s, b at 20ms, c at 40ms"},
		{"those that follow are gathered", 0, 10 * ms, []write{{0, "a"}, {1 * ms, "b"}, {2 * ms, "c"}, {30 * ms, "d"}},
			"a at 0s, bc at 11ms, d at 30ms"},
		{"a full buffer goes", 0, 10 * ms, []write{{0, "a"}, {ms, "1234"}, {ms, "5678"}, {ms, "9"}},
			"a at 0s, 12345678 at 1ms, 9 at 11ms"},
		{"none is split", 0, 10 * ms, []write{{0, "a"}, {ms, "12345"}, {ms, "6789"}},
			"a at 0s, 12345 at 1ms, 6789 at 11ms"},
		{"a large one, in its place", 0, 10 * ms, []write{{0, "a"}, {ms, "b"}, {ms, "0123456789"}, {ms, "c"}},
			"a at 0s, b at 1ms, 0123456789 at 1ms, c at 11ms"},
		{"behind a slow write", 5 * ms, NoDelay, []write{{0, "a"}, {ms, "b"}, {2 * ms, "c"}, {7 * ms, "d"}},
			"a at 0s, bc at 5ms, d at 10ms"},
		{"empty", 0, 10 * ms, []write{{0, ""}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &sink{start: time.Now(), op: tt.op}
				w := newWriter(t, s, WriterConfig{MaxBytes: 8, MaxDelay: tt.delay})
				var wg sync.WaitGroup
				for _, wr := range tt.writes {
					time.Sleep(time.Until(s.start.Add(wr.at)))
					wg.Go(func() {
						if n, err := w.Write([]byte(wr.p)); n != len(wr.p) || err != nil {
							t.Errorf("Write(%q): %d, %v", wr.p, n, err)
						}
					})
					synctest.Wait()
				}
				wg.Wait()
				time.Sleep(time.Second)
				if got := s.String(); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// TestWriterErrors: the first error stays, says what was lost, and is returned by Write, Flush and Close.
func TestWriterErrors(t *testing.T) {
	down := errors.New("disk full")
	for _, tt := range []struct {
		name string
		fail func(call int, p []byte) (int, error)
		is   error
		text string
		lost uint64
	}{
		{"error", func(_ int, p []byte) (int, error) { return 0, down }, down,
			"batch: writing 4 bytes, of which 0 were written: disk full", 4},
		{"a part", func(_ int, p []byte) (int, error) { return 3, down }, down,
			"batch: writing 4 bytes, of which 3 were written: disk full", 1},
		{"short", func(_ int, p []byte) (int, error) { return 2, nil }, io.ErrShortWrite,
			"of which 2 were written: short write", 2},
		{"too much", func(_ int, p []byte) (int, error) { return 99, nil }, nil, "Write says it wrote 99 of 4 bytes",
			4},
		{"negative", func(_ int, p []byte) (int, error) { return -1, nil }, nil, "Write says it wrote -1 of 4 bytes",
			4},
		{"panic", func(int, []byte) (int, error) { panic(down) }, down, "batch: Write panicked: disk full", 4},
		{"goexit", func(int, []byte) (int, error) { runtime.Goexit(); return 0, nil }, errGoexit, "", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &sink{start: time.Now(), fail: func(call int, p []byte) (int, error) {
					if call == 0 {
						return len(p), nil
					}
					return tt.fail(call, p)
				}}
				w := newWriter(t, s, WriterConfig{MaxDelay: time.Millisecond})
				for _, p := range []string{"ok", "lo", "st"} { // the first goes through, the others are gathered
					if _, err := io.WriteString(w, p); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(time.Second)
				check := func(what string, err error) {
					if err == nil || tt.is != nil && !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.text) {
						t.Errorf("%s: %v, want %q", what, err, tt.text)
					}
				}
				_, err := w.Write([]byte("x"))
				check("Write", err)
				check("Flush", w.Flush())
				check("Close", w.Close())
				want := WriterStats{Writes: 3, Bytes: 6, Calls: 2, Lost: tt.lost}
				if got := w.Stats(); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
			})
		})
	}
}

// TestWriterDirectError: when a write goes through directly, that Write returns its error.
func TestWriterDirectError(t *testing.T) {
	w := newWriter(t, &sink{fail: func(int, []byte) (int, error) { return 2, io.ErrClosedPipe }}, WriterConfig{})
	if n, err := w.Write([]byte("abc")); n != 2 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Write: %d, %v, want 2 and ErrClosedPipe", n, err)
	}
}

func TestWriterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{start: time.Now(), op: time.Second}
		w := newWriter(t, s, WriterConfig{MaxBytes: 4, MaxDelay: time.Minute})
		var wg sync.WaitGroup
		for _, p := range []string{"a", "bcd", "late!"} { // one is written, one is gathered, one waits for room
			wg.Go(func() {
				n, err := w.Write([]byte(p))
				if p == "late!" && (n != 0 || !errors.Is(err, ErrStopped)) || p != "late!" && err != nil {
					t.Errorf("Write(%q): %d, %v", p, n, err)
				}
			})
			synctest.Wait()
		}
		for range 2 {
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
		wg.Wait()
		if got, want := s.String(), "a at 0s, bcd at 1s"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if _, err := w.Write([]byte("x")); !errors.Is(err, ErrStopped) {
			t.Errorf("Write after Close: %v, want ErrStopped", err)
		}
	})
}

// TestWriterFlush: everything before it is written, in order, however others write at the same time.
func TestWriterFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{start: time.Now(), op: time.Millisecond}
		w := newWriter(t, s, WriterConfig{MaxBytes: 64, MaxDelay: time.Minute})
		var wg sync.WaitGroup
		for c := range 8 {
			wg.Go(func() {
				for i := range 100 {
					line := fmt.Sprintf("<%d %d%s>", c, i, strings.Repeat("x", (i*c)%100))
					if _, err := w.Write([]byte(line)); err != nil {
						t.Error(err)
					}
					if i%7 != 0 {
						continue
					}
					if err := w.Flush(); err != nil {
						t.Error(err)
					}
					s.mu.Lock()
					if !bytes.Contains(s.got, []byte(line)) {
						t.Errorf("Flush returned before %s was written", line)
					}
					s.mu.Unlock()
				}
			})
		}
		wg.Wait()
	})
}

// FuzzWriter writes lines from several goroutines, with a sink that fails at a random call or never. What arrives must
// be whole lines. Those of each goroutine must be in order and each once, and all must arrive if there was no failure.
func FuzzWriter(f *testing.F) {
	for seed := range uint64(50) {
		f.Add(seed, uint16(seed*3), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, maxBytes uint16, fails bool) {
		synctest.Test(t, func(t *testing.T) { fuzzWriter(t, seed, int(maxBytes), fails) })
	})
}

func fuzzWriter(t *testing.T, seed uint64, maxBytes int, fails bool) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	failAt := 1 + rnd.IntN(40)
	s := &sink{start: time.Now(), op: time.Duration(rnd.IntN(2000)) * time.Microsecond}
	s.fail = func(call int, p []byte) (int, error) {
		if fails && call >= failAt {
			return bytes.IndexByte(p, '\n') + 1, io.ErrUnexpectedEOF // the first line only
		}
		return len(p), nil
	}
	w := newWriter(t, s, WriterConfig{MaxBytes: maxBytes, MaxDelay: time.Duration(rnd.IntN(5)) * time.Millisecond})
	const callers, each = 4, 50
	var wg sync.WaitGroup
	for c := range callers {
		rnd := rand.New(rand.NewPCG(seed, uint64(c)))
		wg.Go(func() {
			for i := range each {
				line := fmt.Sprintf("%d %d %s\n", c, i, strings.Repeat("x", rnd.IntN(60)))
				if n, err := w.Write([]byte(line)); err != nil && !fails || err == nil && n != len(line) {
					t.Errorf("Write: %d, %v", n, err)
				}
				time.Sleep(time.Duration(rnd.IntN(3)*rnd.IntN(1000)) * time.Microsecond)
			}
		})
	}
	wg.Wait()
	err := w.Close()
	if !fails && err != nil {
		t.Errorf("Close: %v", err)
	}
	next := [callers]int{}
	for line := range strings.Lines(string(s.got)) {
		var c, i int
		if _, err := fmt.Sscanf(line, "%d %d", &c, &i); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("a broken line arrived: %q", line)
		}
		if i != next[c] {
			t.Fatalf("of goroutine %d line %d arrived, want %d", c, i, next[c])
		}
		next[c]++
	}
	if st := w.Stats(); st.Bytes != uint64(len(s.got))+st.Lost {
		t.Errorf("%+v, but %d bytes arrived", st, len(s.got))
	}
	for c, n := range next {
		if n != each && err == nil {
			t.Errorf("of goroutine %d %d lines arrived, want %d", c, n, each)
		}
	}
}
