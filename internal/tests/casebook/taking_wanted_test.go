package casebook_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
)

// TestWatchTakesWhatTheVerdictLacks: a rule trips on the goroutines of a healthy process. Nothing explains it, the rule
// did not ask for a dump, and a dump would say how long each has waited: it is taken before the case is closed.
func TestWatchTakesWhatTheVerdictLacks(t *testing.T) {
	t.Parallel()
	addr, _ := start(t)
	var e casebook.Event
	taken := false
	for range 5 { // a starved process may not have answered the last sample: then it is not asked for more
		e, _ = watch(t, casebook.Config{Target: httpTarget(t, addr), Rules: when("goroutines", 1, casefile.Goroutine),
			Interval: 100 * time.Millisecond, ProfileFor: time.Second}, casebook.Closed)
		taken = slices.ContainsFunc(e.Case.Evidence, func(f casefile.Evidence) bool {
			return f.Kind == casefile.GoroutineDump && f.Phase == casefile.After
		})
		if taken {
			break
		}
	}
	if len(e.Case.Findings) > 0 {
		t.Fatalf("the process is not healthy: %v", e.Case.Findings)
	}
	if !taken {
		t.Errorf("no dump in %v, missing %v; the verdict is %+v", e.Case.Evidence, e.Case.Missing, e.Case.Verdict)
	}
	if v := e.Case.Verdict; v == nil || v.Answer != casefile.AnswerUndecided || v.Take != "" {
		t.Errorf("the verdict is %+v, want one that asks for what only time shows", v)
	}
}

// TestWatchTakesItOnceMore: of a case in which all is there that one moment gives, and nothing is found, what time would
// show is taken once more, minutes later (here at once), before the case is closed.
func TestWatchTakesItOnceMore(t *testing.T) {
	t.Parallel()
	addr, _ := start(t)
	rules := when("goroutines", 1, casefile.Goroutine, casefile.GoroutineDump, casefile.Heap)
	growth := &rule.Growth{Times: 2, Within: rule.Duration(10 * time.Minute), Over: rule.Duration(time.Minute)}
	rules[0].When = rule.Condition{Any: []rule.Condition{rules[0].When, {Signal: "goroutines", Growth: growth}}}
	var e casebook.Event
	for range 5 { // a starved process may not have answered the last sample: then it is not asked for more
		e, _ = watch(t, casebook.Config{Target: httpTarget(t, addr), Rules: rules,
			Interval: 100 * time.Millisecond, ProfileFor: time.Second, Again: time.Millisecond}, casebook.Closed)
		if e.Case.Verdict != nil && hasFile(e.Case, "goroutine-later.pb.gz") {
			break
		}
	}
	if v := e.Case.Verdict; v == nil || !v.Later {
		t.Fatalf("the verdict is %+v, want one that time decides", v)
	}
	for _, name := range []string{"goroutine-later.pb.gz", "heap-later.pb.gz"} {
		if !hasFile(e.Case, name) {
			t.Errorf("no %s in %v, missing %v", name, e.Case.Evidence, e.Case.Missing)
		}
	}
}

func hasFile(c casefile.Case, name string) bool {
	return slices.ContainsFunc(c.Evidence, func(f casefile.Evidence) bool { return f.File == name })
}
