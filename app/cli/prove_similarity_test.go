//go:build linux

package cli_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// caseOf makes a case with a CPU profile and a finding at a function.
func caseOf(t *testing.T, dir, profile, function string) *casefile.Folder {
	t.Helper()
	w, err := casefile.Dir(dir).Create(casefile.Case{Opened: time.Now(), Target: casefile.Target{Name: "server"}})
	if err != nil {
		t.Fatal(err)
	}
	e := casefile.Evidence{File: "cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, Taken: time.Now(), GoFormat: true}
	if err := w.Add(e, read(t, profile)); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(c *casefile.Case) {
		c.Findings = []casefile.Finding{{ID: "CPU001", Kind: "cpu-hot-function", Title: "work is done",
			Where: []casefile.Frame{{Function: function}}}}
	}); err != nil {
		t.Fatal(err)
	}
	return f
}

// A proof for a case of another program's work says that its load does not stand for it; one for a case of the same
// work says how alike they are.
func TestProveSimilarity(t *testing.T) {
	t.Parallel()
	server, dir, out := buildServer(t), t.TempDir(), filepath.Join(t.TempDir(), "proof")
	signs := caseOf(t, dir, filepath.Join(checkout.Folder(t, "foreign/coredns-dnssec"), "cpu.pb.gz"),
		"github.com/coredns/coredns/plugin/dnssec.Dnssec.sign.func1")
	args := func(id string) []string {
		return short(server, "--a-args", "-rounds 300", "--b-args", "-rounds 100", "--case", id, "--dir", dir)
	}
	casebook(t, t.TempDir(), append(args(signs.Case.ID), "--out", out)...).want(t, 0,
		"The load does not stand for the case.", "similarity: The load has ", "does not exercise what was ill")
	same := caseOf(t, dir, filepath.Join(out, "a.cpu.pb.gz"), "main.work")
	casebook(t, t.TempDir(), args(same.Case.ID)...).want(t, 0, "similarity: The load has", "where CPU001 is, takes")
	for _, f := range []*casefile.Folder{signs, same} {
		f, err := casefile.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		s := f.Case.Proof.Similarity
		if s == nil || s.Low != (f.Case.ID == signs.Case.ID) {
			t.Errorf("case %s has %+v", f.Case.ID, s)
		}
	}
}
