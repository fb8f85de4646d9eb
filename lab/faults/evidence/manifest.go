// Package evidence takes evidence from a running process the way Casebook does, and makes it fit for a repository.
//
// The problem: a detector's test data must be what a user's capture would hold, and yet be small, free of what varies
// from machine to machine, and say where it comes from. The approach: Take has casebook.Watch open a case from outside;
// Clean takes the machine out of the profiles and prunes what weighs nothing; Write puts the files and a manifest into
// a folder as diagnose's TestCases reads it.
//
// The limits: it is for the proving ground and for real programs on this machine. Pruning keeps every total of a
// profile to 0.5 %, not its smallest stacks.
package evidence

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Manifest is manifest.json: what was known when evidence was recorded. diagnose/cases_test.go reads it.
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

// Write makes dir hold the manifest and its files and nothing else of an earlier recording, but for expected.json,
// which is the test's.
func (m *Manifest) Write(dir string) error {
	total := 0
	for _, f := range m.Evidence {
		total += len(f.Data)
		if len(f.Data) > MaxFile {
			return fmt.Errorf("%s has %d bytes, %d are the most that belong into the repository; no pruning may make "+
				"it smaller",
				f.File, len(f.Data), MaxFile)
		}
	}
	if total > MaxFolder {
		return fmt.Errorf("the evidence has %d bytes, %d are the most for one variant: record fewer kinds or seconds",
			total, MaxFolder)
	}
	m.Go = runtime.Version()
	if m.Build.GoVersion != "" {
		m.Go = m.Build.GoVersion
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the manifest: %w", err)
	}
	if err := empty(dir); err != nil {
		return err
	}
	for _, f := range append(m.Evidence, File{File: "manifest.json", Data: append(text, '\n')}) {
		if err := os.WriteFile(filepath.Join(dir, f.File), f.Data, 0o644); err != nil {
			return fmt.Errorf("writing evidence: %w", err)
		}
	}
	return nil
}

// empty makes dir, or removes an earlier recording from it.
func empty(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the folder of the evidence: %w", err)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading the folder of the evidence: %w", err)
	}
	for _, e := range old {
		if e.Name() == "expected.json" || e.IsDir() {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("removing the earlier recording: %w", err)
		}
	}
	return nil
}
