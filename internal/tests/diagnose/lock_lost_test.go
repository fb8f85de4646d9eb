package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A lock that was not given back is told apart from one that somebody holds, with and without times. testdata/locks
// says how the services are written.
func TestLocksNotGivenBack(t *testing.T) {
	culprits := map[string]string{"lost-wallet": "main.(*wallet).spend", "lost-board": "main.(*board).add",
		"lost-directory": "main.(*directory).lookup", "lost-sink": "main.(*sink).write",
		"lost-catalog": "main.(*catalog).begin"}
	eachRecording(t, "forms/locks", ".txt.gz", 22, func(t *testing.T, name string) {
		way, age, _ := strings.Cut(name, ".")
		in := diagnose.Input{Evidence: recordings(t, 1, "forms/locks", name+".txt.gz")}
		var got, first casefile.Finding
		for i, f := range diagnose.Run(t.Context(), in, diagnose.Options{}).Findings {
			if i == 0 {
				first = f
			}
			if f.Kind == "lock-never-released" {
				got = f
			}
		}
		lost, timed := culprits[way], age == "75s"
		switch {
		case lost != "" && (got.ID != first.ID || got.Where[0].Function != lost || timed != (got.Score == capUnsure) ||
			!strings.HasPrefix(got.Remedies[0].Title, "Release it")):
			t.Errorf("the first finding is %q, %d: %v", first.Title, first.Score, first.Remedies)
		case name == "lost-directory.75s" && !strings.HasPrefix(got.Title, "The read lock"):
			t.Errorf("%q, and RUnlock is missing", got.Title)
		case lost == "" && way != "held-report" && got.Score > 0:
			t.Errorf("%q, and somebody has it", got.Title)
		}
		switch {
		case name == "held-report.75s" && !strings.Contains(got.Remedies[0].Text, "main.(*report).run"),
			name == "held-report.8s" && got.Score > 0:
			t.Errorf("says %q and advises %v, and a report has it", got.Summary, got.Remedies)
		case name == "held-hub.75s" && (first.Where[0].Function != "main.(*hub).publish" ||
			first.Remedies[0].Name != callOutRemedy):
			t.Errorf("%q at %v: %v", first.Title, first.Where, first.Remedies)
		case way == "order-bank" && first.Remedies[0].Title != "Take locks in one order":
			t.Errorf("%q: %v", first.Title, first.Remedies)
		}
	})
}
