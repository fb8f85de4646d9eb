package holmes

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// A keeper is a reporter that keeps what it gets, until it is full.
type keeper chan report

func (k keeper) Report(pType string, filename string, reason ReasonType, eventID string, at time.Time, data []byte,
	scene Scene) error {
	select {
	case k <- report{pType, filename, reason, eventID, at, data, scene}:
	default:
	}
	return nil
}

// next waits for the next dump of one profile, and drops others.
func (k keeper) next(t *testing.T, profile string) report {
	t.Helper()
	timeout := time.After(patience)
	for {
		select {
		case r := <-k:
			if r.profile == profile {
				return r
			}
		case <-timeout:
			t.Fatalf("no dump of %s within %s", profile, patience)
		}
	}
}

// patience is how long a test waits for what takes two seconds on an idle machine.
const patience = 5 * time.Minute

// A memo is a logger that keeps its lines.
type memo struct {
	lineLogger
	mu    sync.Mutex // guards lines
	lines []string
	added chan struct{} // holds a value: there are new lines
}

func newMemo() *memo {
	m := &memo{added: make(chan struct{}, 1)}
	m.level, m.out = LevelTrace, m
	return m
}

func (m *memo) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines = append(m.lines, string(p))
	select {
	case m.added <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (m *memo) has(part string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, l := range m.lines {
		if strings.Contains(l, part) {
			return true
		}
	}
	return false
}

// await waits until a line contains a text.
func (m *memo) await(t *testing.T, part string) {
	t.Helper()
	timeout := time.After(patience)
	for !m.has(part) {
		select {
		case <-m.added:
		case <-timeout:
			m.mu.Lock()
			defer m.mu.Unlock()
			t.Fatalf("nothing was logged with %q within %s, but:\n%s", part, patience, strings.Join(m.lines, ""))
		}
	}
}

// fast makes a Holmes that judges after a second, with a folder of its own. It is stopped when the test ends.
func fast(t *testing.T, opts ...Option) *Holmes {
	t.Helper()
	h, err := New(append([]Option{WithCollectInterval("100ms"), WithDumpPath(t.TempDir())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if h.current() != nil {
			h.Stop()
		}
	})
	return h
}

// always dumps goroutines at every judgement after the warm-up, because there is more than one.
func always(coolDown time.Duration) Option { return WithGoroutineDump(1, 1000, 1, 0, coolDown) }

func mustNew(t *testing.T, opts ...Option) *Holmes {
	t.Helper()
	h, err := New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// must sets options that cannot fail.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ExampleNew() {
	h, err := New(
		WithCollectInterval("5s"),
		WithDumpPath("/var/lib/orders"),
		WithCPUDump(20, 25, 80, time.Minute),
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	h.EnableCPUDump().EnableGoroutineDump()
	// h.Start(), and at the end h.Stop()

	_, err = New(WithCollectInterval("0s"))
	fmt.Println(err)
	// Output: holmes: WithCollectInterval: 0s is not above 0 and up to 24h0m0s; 100ms to 1m are good intervals
}
