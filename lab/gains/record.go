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
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

// Record profiles a program, and gives the evidence with what Measure found.
func (e Effort) Record(ctx context.Context, p Pair, t Truth, bin string) (archive.Files, error) {
	scratch, err := os.MkdirTemp("", "casebook-gains-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for profiles: %w", err)
	}
	defer os.RemoveAll(scratch)
	if _, err := run(ctx, bin, "-cpu", e.Profile.String(), "-profiles", scratch); err != nil {
		return nil, err
	}
	m := evidence.Manifest{Program: fmt.Sprintf("lab/gains driver %s, %s %s", p.Name, p.Module, p.Before),
		Build: casefile.Build{Module: p.Module}, Limits: casefile.Limits{CPUs: 2}}
	for _, f := range []struct{ file, kind string }{
		{"heap.pb.gz", casefile.Heap}, {"cpu.pb.gz", casefile.CPU}, {"heap-after.pb.gz", casefile.Heap},
	} {
		file, err := taken(scratch, f.file, f.kind)
		if err != nil {
			return nil, err
		}
		m.Evidence = append(m.Evidence, file)
	}
	if err := m.Clean(); err != nil {
		return nil, err
	}
	files, err := m.Files()
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(t, "", "\t")
	if err != nil {
		return nil, fmt.Errorf("encoding what was measured: %w", err)
	}
	files[truthFile] = append(text, '\n')
	return files, nil
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

// Stored judges a pair by what is stored of it.
func Stored(ctx context.Context, p Pair, files archive.Files) (Judgement, error) {
	var t Truth
	if err := json.Unmarshal(files[truthFile], &t); err != nil {
		return Judgement{}, fmt.Errorf("reading %s: %w", truthFile, err)
	}
	d, err := Diagnose(ctx, files)
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
func Diagnose(ctx context.Context, files archive.Files) (casefile.Diagnosis, error) {
	m, err := evidence.Read(files)
	if err != nil {
		return casefile.Diagnosis{}, err
	}
	in := diagnose.Input{Build: m.Build, Started: m.Started, Limits: m.Limits}
	for _, f := range m.Evidence {
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: f.File, Kind: f.Kind, Phase: f.Phase,
			Seconds: f.Seconds, Taken: f.Taken, Data: f.Data})
	}
	return diagnose.Run(ctx, in, diagnose.Options{}).Diagnosis, nil
}
