package diagnose_test

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/words"
)

// The proving ground: for every kind there is a program with the fault, one at the limit and a repaired twin
// (lab/faults). Their recorded evidence is in evidence/cases/<kind>/{faulty,limit,repaired}. `make evidence KIND=…` records
// it again.

// proof is what the programs of one kind show about its detector. A kind with two faulty programs has two.
type proof struct {
	kind    string
	program string // the folder of its evidence; empty if there is none
	culprit string
	scores  map[string]int // by variant; a variant without evidence is absent
	place   int            // of the culprit in the faulty program's finding, from 1; 0: not there
	wrong   []string       // cases of other programs in which the kind was found and should not be
}

// right reports whether the fault was found in the right place. A finding about the evidence has no place.
func (p *proof) right() bool {
	return p.scores["faulty"] >= worthKnowing && (p.culprit == "" || p.place == 1 || p.place == 2)
}

// A proven case is recorded evidence with what was found in it.
type proven struct {
	name string
	manifest
	findings []casefile.Finding
	said     []string // kinds that judged the evidence itself, and answered with undecided
}

// doubted are the kinds of undecided answers that came from a detector of evidence, and not from the engine because
// evidence is missing.
func doubted(us []casefile.Undecided, detectors []diagnose.Detector) (kinds []string) {
	for _, u := range us {
		i := slices.IndexFunc(detectors, func(d diagnose.Detector) bool { return d.ID == u.ID })
		missing := slices.ContainsFunc(detectors[i].Needs, func(n diagnose.Need) bool { return n.Reason == u.Reason })
		if strings.HasPrefix(u.Kind, "evidence-") && !missing {
			kinds = append(kinds, u.Kind)
		}
	}
	return kinds
}

func provenCases(t *testing.T) []proven {
	t.Helper()
	var out []proven
	for _, dir := range caseFolders(t) {
		m := loadManifest(t, dir)
		if m.Kind != "" || strings.HasPrefix(dir, "healthy/") {
			rep := judged(t, dir)
			out = append(out, proven{dir, m, rep.Findings, doubted(rep.Undecided, diagnose.Detectors())})
		}
	}
	return out
}

// healthy says that nothing is wrong with the program.
func (p *proven) healthy() bool { return p.Kind == "" || p.Variant == "repaired" }

// TestProvingGround prints recall and precision per kind and every score. It fails when a fault is not found in its
// place, or is found in its repaired twin. Scores are locked by TestCases.
func TestProvingGround(t *testing.T) {
	cases := provenCases(t)
	proofs := prove(diagnose.Detectors(), cases)
	t.Log("\n" + table(proofs))
	for _, p := range proofs {
		if _, recorded := p.scores["faulty"]; recorded && !p.right() {
			t.Errorf("%s: its faulty program scores %d with %s in place %d; want %d or more, and place 1 or 2",
				p.title(), p.scores["faulty"],
				p.culprit, p.place, worthKnowing)
		}
		if got := p.scores["repaired"]; got >= worthKnowing {
			t.Errorf("%s: its repaired twin scores %d, want less than %d", p.title(), got, worthKnowing)
		}
	}
	for _, c := range cases {
		if c.Kind != "" && c.Kind != "none" && !slices.ContainsFunc(diagnose.Detectors(), func(d diagnose.Detector) bool {
			return d.Kind == c.Kind || slices.Contains(d.OtherNames, c.Kind)
		}) {
			t.Errorf("%s is evidence of %s, which no detector looks for", c.name, c.Kind)
		}
	}
}

func prove(detectors []diagnose.Detector, cases []proven) []proof {
	var out []proof
	for _, d := range detectors {
		if slices.ContainsFunc(out, func(p proof) bool { return p.kind == d.Kind }) {
			continue // several detectors may share a kind
		}
		for i, program := range programsOf(d.Kind, cases) {
			p := proof{kind: d.Kind, program: program, scores: make(map[string]int)}
			for _, c := range cases {
				p.add(c)
			}
			if i > 0 {
				p.wrong = nil // they belong to the first already
			}
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b proof) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.program, b.program))
	})
	return out
}

// programsOf are the folders with evidence of a kind's programs, or one without a name where there is none.
func programsOf(kind string, cases []proven) []string {
	var out []string
	for _, c := range cases {
		if c.Kind == kind && !slices.Contains(out, c.program()) {
			out = append(out, c.program())
		}
	}
	if out == nil {
		out = []string{""}
	}
	return out
}

func (c *proven) program() string { return path.Dir(c.name) }

