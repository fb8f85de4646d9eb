// Command gains measures what real fixes brought and what findings promised of them: see package gains. In lab:
//
//	go run ./gains/cmd/gains                        # judge the stored evidence of the half that was seen
//	go run ./gains/cmd/gains -measure -run 'uuid.*' # build both releases, run them in turns, profile, store
//	go run ./gains/cmd/gains -split                 # divide the list into halves
//
// The limits: building needs the module proxy or a module cache with the releases; a pair takes ten seconds of CPU.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/lab/choose"
	"github.com/gocasebook/casebook/lab/gains"
)

// options are the flags.
type options struct {
	dir, run, half, json string
	measure, split       bool
}

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", "gains", "`folder` with gains.json and testdata")
	flag.StringVar(&o.run, "run", "", "only the pairs whose name matches the `regexp` as a whole")
	flag.StringVar(&o.half, "half", "", "only the `half`: seen or kept; what is judged is seen unless this says kept")
	flag.StringVar(&o.json, "json", "", "write the judgements into this `file`, too")
	flag.BoolVar(&o.measure, "measure", false, "measure what the fixes save, and profile the releases before them")
	flag.BoolVar(&o.split, "split", false, "divide the list")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.main(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "gains:", err)
		stop()
		os.Exit(1)
	}
}

func (o *options) main(ctx context.Context) error {
	list, err := gains.Read(o.listFile())
	if err != nil {
		return err
	}
	if o.split {
		list.Split()
		return write(o.listFile(), list)
	}
	pairs, err := o.chosen(list)
	switch {
	case err != nil:
		return err
	case o.measure:
		return o.measured(ctx, pairs)
	}
	return o.judged(ctx, pairs)
}

func (o *options) listFile() string { return filepath.Join(o.dir, "gains.json") }

// evidence is the name of a pair's recorded evidence.
func evidence(p gains.Pair) string { return "gains/" + p.Name }

// chosen are the pairs that the flags ask for.
func (o *options) chosen(l gains.List) ([]gains.Pair, error) {
	pairs, err := choose.Named(l.Pairs, func(p gains.Pair) string { return p.Name }, o.run)
	if err != nil || o.half == "" {
		return pairs, err
	}
	var out []gains.Pair
	for _, p := range pairs {
		if p.Half == o.half {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("-half: no pair is in the half %q; there are %s and %s", o.half, gains.Seen, gains.Kept)
	}
	return out, nil
}

// measured measures and profiles each pair.
func (o *options) measured(ctx context.Context, pairs []gains.Pair) error {
	dir, err := os.MkdirTemp("", "casebook-gains-")
	if err != nil {
		return fmt.Errorf("making a folder for programs: %w", err)
	}
	defer os.RemoveAll(dir)
	b := gains.Builder{Drivers: filepath.Join(o.dir, "testdata"), Dir: dir}
	var failed []error
	for _, p := range pairs {
		t, err := o.one(ctx, b, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", p.Name, err))
			continue
		}
		fmt.Printf("%s: saves %.1f %% of the CPU (%.1f–%.1f), %.1f %% of the bytes\n", p.Name, 100*t.CPU(),
			100*t.Saved[0], 100*t.Saved[len(t.Saved)-1], 100*t.Garbage())
	}
	return errors.Join(failed...)
}

// one builds a pair's releases, runs them in turns, profiles the older one, and stores both results.
func (o *options) one(ctx context.Context, b gains.Builder, p gains.Pair) (gains.Truth, error) {
	before, err := b.Build(ctx, p, p.Before)
	if err != nil {
		return gains.Truth{}, err
	}
	after, err := b.Build(ctx, p, p.After)
	if err != nil {
		return gains.Truth{}, err
	}
	t, err := gains.Full().Measure(ctx, before, after)
	if err != nil {
		return t, err
	}
	files, err := gains.Full().Record(ctx, p, t, before)
	if err != nil {
		return t, err
	}
	set, err := archive.Find()
	if err == nil {
		_, err = set.Put(evidence(p), files)
	}
	return t, err
}

// judged prints the tables of what is stored.
func (o *options) judged(ctx context.Context, pairs []gains.Pair) error {
	var rows []gains.Row
	half := cmp.Or(o.half, gains.Seen)
	js, err := o.stored(ctx, pairs, half)
	if err != nil {
		return err
	}
	gains.Table(os.Stdout, js)
	fmt.Printf("\n%s: %s\n", half, gains.Counted(js))
	for _, j := range js {
		rows = append(rows, j.Row())
	}
	if o.json == "" {
		return nil
	}
	return write(o.json, rows)
}

// stored judges the pairs of a half.
func (o *options) stored(ctx context.Context, pairs []gains.Pair, half string) ([]gains.Judgement, error) {
	var js []gains.Judgement
	set, err := archive.Find()
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if p.Half != half {
			continue
		}
		files, err := set.Case(evidence(p))
		if err != nil {
			return nil, err
		}
		j, err := gains.Stored(ctx, p, files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		js = append(js, j)
	}
	return js, nil
}

// write writes v as a JSON file that people read.
func write(file string, v any) error {
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", file, err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}
