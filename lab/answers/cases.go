package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/lab/choose"
)

// A patient is a case that is asked about.
type patient struct {
	name     string
	evidence string // its folder
	source   string // folder of the module; "" without one
}

// fieldCases are those of DIR/NAME: evidence in case, or in watch where there is none, and the source in src.
func fieldCases(dir string) (all []patient, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("-cases: %w", err)
	}
	for _, e := range entries {
		p := patient{name: e.Name()}
		for _, sub := range []string{"watch", "case"} {
			if at := filepath.Join(dir, p.name, sub); isDir(at) {
				p.evidence = at
			}
		}
		if src := filepath.Join(dir, p.name, "src"); p.evidence != "" && exists(filepath.Join(src, "go.mod")) {
			p.source = src
		}
		if p.evidence != "" {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("-cases: %s has no case: want %s/NAME/case", dir, dir)
	}
	return all, nil
}

// archived are recorded cases of this repository, which no source lies beside. They are taken out of their archives into
// a folder that the caller removes.
func archived(pattern string) (all []patient, dir string, err error) {
	if dir, err = archive.Temp(pattern); err != nil {
		return nil, "", fmt.Errorf("-archive: %w", err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, at := range found {
		name, _ := filepath.Rel(dir, at) // it lies in dir
		all = append(all, patient{name: filepath.ToSlash(name), evidence: at})
	}
	return all, dir, err
}

// patients are the cases that the flags name.
func (o *options) patients() (some []patient, done func(), err error) {
	var all []patient
	done = func() {}
	switch {
	case (o.cases == "") == (o.archive == ""):
		return nil, done, errors.New("want -cases DIR or -archive PATTERN")
	case o.cases != "":
		all, err = fieldCases(o.cases)
	default:
		var dir string
		if all, dir, err = archived(o.archive); dir != "" {
			done = func() { _ = os.RemoveAll(dir) } // of the system's temporary folder
		}
	}
	if err == nil {
		some, err = choose.Named(all, func(p patient) string { return p.name }, o.run)
	}
	return some, done, err
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// notEvidence is what of a case is no evidence: what Casebook said of it, and its label.
func notEvidence(name string) bool {
	return strings.HasPrefix(name, ".") || name == "case.json" || name == "manifest.json" || name == "label.json" ||
		strings.HasSuffix(name, ".html")
}

// A given file is one that lies in an agent's folder.
type given struct {
	name  string
	bytes int64
}

// lay copies evidence, and the source where there is one, into a folder of an agent's own: whatever it does to them, the
// next one finds them as they were. It returns what is there.
func (p *patient) lay(dir string, source bool) (files []given, err error) {
	add := func(name string, data []byte) error {
		files = append(files, given{filepath.ToSlash(name), int64(len(data))})
		at := filepath.Join(dir, name)
		return errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, data, 0o600))
	}
	entries, err := os.ReadDir(p.evidence)
	if err != nil {
		return nil, fmt.Errorf("reading the evidence: %w", err)
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || notEvidence(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(p.evidence, e.Name()))
		if err == nil {
			err = add(e.Name(), data)
		}
		if err != nil {
			return nil, fmt.Errorf("laying out the evidence: %w", err)
		}
	}
	if !source || p.source == "" {
		return files, nil
	}
	err = fs.WalkDir(os.DirFS(p.source), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || repaired(d.Name()) {
			return err
		}
		data, err := os.ReadFile(filepath.Join(p.source, filepath.FromSlash(name)))
		if err == nil {
			err = add(filepath.Join("src", filepath.FromSlash(name)), data)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("laying out the source: %w", err)
	}
	return files, nil
}

// repaired reports whether a file of the source is of the repaired form, which has the answer in it.
func repaired(name string) bool { return strings.Contains(name, "fixed") }
