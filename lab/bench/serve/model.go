package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

// A model is a real case, of which many others are made: a fault of the proving ground with what the detectors say of it.
type model struct {
	kind  string
	c     casefile.Case
	files map[string][]byte
}

// readModels diagnoses every fault of the proving ground.
func readModels(ctx context.Context) ([]*model, error) {
	set, err := archive.Find()
	if err != nil {
		return nil, err
	}
	names, err := set.Cases("*/faulty")
	if err != nil {
		return nil, err
	}
	var list []*model
	for _, name := range names {
		files, err := set.Case(name)
		if err != nil {
			return nil, err
		}
		m, err := readModel(ctx, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, m)
	}
	return list, nil
}

func readModel(ctx context.Context, files archive.Files) (*model, error) {
	man, err := evidence.Read(files)
	if err != nil {
		return nil, err
	}
	m := &model{kind: man.Kind, files: map[string][]byte{}}
	m.c = casefile.Case{Schema: casefile.Schema, Tool: "bench",
		Target: casefile.Target{Build: man.Build, Limits: man.Limits, Started: man.Started}}
	in := diagnose.Input{Build: man.Build, Started: man.Started, Limits: man.Limits}
	for _, f := range man.Evidence {
		data := f.Data
		sum := sha256.Sum256(data)
		m.files[f.File] = data
		m.c.Evidence = append(m.c.Evidence, casefile.Evidence{File: f.File, Kind: f.Kind, Phase: f.Phase, Taken: f.Taken,
			Seconds: f.Seconds, Note: f.Note, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:]),
			GoFormat: profile(f.File, data)})
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: f.File, Kind: f.Kind, Phase: f.Phase, Seconds: f.Seconds,
			Taken: f.Taken, Data: data})
	}
	m.c.Diagnosis = diagnose.Run(ctx, in, diagnose.Options{}).Diagnosis
	return m, nil
}

// profile reports whether `go tool pprof` reads a file.
func profile(name string, data []byte) bool {
	return strings.HasSuffix(name, ".pb.gz") && bytes.HasPrefix(data, []byte("\x1f\x8b"))
}
