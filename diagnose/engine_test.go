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
