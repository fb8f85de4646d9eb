package reporter

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// script is a reporter that returns these errors in turn, then nil, and notes when it was called.
func script(calls *[]time.Duration, answers ...error) Reporter {
	start, n := time.Now(), 0
	return Reporter{Name: "script", Send: func(context.Context, Report) error {
		*calls = append(*calls, time.Since(start))
		if n++; n <= len(answers) {
			return answers[n-1]
		}
		return nil
	}}
}

// counts are the numbers of a status.
type counts struct{ sent, failed, retried, dropped, pending int }

func wantCounts(t *testing.T, s Status, want counts) {
	t.Helper()
	if got := (counts{s.Sent, s.Failed, s.Retried, s.Dropped, s.Pending}); got != want {
		t.Errorf("reporter %s: %+v, want %+v (last error %q)", s.Name, got, want, s.LastError)
	}
}

type span struct{ least, most time.Duration }

func TestRetries(t *testing.T) {
	const s = time.Second
	wait := &Error{Err: errTest, After: 40 * s}
	for _, tt := range []struct {
		name    string
		answers []error
		retry   Retry
		want    counts
		pauses  []span
	}{
		{name: "at once", want: counts{sent: 1}},
		{name: "at the second try", answers: []error{errTest}, want: counts{sent: 1, retried: 1},
			pauses: []span{{2500 * time.Millisecond, 5 * s}}},
		{name: "three tries", answers: []error{errTest, errTest, errTest}, want: counts{failed: 1, retried: 2},
			pauses: []span{{2500 * time.Millisecond, 5 * s}, {5 * s, 10 * s}}},
		{name: "final", answers: []error{final(errTest)}, want: counts{failed: 1}},
		{name: "asked to wait", answers: []error{wait}, want: counts{sent: 1, retried: 1},
			pauses: []span{{40 * s, 43 * s}}},
		{name: "asked to wait too long", answers: []error{wait}, retry: Retry{Max: 10 * s},
			want: counts{sent: 1, retried: 1}, pauses: []span{{10 * s, 10 * s}}},
		{name: "bounded", answers: []error{errTest, errTest, errTest, errTest},
			retry: Retry{Tries: 5, First: s, Max: 3 * s}, want: counts{sent: 1, retried: 4},
			pauses: []span{{s / 2, s}, {s, 2 * s}, {s * 3 / 2, 3 * s}, {s * 3 / 2, 3 * s}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls []time.Duration
				r := script(&calls, tt.answers...)
				r.Retry = tt.retry
				q := mustQueue(t, QueueOptions{}, r)
				stop := running(q)
				q.Put(named(1))
				time.Sleep(time.Hour) // of the bubble
				if err := stop(); err != nil {
					t.Error(err)
				}
				status := q.Status()[0]
				wantCounts(t, status, tt.want)
				if failed := len(tt.answers) > 0; failed != strings.HasSuffix(status.LastError, errTest.Error()) {
					t.Errorf("last error %q", status.LastError)
				}
				wantPauses(t, calls, tt.pauses)
			})
		})
	}
}

func wantPauses(t *testing.T, calls []time.Duration, want []span) {
	t.Helper()
	if len(calls) != len(want)+1 {
		t.Fatalf("called at %v, want %d calls", calls, len(want)+1)
	}
	for i, w := range want {
		if pause := calls[i+1] - calls[i]; pause < w.least || pause > w.most {
			t.Errorf("pause %d was %s, want %s to %s", i+1, pause, w.least, w.most)
		}
	}
}

