package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/archive"
)

// A plant is an answer to a recorded case, whose truth is known.
type plant struct {
	name   string
	Case   string          `json:"case"` // of the archive: "unseen-waits/ring"
	Source string          `json:"source"`
	Answer json.RawMessage `json:"answer"`
	Wrong  string          `json:"wrong"` // what is wrong; "" of a right one
	About  either          `json:"about"` // the parts of which a reason may speak
}

// An either is a text or a list of them.
type either []string

func (e *either) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*e = either{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(e))
}

// readPlants reads the answers of an archive.
func readPlants(file string) (all []plant, err error) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		return nil, err
	}
	for _, f := range a.Files {
		p := plant{name: strings.TrimSuffix(f.Name, ".json")}
		if err := json.Unmarshal(f.Data, &p); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", f.Name, file, err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		err = fmt.Errorf("no answers are in %s", file)
	}
	return all, err
}

// A bed is the evidence and the source that plants are checked with, each read once.
type bed struct {
	set    archive.Set
	root   string // of the repository
	dir    string // for what is unpacked
	sheets map[string]*facts.Sheet
	builds map[string]casefile.Build
}

func newBed() (*bed, error) {
	set, err := archive.Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "answers-*")
	if err != nil {
		return nil, err
	}
	return &bed{set: set, root: filepath.Join(string(set), "..", ".."), dir: dir, sheets: map[string]*facts.Sheet{},
		builds: map[string]casefile.Build{}}, nil
}

func (b *bed) close() error { return os.RemoveAll(b.dir) }

// sheet reads a case of the archive, with the source in a folder where one is named.
func (b *bed) sheet(ctx context.Context, name, src string) (*facts.Sheet, error) {
	key := name + " " + src
	if s := b.sheets[key]; s != nil {
		return s, nil
	}
	dirs, err := b.set.Extract(name, b.dir)
	if err != nil || len(dirs) == 0 {
		return nil, errors.Join(err, fmt.Errorf("case %s is not in the archive", name))
	}
	s, folder, err := sheetOf(ctx, filepath.Join(b.dir, filepath.FromSlash(name)), src)
	if err != nil {
		return nil, err
	}
	if folder != nil {
		b.builds[name] = folder.Case.Target.Build
	}
	b.sheets[key] = s
	return s, nil
}

// check checks a plant.
func (b *bed) check(ctx context.Context, p *plant) (op casefile.Opinion, err error) {
	a, err := answer.Parse(p.Answer)
	if err != nil {
		return op, err
	}
	o, src := answer.Options{}, ""
	if p.Source != "" {
		src = filepath.Join(b.root, filepath.FromSlash(p.Source))
	}
	s, err := b.sheet(ctx, p.Case, src)
	if err != nil {
		return op, err
	}
	if src != "" {
		o.Test = true
		if o.Source, err = source.FindPlaces(ctx, src, b.builds[p.Case]); err != nil {
			return op, err
		}
	}
	return answer.Check(ctx, a, s, o), nil
}

// as reports whether the check says of a plant what is true: nothing against a right one, and something against the
// part of a wrong one that is wrong.
func (p *plant) as(op casefile.Opinion) bool {
	if p.Wrong == "" {
		return op.Verdict == casefile.Supported
	}
	return slices.ContainsFunc(op.Reasons, func(r casefile.Reason) bool {
		return r.Verdict != casefile.Supported && oneOf(p.About, r.About)
	})
}

// planted checks the answers of the archives planted*.txtar and right*.txtar: each pair is of one hand.
func planted(args []string, out, errs io.Writer) int {
	ctx := context.Background()
	flags := flag.NewFlagSet("planted", flag.ContinueOnError)
	flags.SetOutput(errs)
	dir := flags.String("dir", "answers", "`folder` with planted*.txtar and right*.txtar")
	verbose := flags.Bool("v", false, "print all reasons")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	b, err := newBed()
	if err != nil {
		fmt.Fprintln(errs, "answers planted:", err)
		return 2
	}
	defer b.close()
	fine := true
	for _, of := range []struct{ files, words string }{{"planted*.txtar", "wrong answers are refused for what is wrong"},
		{"right*.txtar", "right answers are supported"}} {
		files, err := filepath.Glob(filepath.Join(*dir, of.files))
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no %s is in %s", of.files, *dir)
		}
		for _, file := range files {
			as, n := 0, 0
			if as, n, err = b.file(ctx, out, file, *verbose); err != nil {
				break
			}
			fmt.Fprintf(out, "%s: %d of %d %s\n\n", filepath.Base(file), as, n, of.words)
			fine = fine && as == n
		}
		if err != nil {
			fmt.Fprintln(errs, "answers planted:", err)
			return 2
		}
	}
	if !fine {
		return 1
	}
	return 0
}

// file checks the plants of an archive: of how many the check says what is true, and how many there are.
func (b *bed) file(ctx context.Context, out io.Writer, file string, verbose bool) (as, n int, err error) {
	all, err := readPlants(file)
	if err != nil {
		return 0, 0, err
	}
	as, err = b.all(ctx, out, all, verbose)
	return as, len(all), err
}

// all checks plants, and prints those of which the check does not say what is true.
func (b *bed) all(ctx context.Context, out io.Writer, all []plant, verbose bool) (as int, err error) {
	for i := range all {
		p := &all[i]
		op, err := b.check(ctx, p)
		if err != nil {
			return as, fmt.Errorf("%s: %w", p.name, err)
		}
		is := p.as(op)
		if is {
			as++
		}
		if is && !verbose {
			continue
		}
		fmt.Fprintf(out, "%-28s %-13s %s\n", p.name, op.Verdict, p.Wrong)
		printReasons(out, op, verbose || !is)
	}
	return as, nil
}
