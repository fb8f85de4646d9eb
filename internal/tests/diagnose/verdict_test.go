package diagnose_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// testdata/verdicts.json has what an expert says of recorded cases. It was written before the code that gives verdicts.

// A wantedVerdict is one of them.
type wantedVerdict struct {
	Case    string   `json:"case"`
	Answer  string   `json:"answer"` // "none": nothing is wrong
	Effects []string `json:"effects"`
	Kinds   []string `json:"kinds"`  // of the root
	Places  string   `json:"places"` // of the root; "": the whole process
	Chain   []string `json:"chain"`  // kinds and signals that the first chain has, in this order
	Change  string   `json:"change"`
	Never   string   `json:"never"`
	Unseen  bool     `json:"unseen"` // not looked at until the code was done
	// Wrong is what a verdict gets wrong, and why; "" if it is right.
	Wrong string `json:"wrong"`
}

func wantedVerdicts(t *testing.T) (out []wantedVerdict) {
	t.Helper()
	checkout.Need(t)
	b, err := os.ReadFile("../../../diagnose/testdata/verdicts.json")
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil || len(out) < 50 {
		t.Fatalf("%d verdicts, want 50 or more (%v)", len(out), err)
	}
	return out
}

func TestVerdicts(t *testing.T) {
	right := map[bool]int{}
	all := map[bool]int{}
	for _, w := range wantedVerdicts(t) {
		t.Run(w.Case, func(t *testing.T) {
			rep := judged(t, w.Case)
			wrong := w.judge(rep.Diagnosis)
			all[w.Unseen]++
			if len(wrong) == 0 {
				right[w.Unseen]++
			}
			if (len(wrong) == 0) != (w.Wrong == "") {
				t.Errorf("wrong: %s; recorded as wrong: %q", strings.Join(wrong, "; "), w.Wrong)
			}
			if rep.Verdict != nil {
				t.Logf("%+v", *rep.Verdict)
			}
			for _, c := range rep.Causes {
				t.Log(nodes(c))
			}
		})
	}
	t.Logf("right: %d of %d, and of those not looked at before %d of %d", right[false], all[false],
		right[true], all[true])
}

// nodes are the kinds and signals of a chain.
func nodes(c casefile.Cause) (out []string) {
	for _, l := range c.Links {
		out = append(out, l.Kind+l.Signal)
	}
	return out
}

// judge lists what a diagnosis gets wrong.
func (w wantedVerdict) judge(d casefile.Diagnosis) (wrong []string) {
	v := d.Verdict
	if w.Answer == "none" {
		if v != nil && v.Answer == casefile.AnswerCause {
			wrong = append(wrong, "blames a healthy process: "+v.Text)
		}
		return wrong
	}
	if v == nil || v.Root == "" {
		return []string{"no cause"}
	}
	root := d.Findings[slices.IndexFunc(d.Findings, func(f casefile.Finding) bool { return f.ID == v.Root })]
	check := func(ok bool, what string) {
		if !ok {
			wrong = append(wrong, what)
		}
	}
	check(slices.Contains(w.Kinds, root.Kind), "the root is "+root.Kind)
	check(v.Answer == casefile.AnswerNotice || slices.Contains(w.Effects, v.Effect), "the effect is "+v.Effect)
	check(w.Places == "" || len(root.Where) > 0 && regexp.MustCompile(w.Places).MatchString(root.Where[0].Function),
		"it blames another place")
	change := root.Remedies[0].Title + ". " + root.Remedies[0].Text
	check(regexp.MustCompile("(?i)"+w.Change).MatchString(change), "it changes "+change)
	check(w.Never == "" || !regexp.MustCompile("(?i)"+w.Never).MatchString(root.Remedies[0].Title),
		"it must not change "+root.Remedies[0].Title)
	check(hasInOrder(nodes(d.Causes[0]), w.Chain), "the chain is "+strings.Join(nodes(d.Causes[0]), " → "))
	return wrong
}

// hasInOrder reports whether the elements of want are in all, in their order.
func hasInOrder(all, want []string) bool {
	for _, one := range all {
		if len(want) > 0 && one == want[0] {
			want = want[1:]
		}
	}
	return len(want) == 0
}
