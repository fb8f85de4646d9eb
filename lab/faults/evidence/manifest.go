// Package evidence takes evidence from a running process the way Casebook does, and makes it fit for a repository.
//
// The problem: a detector's test data must be what a user's capture would hold, and yet be small, free of what varies
// from machine to machine, and say where it comes from. The approach: Take has casebook.Watch open a case from outside;
// Clean takes the machine out of the profiles and prunes what weighs nothing; Write puts the files and a manifest into
// evidence/cases, where diagnose's tests read them.
//
// The limits: it is for the proving ground and for real programs on this machine. Pruning keeps every total of a
// profile to 0.5 %, not its smallest stacks.
package evidence

import (
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/archive"
)

// A Manifest is manifest.json: what was known when evidence was recorded. internal/tests/diagnose/cases_test.go reads
// it.
type Manifest struct {
	Kind    string   `json:"kind,omitempty"`    // the fault's; empty for a program that is not of the proving ground
	Variant string   `json:"variant,omitempty"` // faulty, limit or repaired
	Culprit string   `json:"culprit,omitempty"` // the end of the function's name that the finding must blame
	Program string   `json:"program"`           // what ran, for people
	Env     []string `json:"env,omitempty"`

	Go       string          `json:"go"`
	Started  time.Time       `json:"started,omitzero"` // the process
	Limits   casefile.Limits `json:"limits"`
	Build    casefile.Build  `json:"build"`
	Evidence []File          `json:"evidence"`
	Missing  []Missing       `json:"missing,omitempty"`

	Triggers []casefile.Trigger `json:"triggers,omitempty"` // what tripped, if rules opened the case
}

// A File is one artefact beside the manifest.
type File struct {
	File    string         `json:"file"`
	Kind    string         `json:"kind"`
	Phase   casefile.Phase `json:"phase"`
	Taken   time.Time      `json:"taken"`
	Seconds float64        `json:"seconds,omitempty"`
	Note    string         `json:"note,omitempty"` // of the capture, and what was pruned
	Data    []byte         `json:"-"`
}

// Missing is evidence that was asked for and was not available.
type Missing struct {
	Kind   string         `json:"kind"`
	Phase  casefile.Phase `json:"phase"`
	Reason string         `json:"reason"`
}

// Bounds of what belongs into the repository, in bytes.
const (
	MaxFile   = 100_000
	MaxFolder = 260_000 // of one variant of a kind, which has three
)

// Write writes the case into a set, in place of an earlier recording of the same name, such as modules/grpc.
func (m *Manifest) Write(set archive.Set, name string) error {
	files, err := m.Files()
	if err == nil {
		_, err = set.Put(name, files)
	}
	return err
}

// Keep writes the case into the evidence of this checkout.
func (m *Manifest) Keep(name string) error {
	set, err := archive.Find()
	if err != nil {
		return err
	}
	return m.Write(set, name)
}

// Files are the manifest and what it lists.
func (m *Manifest) Files() (archive.Files, error) {
	total := 0
	for _, f := range m.Evidence {
		total += len(f.Data)
		if len(f.Data) > MaxFile {
			return nil, fmt.Errorf("%s has %d bytes, %d are the most that belong into the repository; no pruning may make "+
				"it smaller",
				f.File, len(f.Data), MaxFile)
		}
	}
	if total > MaxFolder {
		return nil, fmt.Errorf("the evidence has %d bytes, %d are the most for one variant: record fewer kinds or seconds",
			total, MaxFolder)
	}
	m.Go = runtime.Version()
	if m.Build.GoVersion != "" {
		m.Go = m.Build.GoVersion
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the manifest: %w", err)
	}
	files := archive.Files{manifestFile: append(text, '\n')}
	for _, f := range m.Evidence {
		files[f.File] = f.Data
	}
	return files, nil
}

const manifestFile = "manifest.json"

// Read is the manifest of a recorded case, with its evidence.
func Read(files archive.Files) (m Manifest, err error) {
	if err := json.Unmarshal(files[manifestFile], &m); err != nil {
		return m, fmt.Errorf("reading the manifest: %w", err)
	}
	for i := range m.Evidence {
		f := &m.Evidence[i]
		data, ok := files[f.File]
		if !ok {
			return m, fmt.Errorf("the manifest has %s, the case does not", f.File)
		}
		f.Data = data
	}
	return m, nil
}
