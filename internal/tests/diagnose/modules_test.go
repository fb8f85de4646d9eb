package diagnose_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// The services of lab/modules use the most imported modules as people do. About a healthy one there is nothing with a
// score of 25 or more, whatever the goroutines, locks, arenas and pools of its modules do. For a sick one the first
// finding names the user's line, and its first remedies are for that line.

// The services of lab/queues have queues of their own: pools, semaphores, locks around connections, and what looks like
// them and is none. What is said of the healthy ones is tolerated or nothing, too.

// A moduleCase is a row of lab/modules/modules.json or lab/queues/queues.json.
type moduleCase struct {
	Name      string   `json:"name"`
	Healthy   bool     `json:"healthy"`
	Kinds     []string `json:"kinds"`
	Functions []string `json:"functions"`
	Remedy    string   `json:"remedy"`    // in the title of one of the first two
	Tolerated []string `json:"tolerated"` // kinds that may be reported
}

// moduleCases are the rows of lab/FOLDER/FILE.json, at least so many.
func moduleCases(t *testing.T, folder, file string, least int) (out []moduleCase) {
	t.Helper()
	checkout.Need(t)
	b, err := os.ReadFile(filepath.Join("../../../lab", folder, file+".json"))
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil || len(out) < least {
		t.Fatalf("%d services in the table of %s, want %d or more (%v)", len(out), folder, least, err)
	}
	return out
}

func TestModules(t *testing.T) { judgeModules(t, "modules", 30) }

func TestQueues(t *testing.T) { judgeModules(t, "queues", 15) }

func judgeModules(t *testing.T, folder string, least int) {
	for _, m := range moduleCases(t, folder, folder, least) {
		t.Run(m.Name, func(t *testing.T) {
			rep := judged(t, folder+"/"+m.Name)
			if len(rep.Failed) > 0 {
				t.Fatalf("detectors failed: %v", rep.Failed)
			}
			if m.Healthy {
				m.quiet(t, rep.Findings)
			} else {
				m.blamed(t, rep.Findings)
			}
		})
	}
}

// quiet: nothing is reported except what the service is for.
func (m moduleCase) quiet(t *testing.T, fs []casefile.Finding) {
	for _, f := range fs {
		if !slices.Contains(m.Tolerated, f.Kind) {
			t.Errorf("%s %d: %s", f.Kind, f.Score, f.Title)
		}
	}
}

// blamed: the fault is among the first two findings, at the user's line, with a remedy that suits it.
func (m moduleCase) blamed(t *testing.T, fs []casefile.Finding) {
	t.Helper()
	if why := m.notBlamed(fs); why != "" {
		t.Error(why)
	}
}

// notBlamed is why the fault is not found so; "" if it is.
func (m moduleCase) notBlamed(fs []casefile.Finding) string {
	for _, f := range fs[:min(len(fs), 2)] {
		if !slices.Contains(m.Kinds, f.Kind) || !m.at(f) {
			continue
		}
		first := f.Remedies[:min(len(f.Remedies), 2)]
		if !slices.ContainsFunc(first, func(r casefile.Remedy) bool { return strings.Contains(r.Title, m.Remedy) }) {
			return fmt.Sprintf("%s has the remedies %q, want %q among the first two", f.Kind, titles(first), m.Remedy)
		}
		return ""
	}
	var said strings.Builder
	for _, f := range fs {
		fmt.Fprintf(&said, "\n\t%s %d: %s; %v", f.Kind, f.Score, f.Title, f.Where)
	}
	return fmt.Sprintf("%v at %v is not among the first two of %d findings:%s", m.Kinds, m.Functions, len(fs), &said)
}

// at reports whether a finding is at a function to blame; any place is right where none is named.
func (m moduleCase) at(f casefile.Finding) bool {
	if len(m.Functions) == 0 {
		return true
	}
	return len(f.Where) > 0 && slices.ContainsFunc(m.Functions, func(end string) bool {
		return strings.HasSuffix(f.Where[0].Function, end)
	})
}

func titles(rs []casefile.Remedy) (out []string) {
	for _, r := range rs {
		out = append(out, r.Title)
	}
	return out
}
