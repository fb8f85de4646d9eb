package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/lab/faults/evidence"
)

// A diagnoser gets the diagnosis of a service.
type diagnoser func(context.Context, expectation) (casefile.Diagnosis, error)

// source is where diagnoses come from: stored evidence, or services that are run now. end cleans up.
func (o *options) source(ctx context.Context) (d diagnoser, end func(), err error) {
	if o.from != "" {
		return o.stored, func() {}, nil
	}
	dir, remove, err := o.scratch()
	if err != nil {
		return nil, nil, fmt.Errorf("making a folder for the cases: %w", err)
	}
	bin := o.casebook
	if bin == "" {
		bin, err = build(ctx, dir, "", "github.com/gocasebook/casebook/app/cmd/casebook", "casebook")
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	l := live{options: o, dir: dir, casebook: bin}
	return l.diagnose, remove, nil
}

// stored judges evidence that -group wrote.
func (o *options) stored(ctx context.Context, e expectation) (casefile.Diagnosis, error) {
	set, err := archive.Find()
	if err != nil {
		return casefile.Diagnosis{}, err
	}
	files, err := set.Case(o.from + "/" + e.Name)
	if err != nil {
		return casefile.Diagnosis{}, fmt.Errorf("reading stored evidence: %w", err)
	}
	m, err := evidence.Read(files)
	if err != nil {
		return casefile.Diagnosis{}, fmt.Errorf("reading stored evidence of %s: %w", e.Name, err)
	}
	in := diagnose.Input{Build: m.Build, Started: m.Started, Limits: m.Limits}
	for _, f := range m.Evidence {
		in.Evidence = append(in.Evidence, diagnose.Evidence{
			Name: f.File, Kind: f.Kind, Phase: f.Phase, Seconds: f.Seconds, Taken: f.Taken, Data: f.Data,
		})
	}
	return diagnose.Run(ctx, in, diagnose.Options{}).Diagnosis, nil
}

// live runs services and has the command capture and diagnose them.
type live struct {
	*options
	dir, casebook string
}

func (l live) diagnose(ctx context.Context, e expectation) (d casefile.Diagnosis, err error) {
	bin, err := build(ctx, l.dir, l.programs, "./"+e.program(), "service-"+path.Base(e.program()))
	if err != nil {
		return d, err
	}
	cases := filepath.Join(l.dir, e.Name)
	if err := os.RemoveAll(cases); err != nil {
		return d, fmt.Errorf("removing the case of an earlier run: %w", err)
	}
	err = l.underLoad(ctx, bin, e, func(url string) error {
		text, err := l.command(ctx, "capture", "--dir", cases, url)
		return errors.Join(err, os.WriteFile(filepath.Join(l.dir, e.Name+".txt"), text, 0o644))
	})
	if err != nil {
		return d, err
	}
	found, err := filepath.Glob(filepath.Join(cases, "*", "case.json"))
	if err != nil || len(found) != 1 {
		return d, fmt.Errorf("the capture left %d cases in %s, not one (%v)", len(found), cases, err)
	}
	dir := filepath.Dir(found[0])
	if err := l.keep(e, dir); err != nil {
		return d, err
	}
	text, err := l.command(ctx, "diagnose", "--json", dir)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("reading what casebook diagnose --json printed: %w", err)
	}
	return d, nil
}

// command runs casebook. Exit code 1 means that there are findings.
func (l live) command(ctx context.Context, args ...string) ([]byte, error) {
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, l.casebook, args...)
	cmd.Stdout, cmd.Stderr = &out, &problem
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("casebook %s: %w: %s", args[0], err, bytes.TrimSpace(problem.Bytes()))
	}
	return out.Bytes(), err
}

// keep writes a case into -group.
func (l live) keep(e expectation, dir string) error {
	if l.group == "" {
		return nil
	}
	folder, err := casefile.Open(dir)
	if err != nil {
		return err
	}
	m, err := evidence.FromCase(folder)
	if err != nil {
		return err
	}
	m.Program = path.Join("lab", filepath.ToSlash(l.programs), e.program()) + ": " + e.Why
	if err := m.Clean(); err != nil {
		return err
	}
	return m.Keep(l.group + "/" + e.Name)
}
