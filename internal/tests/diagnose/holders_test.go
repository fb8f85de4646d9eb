package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// holderCases are services of the hold-outs (lab/holdout, lab/holdout2), with casebook.HeapDumpHandler added, and who
// truly holds what they leak, as their source says: `casebook capture --heap-refs --profile 60s` under their own load;
// and NAME-goref, of the same process, with the profile that grf made after it.
var holderCases = []struct{ dir, kind, at, held string }{
	{"rollcall", "mem-leak", "main.(*hub).join", "global http.defaultServeMux, by closure main.(*hub).events-fm"},
	{"storefront", "mem-leak", "main.(*shop).count", "global http.defaultServeMux, by closure main.(*shop).show-fm"},
	{"titles", "mem-subslice-retained", "main.(*Index).add", "global http.defaultServeMux"},
	{"rollcall-goref", "mem-leak", "main.(*hub).join", "goroutine of main.main, in h.viewers, a map"},
	{"storefront-goref", "mem-leak", "main.(*shop).count",
		"global http.DefaultServeMux…collectorsByID[].MetricVec.metricMap.metrics[], a slice"},
	{"titles-goref", "mem-subslice-retained", "main.(*Index).add", "goroutine of main.main, in ix.ring, a slice"},
}

// heldFinding is the finding of a kind, with what holds it.
func heldFinding(t *testing.T, in diagnose.Input, kind string) casefile.Finding {
	t.Helper()
	rep := diagnose.Run(t.Context(), in, diagnose.Options{})
	i := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.Kind == kind })
	if i < 0 {
		t.Fatalf("no %s; undecided: %+v, problems %+v", kind, slices.DeleteFunc(rep.Undecided,
			func(u casefile.Undecided) bool { return u.Kind != kind }), rep.Problems)
	}
	return rep.Findings[i]
}

// TestHolders: a finding about memory that stays names who holds it, when there is evidence of that.
func TestHolders(t *testing.T) {
	checkout.Need(t)
	for _, c := range holderCases {
		t.Run(c.dir, func(t *testing.T) {
			f := heldFinding(t, loadCase(t, "holders/"+c.dir), c.kind)
			if len(f.Held) == 0 || !strings.HasPrefix(f.Held[0].Text, c.held) || f.Held[0].Share < 0.8 ||
				!strings.HasSuffix(f.Where[0].Function, c.at) {
				t.Fatalf("%s is held by %+v, want %s", f.Where[0].Function, f.Held, c.held)
			}
			if f.Held[0].Least != strings.HasSuffix(c.dir, "-goref") {
				t.Errorf("a lower bound: %v", f.Held[0].Least)
			}
			if !strings.Contains(f.Explanation, "held by "+c.held) {
				t.Errorf("the explanation does not say who holds it: %q", f.Explanation)
			}
		})
	}
}

// TestHoldersUnreadable: what is no summary is a problem, and nothing else.
func TestHoldersUnreadable(t *testing.T) {
	for _, data := range []string{"", "{", `{"holders": 7}`, `{"objects":1,"reached":[]}`, "null"} {
		rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "refs.json",
			Kind: casefile.HeapRefs, Data: []byte(data)}}},
			diagnose.Options{})
		if len(rep.Findings) > 0 || len(rep.Failed) > 0 || data != "null" && len(rep.Problems) != 1 {
			t.Errorf("%q: %+v", data, rep)
		}
	}
}
