package diagnose_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// lengths is what a deriver makes from notes: how long they are.
type lengths []int

func (l lengths) String() string { return fmt.Sprintf("%d notes", len(l)) }

// countsNotes derives lengths from notes. An empty note cannot be read, and "!" makes the deriver panic.
func countsNotes() diagnose.Deriver {
	return diagnose.Deriver{Name: "counter", Kind: "note", Run: func(_ context.Context,
		e diagnose.Evidence) ([]diagnose.Evidence, error) {
		switch string(e.Data) {
		case "":
			return nil, errors.New("nothing is written on it")
		case "!":
			panic("torn")
		}
		return []diagnose.Evidence{{Name: e.Name, Kind: "lengths", Value: lengths{len(e.Data)}}}, nil
	}}
}

// findsLong finds notes of more than three bytes.
func findsLong() diagnose.Detector {
	return diagnose.Detector{ID: "X001", Kind: "long-note", Title: "A note is long",
		Needs: []diagnose.Need{{Kinds: []string{"lengths"}, Reason: "no notes", Capture: "write one"}},
		Run: func(_ context.Context, r *diagnose.Reading) (a diagnose.Answer) {
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
	note := func(name, text string) diagnose.Evidence {
		return diagnose.Evidence{Name: name, Kind: "note", Data: []byte(text)}
	}
	opts := diagnose.Options{Detectors: []diagnose.Detector{findsLong()}, Derive: []diagnose.Deriver{countsNotes()}}

	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{note("a", "long"), note("b", "")}}, opts)
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

	rep = diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{note("c", "!")}}, opts)
	if len(rep.Problems) != 2 || !strings.Contains(rep.Problems[0].Reason, "torn") {
		t.Errorf("problems %+v, want the panic, and that a note is nothing that is read", rep.Problems)
	}
	if u := rep.Undecided; len(u) != 1 || u[0].Reason != "no notes" || u[0].Kind != "long-note" {
		t.Errorf("undecided %+v, want what the detector needs", u)
	}
}

// TestDeriveChain: a deriver sees what the one before it made.
func TestDeriveChain(t *testing.T) {
	first := diagnose.Deriver{Name: "opener", Kind: "letter", Run: func(_ context.Context,
		e diagnose.Evidence) ([]diagnose.Evidence, error) {
		return []diagnose.Evidence{{Name: e.Name, Kind: "note", Data: e.Data}}, nil
	}}
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "a", Kind: "letter",
		Data: []byte("long")}}},
		diagnose.Options{Detectors: []diagnose.Detector{findsLong()}, Derive: []diagnose.Deriver{first, countsNotes()}})
	if len(rep.Findings) != 1 {
		t.Errorf("findings %+v, problems %+v; want the note that was in the letter", rep.Findings, rep.Problems)
	}
}
