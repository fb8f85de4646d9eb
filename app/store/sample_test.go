package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// eachStore runs a test on both pairs: SQLite with a folder, and PostgreSQL with a bucket.
func eachStore(t *testing.T, test func(t *testing.T, cfg Config)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteConfig(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresConfig(t)) })
}

func sqliteConfig(t *testing.T) Config {
	dir := t.TempDir()
	return Config{Index: "sqlite:" + filepath.Join(dir, "index.db"), Blobs: filepath.Join(dir, "blobs"),
		Scratch: filepath.Join(dir, "scratch")}
}

func postgresConfig(t *testing.T) Config {
	return Config{Index: newDatabase(t), Blobs: newBucket(t), Scratch: t.TempDir()}
}

func openStore(t *testing.T, cfg Config) *Store {
	t.Helper()
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A parcel is a case as a sender has it.
type parcel struct {
	c   casefile.Case
	zip []byte
}

// opened is when the first sample case was.
var opened = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

// newParcel makes a case of a service with some evidence, each different.
func newParcel(t testing.TB, n int, service string, findings ...casefile.Finding) parcel {
	t.Helper()
	return newParcelWith(t, n, uint64(n), service, findings...)
}

// newParcelWith makes a case with the evidence of a number: another case may have the same.
func newParcelWith(t testing.TB, n int, evidence uint64, service string, findings ...casefile.Finding) parcel {
	t.Helper()
	at := opened.Add(time.Duration(n) * time.Second)
	c := casefile.Case{Schema: casefile.Schema, ID: casefile.NewID(at, "gc-cpu"), Opened: at,
		Target:    casefile.Target{Name: service, Labels: map[string]string{"zone": fmt.Sprint("z", n%3)}},
		Trigger:   casefile.Trigger{Rule: "gc-cpu", Time: at, Text: fmt.Sprintf("gc_cpu was %d %%", 30+n%50)},
		Diagnosis: casefile.Diagnosis{Findings: findings}}
	w, err := casefile.Dir(t.TempDir()).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, evidence))
	for _, e := range []casefile.Evidence{{Kind: casefile.CPU, File: "during/cpu.pb.gz", Phase: casefile.During},
		{Kind: casefile.Heap, File: "during/heap.pb.gz", Phase: casefile.During},
		{Kind: casefile.Vitals, File: "before/vitals.jsonl", Phase: casefile.Before}} {
		data := make([]byte, 1000+random.IntN(3000))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		e.Taken = at
		if err := w.Add(e, data); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return packed(t, f)
}

func packed(t testing.TB, f *casefile.Folder) parcel {
	t.Helper()
	var b bytes.Buffer
	if err := casefile.Export(f, &b); err != nil {
		t.Fatal(err)
	}
	return parcel{f.Case, b.Bytes()}
}

func finding(kind string, score int, function string) casefile.Finding {
	return casefile.Finding{ID: "X001", Kind: kind, Title: "Something about " + function, Score: score, Confidence: 0.9,
		Summary: "A summary.", Where: []casefile.Frame{{Function: function, File: "main.go", Line: 7, Share: 0.5}},
		Impact: casefile.Impact{Resource: "cpu", Text: "half"}}
}

func (p parcel) upload() Upload { return Upload{ID: p.c.ID, Body: bytes.NewReader(p.zip)} }

func put(t testing.TB, s *Store, p parcel) Receipt {
	t.Helper()
	r, err := s.Put(t.Context(), p.upload())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exported returns the hash of the zip that a store gives of a case.
func exported(t testing.TB, s *Store, id string) [sha256.Size]byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Export(t.Context(), id, &b); err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(b.Bytes())
}

// rewritten is a parcel whose case.json was changed by its sender.
func (p parcel) rewritten(t testing.TB, change func(*casefile.Case)) parcel {
	t.Helper()
	f, err := casefile.Dir(t.TempDir()).Import(bytes.NewReader(p.zip), int64(len(p.zip)))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(change); err != nil {
		t.Fatal(err)
	}
	return packed(t, f)
}
