package trial_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/trial"
)

func finding(kind, function, remedy string, score int) casefile.Finding {
	return casefile.Finding{
		Kind: kind, Score: score, Where: []casefile.Frame{{Function: function, File: "/src/store.go", Line: 7}},
		Remedies: []casefile.Remedy{{Title: remedy}},
	}
}

func diagnosis(findings ...casefile.Finding) *casefile.Diagnosis {
	return &casefile.Diagnosis{Findings: findings}
}

// TestJudge: what is in time, at the right place and with the right remedy, and what is not.
func TestJudge(t *testing.T) {
	sick := trial.Service{
		Name: "store", Ill: trial.Duration(time.Minute), Certain: trial.Duration(100 * time.Second),
		Places: []string{"main.(*store).put"}, Kinds: []string{"mem-leak"}, Says: "evict|bound", Never: "GOGC",
	}
	right := finding("mem-leak", "main.(*store).put", "Bound it and evict the oldest", 60)
	literal := finding("mem-leak", "main.(*store).put.func1.2", "Evict", 60)
	place := finding("mem-leak", "main.main", "Bound it", 60)
	kind := finding("gc-cpu", "main.(*store).put", "Bound it", 60)
	never := finding("mem-leak", "main.(*store).put", "Set GOGC, bound the rest", 60)
	silent := finding("mem-leak", "main.(*store).put", "Buy memory", 60)
	for _, c := range []struct {
		name                        string
		at                          time.Duration
		said                        *casefile.Diagnosis
		early, onTime, where, cured bool
		later                       bool
	}{
		{"right", 120 * time.Second, diagnosis(right), false, true, true, true, false},
		{"in a literal", 120 * time.Second, diagnosis(literal), false, true, true, true, false},
		{"before it is certain", 70 * time.Second, diagnosis(right), false, true, true, true, false},
		{"at the last moment", 160 * time.Second, diagnosis(right), false, true, true, true, false},
		{"too late", 161 * time.Second, diagnosis(right), false, false, true, true, false},
		{"before the illness", 59 * time.Second, diagnosis(right), true, false, false, false, false},
		{"wrong place", 120 * time.Second, diagnosis(place), false, true, false, true, false},
		{"wrong kind", 120 * time.Second, diagnosis(kind), false, true, true, false, false},
		{"wrong remedy", 120 * time.Second, diagnosis(never), false, true, true, false, false},
		{"no remedy", 120 * time.Second, diagnosis(silent), false, true, true, false, false},
		{"second", 120 * time.Second, diagnosis(kind, right), false, true, true, false, true},
		{"nothing found", 120 * time.Second, diagnosis(), false, true, false, false, false},
		{"not closed", 120 * time.Second, nil, false, true, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := sick.Judge(trial.Course{Trips: []trial.Trip{{At: c.at, Rule: "r", Diagnosis: c.said}}})
			if got := len(j.Early) > 0; got != c.early || j.OnTime != c.onTime || j.Place != c.where ||
				j.Remedy != c.cured {
				t.Errorf("early %v, on time %v, place %v, remedy %v; want %v, %v, %v, %v",
					got, j.OnTime, j.Place, j.Remedy, c.early, c.onTime, c.where, c.cured)
			}
			if got := j.Later != ""; got != c.later {
				t.Errorf("later %q, want one: %v", j.Later, c.later)
			}
			if want := c.onTime && c.where && c.cured; j.OK() != want {
				t.Errorf("OK is %v, want %v: %+v", j.OK(), want, j)
			}
		})
	}
}

// TestJudgeSilence: for a sick service it is a failure when nothing trips, for a healthy one it is not.
func TestJudgeSilence(t *testing.T) {
	sick := trial.Service{Certain: trial.Duration(time.Second)}
	if j := sick.Judge(trial.Course{}); j.OK() {
		t.Errorf("a sick service without a finding is judged %+v", j)
	}
	healthy := trial.Service{Healthy: true}
	for _, c := range []struct {
		name   string
		course trial.Course
		want   bool
	}{
		{"nothing", trial.Course{End: diagnosis()}, true},
		{"a notice", trial.Course{End: diagnosis(finding("cpu-json", "main.f", "", 49))}, true},
		{"a warning", trial.Course{End: diagnosis(finding("cpu-json", "main.f", "", 50))}, false},
		{"a trip", trial.Course{Trips: []trial.Trip{{At: time.Second, Rule: "r"}}, End: diagnosis()}, false},
	} {
		if j := healthy.Judge(c.course); j.OK() != c.want {
			t.Errorf("%s: OK is %v, want %v: %+v", c.name, j.OK(), c.want, j)
		}
	}
}

// TestJudgeLaterCase: a right answer in a second case is reported, and does not count.
func TestJudgeLaterCase(t *testing.T) {
	sick := trial.Service{Certain: trial.Duration(time.Minute), Places: []string{"main.f"}, Kinds: []string{"mem-leak"},
		Says:  "bound",
		Never: "GOGC"}
	j := sick.Judge(trial.Course{Trips: []trial.Trip{
		{At: 10 * time.Second, Rule: "cpu", CaseID: "1",
			Diagnosis: diagnosis(finding("gc-cpu", "main.f", "bound it", 60))},
		{At: 90 * time.Second, Rule: "heap", CaseID: "2",
			Diagnosis: diagnosis(finding("mem-leak", "main.f", "Bound it", 60))},
	}})
	if want := "heap at 90 s: mem-leak 60 at main.f (store.go:7): Bound it"; j.Later != want || j.OK() {
		t.Errorf("later is %q and OK %v, want %q and false", j.Later, j.OK(), want)
	}
}

// TestJudgeWithoutNever: where no remedy is named as a wrong one, none is.
func TestJudgeWithoutNever(t *testing.T) {
	sick := trial.Service{Certain: trial.Duration(time.Minute), Places: []string{"main.f"}, Kinds: []string{"mem-leak"},
		Says: "bound"}
	j := sick.Judge(trial.Course{Trips: []trial.Trip{{At: 10 * time.Second, Rule: "heap", CaseID: "1",
		Diagnosis: diagnosis(finding("mem-leak", "main.f", "Bound it", 60))}}})
	if !j.OK() {
		t.Errorf("judged %+v, want right", j)
	}
}
