package reporter_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/internal/golden"
	"github.com/gocasebook/casebook/reporter"
)

// script is a reporter that returns these errors in turn, then nil, and notes when it was called.
func script(calls *[]time.Duration, answers ...error) reporter.Reporter {
	start, n := time.Now(), 0
	return reporter.Reporter{Name: "script", Send: func(context.Context, reporter.Report) error {
		*calls = append(*calls, time.Since(start))
		if n++; n <= len(answers) {
			return answers[n-1]
		}
		return nil
	}}
}

// counts are the numbers of a status.
type counts struct{ sent, failed, retried, dropped, pending int }

func wantCounts(t *testing.T, s reporter.Status, want counts) {
	t.Helper()
	if got := (counts{s.Sent, s.Failed, s.Retried, s.Dropped, s.Pending}); got != want {
		t.Errorf("reporter %s: %+v, want %+v (last error %q)", s.Name, got, want, s.LastError)
	}
}

// A healthy reporter gets everything at once, whatever those beside it do.
func TestRoguesHarmNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []time.Duration
		healthy := script(&calls)
		q := mustQueue(t, reporter.QueueOptions{},
			reporter.Reporter{Name: "panics", Send: func(context.Context, reporter.Report) error { panic("boom") }},
			reporter.Reporter{Name: "exits", Send: func(context.Context, reporter.Report) error { exitGoroutine(); return nil }},
			reporter.Reporter{Name: "hangs", Timeout: time.Minute, Retry: reporter.Retry{Tries: 1},
				Send: func(ctx context.Context, _ reporter.Report) error {
					<-ctx.Done()
					return ctx.Err()
				}},
			reporter.Reporter{Name: "bad error", Send: func(context.Context, reporter.Report) error { return badError{} }},
			healthy,
		)
		stop := running(q)
		for i := range 3 {
			q.Put(named(i))
		}
		synctest.Wait()
		if len(calls) != 3 || calls[2] != 0 {
			t.Errorf("the healthy reporter was called at %v, want three times at 0 s", calls)
		}
		if busy := q.Status()[2].BusySince; !busy.Equal(time.Now()) {
			t.Errorf("the one that hangs is busy since %s, want now", busy)
		}
		time.Sleep(time.Hour)
		if err := stop(); err != nil {
			t.Error(err)
		}
		for i, say := range []string{"it panicked: boom", "it ended its goroutine", "context deadline exceeded",
			"it panicked", ""} {
			s := q.Status()[i]
			want := counts{failed: 3}
			if say == "" {
				want = counts{sent: 3}
			}
			wantCounts(t, s, want)
			if !strings.Contains(s.LastError, say) || !s.BusySince.IsZero() {
				t.Errorf("reporter %s: last error %q, busy since %s; want %q, not busy", s.Name, s.LastError,
					s.BusySince, say)
			}
		}
	})
}

type badError struct{}

func (badError) Error() string { panic("an error that cannot be printed") }

// Put never waits. When there are too many reports, the oldest are dropped.
func TestOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		var got []string
		q := mustQueue(t, reporter.QueueOptions{Size: 4}, reporter.Reporter{Name: "slow", Send: func(_ context.Context,
			r reporter.Report) error {
			<-free
			got = append(got, r.Service)
			return nil
		}})
		stop := running(q)
		for _, name := range strings.Split("abcdefghij", "") {
			q.Put(reporter.Report{Case: casetest.Sample(), Service: name})
			synctest.Wait()
		}
		wantCounts(t, q.Status()[0], counts{dropped: 5, pending: 5}) // a is being sent, b to f were dropped
		close(free)
		synctest.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 5, dropped: 5})
		if all := strings.Join(got, ""); all != "aghij" {
			t.Errorf("sent %q, want the first and the newest four: %q", all, "aghij")
		}
	})
}

// What is queued when the end comes is tried once, without pauses, within the grace period.
func TestGrace(t *testing.T) {
	slow := func(d time.Duration) reporter.Reporter {
		return reporter.Reporter{Name: "slow", Retry: reporter.Retry{Tries: 1}, Send: func(ctx context.Context,
			_ reporter.Report) error {
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
	}
	answers := func(errs ...error) reporter.Reporter { return script(new([]time.Duration), errs...) }
	for _, tt := range []struct {
		name  string
		r     reporter.Reporter
		took  time.Duration
		want  counts
		error string
	}{
		{name: "time enough", r: slow(time.Second), took: 3 * time.Second, want: counts{sent: 3}},
		{name: "too slow", r: slow(2 * time.Second), took: 5 * time.Second, want: counts{sent: 2, failed: 1}},
		{name: "much too slow", r: slow(time.Minute), took: 5 * time.Second, want: counts{failed: 1, pending: 2},
			error: ""},
		{name: "in a pause", r: answers(errTest), want: counts{sent: 3, retried: 1}},
		{name: "asked to wait", r: answers(&reporter.Error{Err: errTest, After: time.Minute}),
			want: counts{sent: 2, retried: 1, failed: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := mustQueue(t, reporter.QueueOptions{}, tt.r)
				stop := running(q)
				for i := range 3 {
					q.Put(named(i))
				}
				synctest.Wait()
				start := time.Now()
				if err := stop(); err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != tt.took {
					t.Errorf("the end took %s, want %s", took, tt.took)
				}
				wantCounts(t, q.Status()[0], tt.want)
			})
		})
	}
}

func TestRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustQueue(t, reporter.QueueOptions{}, script(new([]time.Duration)))
		stop := running(q)
		synctest.Wait()
		if err := q.Run(t.Context()); !errors.Is(err, reporter.ErrRunning) {
			t.Errorf("a second Run beside the first said %v, want ErrRunning", err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		q.Put(named(1)) // while nothing runs
		wantCounts(t, q.Status()[0], counts{pending: 1})
		if err := running(q)(); err != nil { // its end has come when it begins: only the grace period is left
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1})
	})
}

func TestNewQueueRefuses(t *testing.T) {
	ok := reporter.Reporter{Name: "a", Send: func(context.Context, reporter.Report) error { return nil }}
	with := func(change func(*reporter.Reporter)) []reporter.Reporter {
		r := ok
		change(&r)
		return []reporter.Reporter{r}
	}
	for _, tt := range []struct {
		name      string
		reporters []reporter.Reporter
		opts      reporter.QueueOptions
		want      string
	}{
		{"no name", with(func(r *reporter.Reporter) { r.Name = "" }), reporter.QueueOptions{}, "field Name"},
		{"two lines", with(func(r *reporter.Reporter) { r.Name = "a\nb" }), reporter.QueueOptions{}, "field Name"},
		{"no Send", with(func(r *reporter.Reporter) { r.Send = nil }), reporter.QueueOptions{}, "field Send"},
		{"Timeout", with(func(r *reporter.Reporter) { r.Timeout = -1 }), reporter.QueueOptions{}, "field Timeout"},
		{"Tries", with(func(r *reporter.Reporter) { r.Retry.Tries = -1 }), reporter.QueueOptions{}, "field Retry.Tries"},
		{"First above Max", with(func(r *reporter.Reporter) { r.Retry = reporter.Retry{First: 2, Max: 1} }),
			reporter.QueueOptions{},
			"field Retry"},
		{"same name", []reporter.Reporter{ok, ok}, reporter.QueueOptions{}, `two reporters are named "a"`},
		{"Size", nil, reporter.QueueOptions{Size: -1}, "field Size"},
		{"Grace", nil, reporter.QueueOptions{Grace: -1}, "field Grace"},
		{"no logger", []reporter.Reporter{reporter.Slog(nil)}, reporter.QueueOptions{}, "the logger is nil"},
		{"no path", []reporter.Reporter{reporter.File("")}, reporter.QueueOptions{}, "the path is empty"},
		{"no command", []reporter.Reporter{reporter.Exec("/no/such/command")}, reporter.QueueOptions{},
			"the command cannot be run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := reporter.NewQueue(tt.reporters, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("NewQueue said %v, want %q in it", err, tt.want)
			}
		})
	}
	if q, err := reporter.NewQueue(nil, reporter.QueueOptions{}); err != nil || len(q.Status()) != 0 {
		t.Errorf("a queue without reporters: %v", err)
	}
}

func TestMessageGolden(t *testing.T) {
	m := reporter.NewMessage(reporter.Report{Case: casetest.Sample(),
		Folder: "/var/lib/casebook/20261121T132512Z-gc-cpu-3f2a9c"})
	if host, err := os.Hostname(); err == nil && m.Host != host {
		t.Errorf("host %q, want %q", m.Host, host)
	}
	m.Host = "web-1"
	got, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	golden.Is(t, "testdata/message.json", string(got)+"\n")
}

// wantTaken fails unless every report arrived exactly once.
func wantTaken(t *testing.T, s *casetest.Collector, reports ...reporter.Report) {
	t.Helper()
	s.Lock()
	defer s.Unlock()
	if len(s.Faults) > 0 {
		t.Errorf("bad requests: %q", s.Faults)
	}
	got := map[string]int{}
	for key, n := range s.Taken {
		got[key[:len(key)-65]] += n
	}
	for _, r := range reports {
		if got[r.Case.ID] != 1 {
			t.Errorf("case %s arrived %d times, want once", r.Case.ID, got[r.Case.ID])
		}
	}
	if len(got) != len(reports) {
		t.Errorf("%d cases arrived, want %d: %v", len(got), len(reports), got)
	}
}

// A collector that takes no parts gets a large case whole: one that has no such address, and one that answers anything.
func TestCollectorWithoutParts(t *testing.T) {
	for name, code := range map[string]int{"no such address": http.StatusNotFound, "no such method": 405,
		"all is well": 200} {
		t.Run(name, func(t *testing.T) {
			s := casetest.NewCollector(t, secretToken, func(w http.ResponseWriter, r *http.Request, _ int) bool {
				if r.Method == http.MethodGet {
					w.WriteHeader(code)
				}
				return r.Method == http.MethodGet
			})
			r := mustCommit(t, t.TempDir(), 1, partBytes+1)
			if err := collectorOf(t, s.URL, t.TempDir(), nil).Send(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			wantTaken(t, s, r)
		})
	}
}
