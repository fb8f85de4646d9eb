package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/faults/evidence"
	"github.com/gocasebook/casebook/lab/foreign"
)

// keep makes test data of the case that counts: of a healthy service the capture at the end, else the first case.
func (o *options) keep(s *foreign.Service, p foreign.Program) error {
	dir := filepath.Join(o.cases, s.Name)
	if s.Healthy {
		dir = filepath.Join(dir, "end")
	}
	cases, err := casefile.Dir(dir).List() // the newest first
	if err != nil || len(cases) == 0 {
		return err // nothing tripped
	}
	counts := cases[len(cases)-1]
	if s.Healthy {
		counts = cases[0]
	}
	if err := record("foreign/"+s.Name, counts.Path, s, p); err != nil {
		return fmt.Errorf("keeping %s: %w", s.Name, err)
	}
	return nil
}

// record writes the case of a folder into evidence/cases.
func record(name, from string, s *foreign.Service, p foreign.Program) error {
	folder, err := casefile.Open(from)
	if err != nil {
		return err
	}
	m, err := evidence.FromCase(folder)
	if err != nil {
		return err
	}
	m.CutVitals(maxVitals)
	m.Program = fmt.Sprintf("%s %s: %s", p.Package, p.Version, cmp.Or(s.About, s.Done))
	m.Go, m.Env = m.Build.GoVersion, append(p.Env, s.Env...)
	if err := m.Clean(); err != nil {
		return err
	}
	fit(m)
	return m.Keep(name)
}

// maxVitals bounds the vitals of a case in bytes: ten minutes of them are 300 kB, and a minute and a half say enough.
const maxVitals = 54_000

// fit leaves out what may be missing from a case, the least needed first, until the rest is small enough for the
// repository.
func fit(m *evidence.Manifest) {
	for _, spare := range []string{"goroutine-dump.txt.gz", "mutex.pb.gz", "threadcreate.pb.gz", "heap.pb.gz",
		"metrics.json", "block.pb.gz"} {
		if size(m) <= evidence.MaxFolder {
			return
		}
		m.Evidence = slices.DeleteFunc(m.Evidence, func(f evidence.File) bool { return f.File == spare })
	}
	if size(m) > evidence.MaxFolder {
		m.CutVitals(maxVitals * 2 / 3)
	}
}

func size(m *evidence.Manifest) (total int) {
	for _, f := range m.Evidence {
		total += len(f.Data)
	}
	return total
}
