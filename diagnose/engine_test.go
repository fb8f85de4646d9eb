package diagnose

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// finds is a detector that finds something with the given score.
func finds(id string, score int) Detector {
	return Detector{ID: id, Kind: "kind-" + id, Title: "title", Run: func(context.Context, *Reading) Answer {
		return found(casefile.Finding{Score: score, Summary: "s"})
	}}
}

func TestEngine(t *testing.T) {
	needsCPU := finds("N", 90)
	needsCPU.Needs = []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}}
	panics := Detector{ID: "P", Kind: "kind-P", Run: func(context.Context, *Reading) Answer { panic("bad") }}
	release := make(chan struct{})
	defer close(release)
	hangs := Detector{ID: "H", Kind: "kind-H", Run: func(context.Context,
		*Reading) Answer {
		<-release
		return Answer{}
	}}

	rep := Run(t.Context(), Input{}, Options{Detectors: []Detector{finds("A", 30), panics, finds("B", 80), needsCPU,
		finds("C", 24)}, Limit: time.Minute})
	var ids []string
	for _, f := range rep.Findings {
		ids = append(ids, f.ID)
	}
	if !slices.Equal(ids, []string{"B", "A"}) {
		t.Errorf("findings %v, want B before A by score, and none below 25", ids)
	}
	if len(rep.Failed) != 1 || rep.Failed[0].ID != "P" || !strings.Contains(rep.Failed[0].Reason, "bad") {
		t.Errorf("failed %v, want P with its panic", rep.Failed)
	}
	if len(rep.Undecided) != 1 || rep.Undecided[0].ID != "N" || rep.Undecided[0].CaptureNext != captureCPU {
		t.Errorf("undecided %v, want N with what to capture", rep.Undecided)
	}
	if f := rep.Findings[0]; f.Kind != "kind-B" || f.Title != "title" {
		t.Errorf("finding %+v, want the detector's kind and title", f)
	}

	rep = Run(t.Context(), Input{}, Options{Detectors: []Detector{hangs}, Limit: time.Nanosecond})
	if len(rep.Failed) != 1 || !strings.Contains(rep.Failed[0].Reason, "not finished after 1ns") {
		t.Errorf("failed %v, want H that was not finished", rep.Failed)
	}
}

func remedyTexts(f casefile.Finding) []string {
	var out []string
	for _, r := range f.Remedies {
		out = append(out, r.Title, r.Text, r.Price)
	}
	return out
}

// TestOwnDetectors: custom detectors run beside the built-in ones or alone. One that cannot run is named.
func TestOwnDetectors(t *testing.T) {
	builtin := len(Detectors())
	nameless, twice, sameKind := finds("", 90), finds("A", 80), finds("B", 70)
	sameKind.Kind = "kind-A"
	rep := Run(t.Context(), Input{}, Options{Detectors: append(Detectors(), finds("A", 60))})
	if len(rep.Findings) != 1 || len(rep.Undecided) != builtin {
		t.Errorf("%d findings and %d undecided, want A, and all %d built-in detectors without evidence",
			len(rep.Findings), len(rep.Undecided), builtin)
	}
	rep = Run(t.Context(), Input{}, Options{Detectors: []Detector{finds("A", 60), nameless, twice, sameKind,
		{ID: "R", Kind: "no-run"}}})
	if len(rep.Findings) != 1 || rep.Findings[0].Score != 60 {
		t.Errorf("findings %+v, want that of the first A", rep.Findings)
	}
	var failed []string
	for _, f := range rep.Failed {
		failed = append(failed, f.ID)
	}
	if want := []string{"kind-", "A", "B", "R"}; !slices.Equal(failed, want) {
		t.Errorf("failed %v, want %v", rep.Failed, want)
	}
}

// TestOwnRelations: the kinds of a custom detector can relate to other kinds.
func TestOwnRelations(t *testing.T) {
	own := finds("X1", 40)
	own.Explains = []Relation{{Kind: "kind-S"}}
	own.Absorbs = []Relation{{Kind: "kind-G"}}
	general := finds("G", 70)
	own.Run = func(context.Context, *Reading) Answer {
		return found(casefile.Finding{Score: 40, Confidence: 0.9, Summary: "own."})
	}
	rep := Run(t.Context(), Input{}, Options{Detectors: []Detector{finds("S", 90), general, own}})
	if len(rep.Findings) != 2 || rep.Findings[0].ID != "X1" || rep.Findings[0].Score != 70 ||
		!slices.Equal(rep.Findings[1].CausedBy, []string{"X1"}) {
		t.Errorf("findings %+v; want X1 with the score of G, which it replaces, before S, which it causes",
			rep.Findings)
	}
}

// TestReadable: evidence that only a deriver reads is loaded from a case if there is such a deriver.
func TestReadable(t *testing.T) {
	with := Options{Derive: []Deriver{{Kind: casefile.Trace}}}
	if (Options{}).readable(casefile.Trace) || !with.readable(casefile.Trace) || !with.readable(casefile.CPU) {
		t.Error("want traces read with a deriver of them and not without, and CPU profiles always")
	}
}
