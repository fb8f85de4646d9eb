package diagnose

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/race"
)

// Recorded evidence is in evidence/cases/<group>/<case>.tar.zst: the files as they were captured from a program of
// testdata/programs or the lab, and manifest.json with what a capture knows about them.

// A manifest is what was known when evidence was recorded.
type manifest struct {
	Kind     string          `json:"kind,omitempty"`    // of the fault, if the program is from lab/faults
	Variant  string          `json:"variant,omitempty"` // faulty, limit or repaired
	Culprit  string          `json:"culprit,omitempty"` // the end of the name of the function to blame
	Program  string          `json:"program"`
	Go       string          `json:"go"`
	Started  time.Time       `json:"started,omitzero"` // the process
	Limits   casefile.Limits `json:"limits"`
	Build    casefile.Build  `json:"build"`
	Evidence []recorded      `json:"evidence"`

	Triggers []casefile.Trigger `json:"triggers,omitempty"` // of a case that a watch or a person opened
}

type recorded struct {
	File    string         `json:"file"`
	Kind    string         `json:"kind,omitempty"` // "": found by content
	Phase   casefile.Phase `json:"phase,omitempty"`
	Taken   time.Time      `json:"taken"`
	Seconds float64        `json:"seconds,omitempty"`

	Collected bool `json:"collected,omitempty"` // a heap profile after a forced collection
}

// caseFolders are the names of all recorded cases: group and case, such as modules/grpc. Under the race detector TestCases
// alone works on them.
func caseFolders(t testing.TB) []string {
	t.Helper()
	race.Skip(t)
	return checkout.Cases(t)
}

// foldersOf are those whose names begin with one of prefixes. What internal/tests/diagnose judges is all of them;
// nothing here does, so that they are all judged once.
func foldersOf(t testing.TB, prefixes ...string) []string {
	t.Helper()
	return slices.DeleteFunc(caseFolders(t), func(name string) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	})
}

// loadCase reads the evidence of a case that detectors read. A detector works in one goroutine, so that what it finds in a
// case is not asked of it again under the race detector.
func loadCase(t testing.TB, name string) Input {
	t.Helper()
	race.Skip(t)
	return load(t, name)
}

func load(t testing.TB, name string) Input {
	t.Helper()
	files := checkout.Case(t, name)
	var m manifest
	if err := json.Unmarshal(files["manifest.json"], &m); err != nil {
		t.Fatalf("%s/manifest.json: %v", name, err)
	}
	in := Input{Build: m.Build, Limits: m.Limits, Started: m.Started, Triggers: m.Triggers}
	if len(m.Triggers) > 0 {
		in.Tripped = m.Triggers[0].Time
	}
	for _, e := range m.Evidence {
		if !readable(e.Kind) {
			continue
		}
		data, ok := files[e.File]
		if !ok {
			t.Fatalf("%s has no %s", name, e.File)
		}
		in.Evidence = append(in.Evidence, Evidence{Name: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken,
			Seconds: e.Seconds, Data: data, Collected: e.Collected})
	}
	return in
}

// reports holds what is found in each recorded case, for which twenty tests ask.
var reports sync.Map // of name to func() Report

// judged returns what is found in a recorded case, as loadCase reads it. Nobody may change it.
func judged(t testing.TB, name string) Report {
	t.Helper()
	race.Skip(t)
	return judge(t, name)
}

func judge(t testing.TB, name string) Report {
	t.Helper()
	if once, ok := reports.Load(name); ok {
		return once.(func() Report)()
	}
	in := load(t, name)
	once, _ := reports.LoadOrStore(name, sync.OnceValue(func() Report {
		return Run(context.Background(), in, Options{})
	}))
	return once.(func() Report)()
}