// A healthy reporter gets everything at once, whatever those beside it do.
func TestRoguesHarmNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []time.Duration
		healthy := script(&calls)
		q := mustQueue(t, QueueOptions{},
			Reporter{Name: "panics", Send: func(context.Context, Report) error { panic("boom") }},
			Reporter{Name: "exits", Send: func(context.Context, Report) error { exitGoroutine(); return nil }},
			Reporter{Name: "hangs", Timeout: time.Minute, Retry: Retry{Tries: 1},
				Send: func(ctx context.Context, _ Report) error {
					<-ctx.Done()
					return ctx.Err()
				}},
			Reporter{Name: "bad error", Send: func(context.Context, Report) error { return badError{} }},
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
		q := mustQueue(t, QueueOptions{Size: 4}, Reporter{Name: "slow", Send: func(_ context.Context, r Report) error {
			<-free
			got = append(got, r.Service)
			return nil
		}})
		stop := running(q)
		for _, name := range strings.Split("abcdefghij", "") {
			q.Put(Report{Case: sample(), Service: name})
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
	slow := func(d time.Duration) Reporter {
		return Reporter{Name: "slow", Retry: Retry{Tries: 1}, Send: func(ctx context.Context, _ Report) error {
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
	}
	answers := func(errs ...error) Reporter { return script(new([]time.Duration), errs...) }
	for _, tt := range []struct {
		name  string
		r     Reporter
		took  time.Duration
		want  counts
		error string
	}{
		{name: "time enough", r: slow(time.Second), took: 3 * time.Second, want: counts{sent: 3}},
		{name: "too slow", r: slow(2 * time.Second), took: 5 * time.Second, want: counts{sent: 2, failed: 1}},
		{name: "much too slow", r: slow(time.Minute), took: 5 * time.Second, want: counts{failed: 1, pending: 2},
			error: ""},
		{name: "in a pause", r: answers(errTest), want: counts{sent: 3, retried: 1}},
		{name: "asked to wait", r: answers(&Error{Err: errTest, After: time.Minute}),
			want: counts{sent: 2, retried: 1, failed: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := mustQueue(t, QueueOptions{}, tt.r)
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

// A Send that ignores its context is left behind and reported. The next Run waits for it and continues.
func TestAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free, n := make(chan struct{}), 0
		q := mustQueue(t, QueueOptions{}, Reporter{Name: "deaf", Send: func(context.Context, Report) error {
			n++
			<-free
			return nil
		}})
		stop := running(q)
		q.Put(named(1))
		q.Put(named(2))
		synctest.Wait()
		began, start := time.Now(), time.Now()
		err := stop()
		if err == nil || !errors.Is(err, errAbandoned) || !strings.Contains(err.Error(), `"deaf"`) {
			t.Errorf("Run said %v, want that the reporter was left running", err)
		}
		if took := time.Since(start); took != DefaultGrace+patience {
			t.Errorf("the end took %s, want grace and patience: %s", took, DefaultGrace+patience)
		}
		if s := q.Status()[0]; !s.BusySince.Equal(began) {
			t.Errorf("busy since %s, want %s: it still is", s.BusySince, began)
		}
		wantCounts(t, q.Status()[0], counts{failed: 1, pending: 1})
		if err := running(q)(); !errors.Is(err, errAbandoned) {
			t.Errorf("a second Run beside the call that still runs said %v, want that", err)
		}
		stop = running(q)
		time.Sleep(time.Minute)
		if s := q.Status()[0]; !strings.Contains(s.LastError, "was left running") {
			t.Errorf("last error %q", s.LastError)
		}
		if n != 1 {
			t.Errorf("Send was called %d times, want 1: one call at a time", n)
		}
		close(free)
		synctest.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1, failed: 1})
	})
}

// A Send that continues after its timeout is reported while it does.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		q := mustQueue(t, QueueOptions{}, Reporter{Name: "deaf", Send: func(context.Context, Report) error {
			<-free
			return nil
		}})
		stop := running(q)
		q.Put(named(1))
		time.Sleep(DefaultTimeout + patience)
		synctest.Wait()
		if s := q.Status()[0]; !strings.Contains(s.LastError, "ignores its timeout of 30s") || s.BusySince.IsZero() {
			t.Errorf("status %+v", s)
		}
		close(free)
		if err := stop(); err != nil {
			t.Error(err)
		}
		wantCounts(t, q.Status()[0], counts{sent: 1})
	})
}

func TestRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := mustQueue(t, QueueOptions{}, script(new([]time.Duration)))
		stop := running(q)
		synctest.Wait()
		if err := q.Run(t.Context()); !errors.Is(err, ErrRunning) {
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
	ok := Reporter{Name: "a", Send: func(context.Context, Report) error { return nil }}
	with := func(change func(*Reporter)) []Reporter {
		r := ok
		change(&r)
		return []Reporter{r}
	}
	for _, tt := range []struct {
		name      string
		reporters []Reporter
		opts      QueueOptions
		want      string
	}{
		{"no name", with(func(r *Reporter) { r.Name = "" }), QueueOptions{}, "field Name"},
		{"two lines", with(func(r *Reporter) { r.Name = "a\nb" }), QueueOptions{}, "field Name"},
		{"no Send", with(func(r *Reporter) { r.Send = nil }), QueueOptions{}, "field Send"},
		{"Timeout", with(func(r *Reporter) { r.Timeout = -1 }), QueueOptions{}, "field Timeout"},
		{"Tries", with(func(r *Reporter) { r.Retry.Tries = -1 }), QueueOptions{}, "field Retry.Tries"},
		{"First above Max", with(func(r *Reporter) { r.Retry = Retry{First: 2, Max: 1} }), QueueOptions{},
			"field Retry"},
		{"same name", []Reporter{ok, ok}, QueueOptions{}, `two reporters are named "a"`},
		{"Size", nil, QueueOptions{Size: -1}, "field Size"},
		{"Grace", nil, QueueOptions{Grace: -1}, "field Grace"},
		{"no logger", []Reporter{Slog(nil)}, QueueOptions{}, "the logger is nil"},
		{"no path", []Reporter{File("")}, QueueOptions{}, "the path is empty"},
		{"no command", []Reporter{Exec("/no/such/command")}, QueueOptions{}, "the command cannot be run"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewQueue(tt.reporters, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("NewQueue said %v, want %q in it", err, tt.want)
			}
		})
	}
	if q, err := NewQueue(nil, QueueOptions{}); err != nil || len(q.Status()) != 0 {
		t.Errorf("a queue without reporters: %v", err)
	}
}
