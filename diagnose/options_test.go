package diagnose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// lengths is what a deriver makes from notes: how long they are.
type lengths []int

func (l lengths) String() string { return fmt.Sprintf("%d notes", len(l)) }

// countsNotes derives lengths from notes. An empty note cannot be read, and "!" makes the deriver panic.
func countsNotes() Deriver {
	return Deriver{Name: "counter", Kind: "note", Run: func(_ context.Context, e Evidence) ([]Evidence, error) {
		switch string(e.Data) {
		case "":
			return nil, errors.New("nothing is written on it")
		case "!":
			panic("torn")
		}
		return []Evidence{{Name: e.Name, Kind: "lengths", Value: lengths{len(e.Data)}}}, nil
	}}
}

// findsLong finds notes of more than three bytes.
func findsLong() Detector {
	return Detector{ID: "X001", Kind: "long-note", Title: "A note is long",
		Needs: []Need{{Kinds: []string{"lengths"}, Reason: "no notes", Capture: "write one"}},
		Run: func(_ context.Context, r *Reading) (a Answer) {
			for _, e := range r.Values("lengths") {
				if n := e.Value.(lengths)[0]; n > 3 {
					a.Findings = append(a.Findings, casefile.Finding{Score: 50,
						Summary: fmt.Sprintf("%s has %d bytes", e.Name, n)})
				}
			}
			return a
		}}
}

func TestDerive(t *testing.T) {
	note := func(name, text string) Evidence { return Evidence{Name: name, Kind: "note", Data: []byte(text)} }
	opts := Options{Detectors: []Detector{findsLong()}, Derive: []Deriver{countsNotes()}}

	rep := Run(t.Context(), Input{Evidence: []Evidence{note("a", "long"), note("b", "")}}, opts)
	if len(rep.Findings) != 1 || rep.Findings[0].Summary != "a has 4 bytes" || rep.Findings[0].ID != "X001" {
		t.Errorf("findings %+v, want X001 of the note a alone", rep.Findings)
	}
	if len(rep.Read) != 1 || rep.Read[0].Text != "1 notes" || rep.Read[0].Kind != "lengths" {
		t.Errorf("read %+v, want the lengths that were derived of a", rep.Read)
	}
	if p := rep.Problems; len(p) != 1 || p[0].File != "b" || p[0].Reason != "counter: nothing is written on it" ||
		p[0].Next == "" {
		t.Errorf("problems %+v, want the one that the deriver had with b", p)
	}

	rep = Run(t.Context(), Input{Evidence: []Evidence{note("c", "!")}}, opts)
	if len(rep.Problems) != 2 || !strings.Contains(rep.Problems[0].Reason, "torn") {
		t.Errorf("problems %+v, want the panic, and that a note is nothing that is read", rep.Problems)
	}
	if u := rep.Undecided; len(u) != 1 || u[0].Reason != "no notes" || u[0].Kind != "long-note" {
		t.Errorf("undecided %+v, want what the detector needs", u)
	}
}

// TestDeriveChain: a deriver sees what the one before it made.
func TestDeriveChain(t *testing.T) {
	first := Deriver{Name: "opener", Kind: "letter", Run: func(_ context.Context, e Evidence) ([]Evidence, error) {
		return []Evidence{{Name: e.Name, Kind: "note", Data: e.Data}}, nil
	}}
	rep := Run(t.Context(), Input{Evidence: []Evidence{{Name: "a", Kind: "letter", Data: []byte("long")}}},
		Options{Detectors: []Detector{findsLong()}, Derive: []Deriver{first, countsNotes()}})
	if len(rep.Findings) != 1 {
		t.Errorf("findings %+v, problems %+v; want the note that was in the letter", rep.Findings, rep.Problems)
	}
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