func (p *proof) add(c proven) {
	if c.Kind == p.kind && c.program() != p.program {
		return
	}
	if c.Kind == p.kind {
		p.culprit = c.Culprit
		p.scores[c.Variant] = 0
	}
	// A finding about the evidence has no score: it counts as worth knowing. In the evidence of another kind it may
	// well be true, and does not count as wrong.
	if c.Kind == p.kind && slices.Contains(c.said, p.kind) {
		p.scores[c.Variant] = worthKnowing
	}
	for _, f := range c.findings { // in falling order of scores within a kind, except for causes
		if f.Kind != p.kind {
			continue
		}
		at := placeOf(f, c.Culprit)
		switch {
		case c.Kind == p.kind:
			p.scores[c.Variant] = max(p.scores[c.Variant], f.Score)
			if c.Variant == "faulty" && at > 0 && (p.place == 0 || at < p.place) {
				p.place = at
			}
		case (c.Variant == "faulty" || c.Variant == "limit") && (at > 0 || len(f.Where) == 0):
			// The fault of another kind, seen from another side: what allocates also uses CPU.
		default:
			p.wrong = append(p.wrong, fmt.Sprintf("%s %d", c.name, f.Score))
		}
	}
}

// placeOf is the place at which a finding names a function, from 1; 0: it does not.
func placeOf(f casefile.Finding, culprit string) int {
	if culprit == "" {
		return 0
	}
	return 1 + slices.IndexFunc(f.Where, func(w casefile.Frame) bool { return strings.HasSuffix(w.Function, culprit) })
}

// table shows the proofs. Recall is the share of faulty programs in which the kind is found in the right place.
// Precision is the share of those among all findings of the kind, at 25 or more, in faulty programs, repaired twins of
// any kind and healthy services.
func table(proofs []proof) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kind\tfaulty\tplace\tlimit\trepaired\trecall\tprecision\twrongly found in")
	var all tally
	for _, p := range proofs {
		one := p.tally()
		all.add(one)
		score := func(variant string) string {
			if s, ok := p.scores[variant]; ok {
				return fmt.Sprint(s)
			}
			return "-"
		}
		place := "-"
		if p.place > 0 {
			place = fmt.Sprint(p.place)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", p.title(), score("faulty"), place, score("limit"),
			score("repaired"), one.recall(),
			one.precision(), strings.Join(p.wrong, ", "))
	}
	fmt.Fprintf(w, "all %d rows, %d with evidence\t\t\t\t\t%s\t%s\t\n", len(proofs), all.faulty, all.recall(),
		all.precision())
	w.Flush()
	return b.String()
}

// title is the kind, or the program where it has a name of its own.
func (p *proof) title() string {
	if p.program == "" {
		return p.kind
	}
	return strings.ReplaceAll(p.program, "_", "-")
}

// A tally counts programs and findings.
type tally struct{ faulty, right, wrong int }

func (p *proof) tally() (t tally) {
	if _, recorded := p.scores["faulty"]; recorded {
		t.faulty = 1
		if p.right() {
			t.right = 1
		}
	}
	t.wrong = len(p.wrong)
	if p.scores["repaired"] >= worthKnowing {
		t.wrong++
	}
	return t
}

func (t *tally) add(u tally) {
	t.faulty += u.faulty
	t.right += u.right
	t.wrong += u.wrong
}

func (t *tally) recall() string { return ratio(t.right, t.faulty) }

func (t *tally) precision() string { return ratio(t.right, t.right+t.wrong) }

func ratio(n, of int) string {
	if of == 0 {
		return "no evidence"
	}
	return fmt.Sprintf("%d/%d", n, of)
}

// TestHealthyServices: in the evidence of services that have nothing wrong with them, at most one capture in ten has a
// finding of 50 or more.
func TestHealthyServices(t *testing.T) {
	const captures = 10
	var b strings.Builder
	n, wrong := 0, 0
	for _, c := range provenCases(t) {
		if !c.healthy() {
			continue
		}
		n++
		for _, f := range c.findings {
			where := ""
			if len(f.Where) > 0 {
				where = words.Function(f.Where[0].Function)
			}
			fmt.Fprintf(&b, "%-32s %3d %-20s %s\n", c.name, f.Score, f.Kind, where)
			if f.Score >= loud {
				wrong++
			}
		}
	}
	t.Logf("%d captures, %d findings of %d or more\n%s", n, wrong, loud, &b)
	if wrong > (n+captures-1)/captures {
		t.Errorf("%d findings of %d or more in %d healthy captures, want at most one in %d", wrong, loud, n, captures)
	}
}
