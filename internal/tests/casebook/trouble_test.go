package casebook_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/reporter"
)

func TestBudgetRefusesAndSaysSo(t *testing.T) {
	t.Parallel()
	w := running(t, casebook.Config{
		Target: instance.NewSelf(), Interval: 100 * time.Millisecond, Windows: -1, TraceCost: -1,
		Rules:  when("goroutines", 1e9),
		Budget: casebook.Budget{CPU: time.Nanosecond},
	})
	f, err := w.Capture(t.Context(), "test", casefile.Goroutine, casefile.Heap)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{casefile.Goroutine, casefile.Heap} {
		if why := missing(f, kind); !strings.Contains(why, "refused") {
			t.Errorf("%s is missing because %q, want a refusal", kind, why)
		}
	}
	s := w.Status()
	if len(s.Budget.Refused) == 0 {
		t.Errorf("status %+v counts no refusal", s.Budget)
	}
	if s.LastError != nil {
		t.Errorf("a refusal counts as an error: %v", s.LastError)
	}
}

func TestReportersHearOfACase(t *testing.T) {
	t.Parallel()
	got := make(chan reporter.Report, 1)
	w := running(t, casebook.Config{
		Target: &rogue{capture: snapshot}, Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9),
		Service: "shop",
		Labels:  map[string]string{"zone": "a"},
		Reporters: []reporter.Reporter{
			{Name: "panics", Send: func(context.Context, reporter.Report) error { panic("reporter") }},
			{Name: "hangs", Send: func(ctx context.Context,
				_ reporter.Report) error {
				<-ctx.Done()
				return ctx.Err()
			}},
			{Name: "works", Send: func(_ context.Context, r reporter.Report) error { got <- r; return nil }},
		},
	})
	if _, err := w.Capture(t.Context(), "test", casefile.Goroutine); err != nil {
		t.Fatal(err)
	}
	r := <-got
	if r.Service != "shop" || r.Labels["zone"] != "a" || r.Case.Target.Labels["zone"] != "a" || r.Folder == "" {
		t.Errorf("the report is %+v", r)
	}
}

func TestCaptureAtEnd(t *testing.T) {
	dir := t.TempDir()
	stop, err := casebook.Start(casebook.Config{Dir: dir, Interval: 100 * time.Millisecond,
		Rules: when("goroutines", 1e9), CaptureAtEnd: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	list, err := casefile.Dir(dir).List()
	if err != nil || len(list) != 1 {
		t.Fatalf("%d cases, %v; want the last one", len(list), err)
	}
	f, err := casefile.Open(list[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if f.Case.Trigger.Rule != "end" || !has(f, casefile.Goroutine) || !has(f, casefile.Runtime) {
		t.Errorf("the last case is of rule %s and misses %+v", f.Case.Trigger.Rule, f.Case.Missing)
	}
}

// While windows roll, people can still take a profile through the handler, and the windows continue.
func TestProfileHandlerServesBesideTheWindows(t *testing.T) {
	w := running(t, casebook.Config{Target: instance.NewSelf(), Rules: when("goroutines", 1e9), TraceCost: -1})
	srv := httptest.NewServer(w.ProfileHandler())
	defer srv.Close()
	resp, err := srv.Client().Get(srv.URL + "?seconds=1")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := profile.Parse(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("the answer is %s: %v", resp.Status, err)
	}
	if s := w.Status(); s.Windows == nil || s.Windows.Failed != 0 {
		t.Errorf("the windows are %+v", s.Windows)
	}
}
