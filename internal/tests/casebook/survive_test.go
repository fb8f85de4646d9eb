package casebook_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
)

// recoverIn runs a watch in dir for a moment and returns the cases it recovered.
func recoverIn(t *testing.T, dir string) (cases []casefile.Case) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w, err := casebook.New(casebook.Config{
		Target: &rogue{}, Dir: dir, Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9),
		OnEvent: func(e casebook.Event) {
			switch {
			case e.Kind == casebook.Recovered && e.Err != nil:
				t.Error(e.Err)
			case e.Kind == casebook.Recovered:
				cases = append(cases, e.Case)
			case e.Kind == casebook.Started:
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return cases
}

// The next start finds the vitals of a process that was killed, and makes exactly one case of them.
func TestKilledProcessIsACase(t *testing.T) {
	dir := t.TempDir()
	cmd, _ := startChild(t, modeWatch, dir)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it says that it was killed
	cases := recoverIn(t, dir)
	if len(cases) != 1 {
		t.Fatalf("%d cases were recovered, want 1", len(cases))
	}
	c := cases[0]
	if c.Trigger.Rule != blackbox.Killed || c.Target.Name != "child" || c.Target.PID != cmd.Process.Pid {
		t.Errorf("the case is of %+v and rule %s, want the child and %s", c.Target, c.Trigger.Rule, blackbox.Killed)
	}
	if !strings.Contains(c.Trigger.Text, "without a word") {
		t.Errorf("the reason is %q", c.Trigger.Text)
	}
	if len(c.Evidence) != 1 || c.Evidence[0].Kind != casefile.Vitals || c.Evidence[0].Seconds < 0.1 {
		t.Errorf("the evidence is %+v, want vitals of some samples", c.Evidence)
	}
	if again := recoverIn(t, dir); len(again) != 0 {
		t.Errorf("the second start recovered %d cases, want none", len(again))
	}
}

// A process that ends normally leaves no black box behind.
func TestOrderlyEndIsNoCase(t *testing.T) {
	dir := t.TempDir()
	stop, err := casebook.Start(casebook.Config{Dir: dir, Interval: 100 * time.Millisecond,
		Rules: when("goroutines", 1e9)})
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if cases := recoverIn(t, dir); len(cases) != 0 {
		t.Errorf("%d cases of a process that ended in order: %s", len(cases), cases[0].Trigger.Text)
	}
}

// A service that is killed while it writes cases loses none that it reported as written, and leaves none that cannot be
// read. casefile's TestKill does this at many more moments, one level below the watch.
func TestKilledWhileTakingACase(t *testing.T) {
	t.Parallel()
	for range 5 {
		dir := t.TempDir()
		cmd, lines := startChild(t, modeCases, dir)
		time.AfterFunc(time.Duration(rand.IntN(400))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		var reported []string
		for lines.Scan() {
			reported = append(reported, lines.Text())
		}
		_ = cmd.Wait()
		recoverIn(t, dir)
		list, err := casefile.Dir(dir).List()
		if err != nil {
			t.Fatal(err)
		}
		whole := make(map[string]bool)
		for _, e := range list {
			whole[e.ID] = e.Err == nil && !e.Unfinished
			if e.Err != nil || e.Unfinished {
				t.Errorf("case %s: unfinished %v, error %v", e.ID, e.Unfinished, e.Err)
			}
		}
		for _, id := range reported {
			if !whole[id] {
				t.Errorf("case %s was reported as written and is not there", id)
			}
		}
	}
}
