package gains

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

// Record profiles a program and writes the evidence into dir.
func (e Effort) Record(ctx context.Context, p Pair, bin, dir string) error {
	scratch, err := os.MkdirTemp("", "casebook-gains-")
	if err != nil {
		return fmt.Errorf("making a folder for profiles: %w", err)
	}
	defer os.RemoveAll(scratch)
	if _, err := run(ctx, bin, "-cpu", e.Profile.String(), "-profiles", scratch); err != nil {
		return err
	}
	m := evidence.Manifest{Program: fmt.Sprintf("lab/gains driver %s, %s %s", p.Name, p.Module, p.Before),
		Build: casefile.Build{Module: p.Module}, Limits: casefile.Limits{CPUs: 2}}
	for _, f := range []struct{ file, kind string }{
		{"heap.pb.gz", casefile.Heap}, {"cpu.pb.gz", casefile.CPU}, {"heap-after.pb.gz", casefile.Heap},
	} {
		file, err := taken(scratch, f.file, f.kind)
		if err != nil {
			return err
		}
		m.Evidence = append(m.Evidence, file)
	}
	if err := m.Clean(); err != nil {
		return err
	}
	return m.Write(dir)
}

// taken reads a profile and when it was taken.
func taken(dir, file, kind string) (evidence.File, error) {
	data, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		return evidence.File{}, fmt.Errorf("reading a profile: %w", err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return evidence.File{}, fmt.Errorf("reading %s: %w", file, err)
	}
	return evidence.File{File: file, Kind: kind, Data: data, Taken: time.Unix(0, p.TimeNanos).UTC(),
		Seconds: time.Duration(p.DurationNanos).Seconds()}, nil
}

// truthFile is what Measure found, beside the evidence.
const truthFile = "truth.json"

// Write stores the truth in the folder of the evidence.
func (t Truth) Write(dir string) error {
	text, err := json.MarshalIndent(t, "", "\t")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, truthFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("storing what was measured: %w", err)
	}
	return nil
}

// Stored judges a pair by what is stored of it.
func Stored(ctx context.Context, p Pair, dir string) (Judgement, error) {
	var t Truth
	if err := readJSON(filepath.Join(dir, truthFile), &t); err != nil {
		return Judgement{}, err
	}
	d, err := Diagnose(ctx, dir)
	return Judge(p, t, d.Findings), err
}

func readJSON(file string, v any) error {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}

// Diagnose judges evidence that Record wrote.
func Diagnose(ctx context.Context, dir string) (casefile.Diagnosis, error) {
	var m evidence.Manifest
	if err := readJSON(filepath.Join(dir, "manifest.json"), &m); err != nil {
		return casefile.Diagnosis{}, err
	}
	in := diagnose.Input{Build: m.Build, Started: m.Started, Limits: m.Limits}
	for _, f := range m.Evidence {
		data, err := os.ReadFile(filepath.Join(dir, f.File))
		if err != nil {
			return casefile.Diagnosis{}, fmt.Errorf("reading stored evidence: %w", err)
		}
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: f.File, Kind: f.Kind, Phase: f.Phase,
			Seconds: f.Seconds, Taken: f.Taken, Data: data})
	}
	return diagnose.Run(ctx, in, diagnose.Options{}).Diagnosis, nil
}
