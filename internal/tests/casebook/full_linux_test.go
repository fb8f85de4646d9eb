package casebook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/disktest"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/vitals"
)

// A full disk stops capture, and the watch says so. When there is space again, there are cases again.
func TestFullDiskStopsTheTaking(t *testing.T) {
	if !disktest.InNamespace(t) {
		return
	}
	dir := disktest.Mount(t, 4<<20, 0)
	trouble, told := make(chan casebook.Event, 100), make(chan reporter.Report, 100)
	w := runningIn(t, dir, casebook.Config{
		Target: instance.NewSelf(), Interval: 100 * time.Millisecond, Windows: -1, TraceCost: -1,
		Rules: when("goroutines", 1e9),
		Reporters: []reporter.Reporter{{Name: "told",
			Send: func(_ context.Context, r reporter.Report) error { told <- r; return nil }}},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Missed || e.Kind == casebook.Failed {
				trouble <- e
			}
		},
	})
	filler := disktest.Fill(t, dir, 0)
	if _, err := w.Capture(t.Context(), "on a full disk", casefile.Goroutine); err == nil ||
		!strings.Contains(err.Error(), "disk is full") {
		t.Errorf("a case on a full disk gave %v, want the cause", err)
	}
	if e := <-trouble; e.Kind != casebook.Failed || !strings.Contains(e.Err.Error(), "disk is full") {
		t.Errorf("the event is %s with %v, want that the case failed, and why", e.Kind, e.Err)
	}
	if r := <-told; r.Folder != "" || !strings.Contains(r.Case.Trigger.Text, "its case could not be written") ||
		!strings.Contains(r.Case.Trigger.Text, "disk is full") {
		t.Errorf("the reporter got %+v, want the trip and that the disk is full", r)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	f, err := w.Capture(t.Context(), "with room again", casefile.Goroutine)
	if err != nil || !has(f, casefile.Goroutine) {
		t.Errorf("with room again: %v", err)
	}
	if s := w.Status(); s.Ticks == 0 {
		t.Error("the sampling stopped")
	}
}

// A rule that fires while its case cannot be written is still reported: by an event, in the log, to a reporter, and to
// a webhook whose spool is on the same disk.
func TestTripWithoutACaseIsTold(t *testing.T) {
	t.Parallel()
	if !disktest.InNamespace(t) {
		return
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		why   string
	}{
		"full": {func(t *testing.T, dir string) { disktest.Fill(t, dir, 0) }, "the disk is full"},
		"read-only": {func(t *testing.T, dir string) {
			var err error
			for range 100 { // writing the state or a spool makes the file system busy
				if err = syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err == nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Skip(err)
		}, "read-only"},
	} {
		t.Run(name, func(t *testing.T) { tripWithoutACase(t, c.spoil, c.why) })
	}
}

func tripWithoutACase(t *testing.T, spoil func(t *testing.T, dir string), why string) {
	dir := disktest.Mount(t, 4<<20, syscall.MS_NOATIME)
	posted, told := make(chan reporter.Message, 10), make(chan reporter.Report, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m reporter.Message
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		posted <- m
	}))
	defer server.Close()
	hook, err := reporter.Webhook(reporter.WebhookConfig{URL: server.URL, PlainHTTP: true,
		Spool: filepath.Join(dir, ".spool-webhook")})
	if err != nil {
		t.Fatal(err)
	}
	failed, log, level := make(chan casebook.Event, 10), new(sharedLog), new(gaugeLevel)
	runningIn(t, dir, casebook.Config{
		Interval: 100 * time.Millisecond, Windows: -1, TraceCost: -1, Rules: when("level", 10, casefile.Goroutine),
		Sources: []vitals.Source{casebook.Gauge("level", vitals.Count, level.get)},
		Logger:  slog.New(slog.NewTextHandler(log, nil)),
		Reporters: []reporter.Reporter{hook,
			{Name: "told", Send: func(_ context.Context, r reporter.Report) error { told <- r; return nil }}},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Failed {
				failed <- e
			}
		},
	})
	spoil(t, dir)
	level.set(11)
	e := <-failed
	if e.Trigger.Rule != "test" || e.CaseID == "" || !strings.Contains(e.Err.Error(), why) {
		t.Errorf("the event is of rule %q, case %q: %v; want why", e.Trigger.Rule, e.CaseID, e.Err)
	}
	r, m := <-told, <-posted
	if want := "its case could not be written"; r.Folder != "" || !strings.Contains(r.Case.Trigger.Text, want) ||
		!strings.Contains(r.Case.Trigger.Text, why) {
		t.Errorf("the reporter got %q with folder %q, want the trip and %q", r.Case.Trigger.Text, r.Folder, why)
	}
	if m.ID != e.CaseID || m.Rule != "test" || m.Folder != "" || m.Open != "" || !strings.Contains(m.Text, why) {
		t.Errorf("posted was %+v, want the trip and %q", m, why)
	}
	for end := time.Now().Add(time.Minute); !strings.Contains(log.String(),
		"could not be written"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the log does not tell of it:\n%s", log)
		}
	}
	if text := log.String(); !strings.Contains(text, "rule=test") || !strings.Contains(text, why) {
		t.Errorf("the log reports it without the rule or the cause:\n%s", text)
	}
}

// A gaugeLevel is a signal that the test sets.
type gaugeLevel struct{ bits atomic.Int64 }

func (g *gaugeLevel) set(x int64) { g.bits.Store(x) }

func (g *gaugeLevel) get() float64 { return float64(g.bits.Load()) }

// A sharedLog can be written and read at the same time.
type sharedLog struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (l *sharedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *sharedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
