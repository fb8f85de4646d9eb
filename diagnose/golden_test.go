package diagnose

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/golden"
)

// expected is what a case must give. Scores are locked: changing a scale shows in every case that it affects.
type expected struct {
	Findings  []wanted `json:"findings"`
	Undecided []string `json:"undecided"` // kinds of answers about the evidence that is there
	Problems  []string `json:"problems"`
}

type wanted struct {
	Kind       string           `json:"kind"`
	Score      int              `json:"score"`
	Confidence float64          `json:"confidence"`
	Title      string           `json:"title"`
	Summary    string           `json:"summary"`
	CausedBy   []string         `json:"caused_by,omitempty"`
	Where      []casefile.Frame `json:"where"`
	Impact     casefile.Impact  `json:"impact"`
	Remedies   []string         `json:"remedies"`
	Held       []casefile.Held  `json:"held,omitempty"`
}

func summarise(rep Report) expected {
	e := expected{Findings: []wanted{}, Undecided: []string{}, Problems: []string{}}
	for _, f := range rep.Findings {
		w := wanted{f.Kind, f.Score, f.Confidence, f.Title, f.Summary, f.CausedBy, f.Where, f.Impact, nil, f.Held}
		for _, r := range f.Remedies {
			w.Remedies = append(w.Remedies, r.Title)
		}
		e.Findings = append(e.Findings, w)
	}
	for _, u := range rep.Undecided {
		if !strings.HasPrefix(u.Reason, "no ") { // evidence of that kind was not captured at all
			e.Undecided = append(e.Undecided, u.Kind+": "+u.Reason)
		}
	}
	for _, p := range rep.Problems {
		e.Problems = append(e.Problems, p.File+": "+p.Reason)
	}
	return e
}

func TestCases(t *testing.T) {
	for _, dir := range caseFolders(t) {
		t.Run(dir, func(t *testing.T) {
			rep := judged(t, dir)
			if len(rep.Failed) > 0 {
				t.Fatalf("detectors failed: %v", rep.Failed)
			}
			file := filepath.Join("testdata", filepath.FromSlash(dir), "expected.json")
			got := summarise(rep)
			if golden.Updating() {
				writeJSON(t, file, got)
				return
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			g, err := json.MarshalIndent(got, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.TrimSpace(string(b)); string(g) != want {
				t.Errorf("got:\n%s\nwant (%s):\n%s", g, file, want)
			}
		})
	}
}
