package diagnose_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
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

// TestChains over all recordings: each finding is in a chain, a root is explained by nothing, each further link says
// why, and a verdict fits on three lines.
func TestChains(t *testing.T) {
	for _, dir := range caseFolders(t) {
		rep := judged(t, dir)
		for _, f := range rep.Findings {
			if !slices.ContainsFunc(rep.Causes, func(c casefile.Cause) bool { return hasLink(c, f.ID) }) {
				t.Errorf("%s: %s is in no chain", dir, f.ID)
			}
		}
		for _, c := range rep.Causes {
			wellLinked(t, dir, rep, c)
		}
		if v := rep.Verdict; v != nil {
			wellSaid(t, dir, rep, v)
		}
	}
}

func hasLink(c casefile.Cause, id string) bool {
	return slices.ContainsFunc(c.Links, func(l casefile.Link) bool { return l.ID == id })
}

func wellLinked(t *testing.T, dir string, rep diagnose.Report, c casefile.Cause) {
	root := rep.Findings[slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.ID == c.Links[0].ID })]
	for _, id := range root.CausedBy {
		if slices.ContainsFunc(rep.Findings, func(f casefile.Finding) bool { return f.ID == id }) {
			t.Errorf("%s: the root %s is caused by %s", dir, root.ID, id)
		}
	}
	for _, l := range c.Links[1:] {
		if l.Why == "" {
			t.Errorf("%s: nothing says why %s%s follows", dir, l.Kind, l.Signal)
		}
	}
}

func wellSaid(t *testing.T, dir string, rep diagnose.Report, v *casefile.CaseVerdict) {
	lines, used := 1, 0 // of a terminal, behind the label
	for _, word := range strings.Fields(v.Text) {
		n := len([]rune(word))
		if used > 0 && used+1+n > 80-len("Verdict  ") {
			lines, used = lines+1, 0
		}
		used += n + min(used, 1)
	}
	if lines > 3 {
		t.Errorf("%s: the verdict takes %d lines: %s", dir, lines, v.Text)
	}
	if strings.Contains(v.Text, "…") {
		t.Errorf("%s: the verdict is cut: %s", dir, v.Text)
	}
	if v.Answer != casefile.AnswerUndecided && !hasLink(rep.Causes[0], v.Root) {
		t.Errorf("%s: the verdict's root %s is not that of the first chain", dir, v.Root)
	}
}

// TestOrder over all recordings: what is severe stands below what is less severe only with the reason for it.
func TestOrder(t *testing.T) {
	band := func(f casefile.Finding) int {
		return slices.Index([]string{"", casefile.Notice, casefile.Warning, casefile.Critical}, f.Severity())
	}
	below := 0
	for _, dir := range caseFolders(t) {
		fs := judged(t, dir).Findings
		for i, f := range fs {
			lower := slices.IndexFunc(fs[:i], func(g casefile.Finding) bool { return band(g) < band(f) })
			if (lower >= 0) != (f.Order != "") {
				t.Errorf("%s: %s %d stands at %d, order %q", dir, f.ID, f.Score, i, f.Order)
			}
			if lower >= 0 {
				below++
			}
		}
	}
	if below < 10 {
		t.Errorf("%d findings stand below less severe ones, want 10 or more: the test sees none", below)
	}
}

// TestGainWithinCost: no finding in all recorded evidence promises to save more than it costs, or anything between a
// little and a lot.
func TestGainWithinCost(t *testing.T) {
	gains := 0
	for _, dir := range caseFolders(t) {
		for _, f := range judged(t, dir).Findings {
			g := f.Impact.Gain
			if g.Low < 0 || g.Low > g.High || g.High > f.Impact.Share {
				t.Errorf("%s: %s costs %v of %s and gives %v to %v back", dir, f.Kind, f.Impact.Share,
					f.Impact.Resource, g.Low, g.High)
			}
			if g.High > 3*g.Low+0.0005 { // "10–60 %" tells nobody whether it is worth an afternoon
				t.Errorf("%s: %s promises %v to %v", dir, f.Kind, g.Low, g.High)
			}
			if g.High > 0 {
				gains++
			}
		}
	}
	if gains < 50 {
		t.Errorf("%d findings promise a gain, want 50 or more to judge", gains)
	}
}

// TestNothingAnswered: a process of which only the kernel's account is there, because it answered nothing, is not well.
func TestNothingAnswered(t *testing.T) {
	only := func(e diagnose.Evidence) diagnose.Input { return diagnose.Input{Evidence: []diagnose.Evidence{e}} }
	silent := only(minutesOf(t, world{vitals.Unanswered: always(40), vitals.CPU: always(0.01)}))
	v := diagnose.Run(t.Context(), silent, diagnose.Options{}).Verdict
	if v == nil || v.Answer != casefile.AnswerUndecided || !strings.Contains(v.Text, "not answered") {
		t.Errorf("the verdict is %+v; want that it did not answer", v)
	}
	answered := only(minutesOf(t, world{vitals.ProbeTime: always(0.002), vitals.CPU: always(0.01)}))
	if v := diagnose.Run(t.Context(), answered, diagnose.Options{}).Verdict; v != nil {
		t.Errorf("the verdict of one that answers is %+v", v)
	}
}
