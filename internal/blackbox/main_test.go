package blackbox

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// sample is the i-th of a series, one per second.
func sample(i int) vitals.Sample {
	s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
	s.Set(vitals.Goroutines, float64(i))
	return s
}

func mustCreate(t testing.TB, cfg Config) *Recorder {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	r, err := Create(cfg)
	if errors.Is(err, ErrNoLock) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func mustAdd(t testing.TB, r *Recorder, samples ...vitals.Sample) {
	t.Helper()
	for i := range samples {
		if err := r.Add(&samples[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// abandon releases the lock, as the end of the process does, and leaves the ring.
func abandon(t testing.TB, r *Recorder) {
	t.Helper()
	ring, err := os.ReadFile(r.Path())
	if err := errors.Join(err, r.Close(), os.WriteFile(r.Path(), ring, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// mustFind wants exactly one ring.
func mustFind(t testing.TB, dir string) *Record {
	t.Helper()
	records, err := Find(dir)
	if err != nil || len(records) != 1 {
		t.Fatalf("Find = %d records, %v; want one", len(records), err)
	}
	t.Cleanup(records[0].Release)
	return records[0]
}

func wantFound(t testing.TB, dir string, want int) {
	t.Helper()
	records, err := Find(dir)
	if err != nil || len(records) != want {
		t.Errorf("Find = %d records, %v; want %d", len(records), err, want)
	}
	for _, r := range records {
		r.Release()
	}
}

// wantFiles wants n files in the folder.
func wantFiles(t testing.TB, dir string, n int) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != n {
		t.Errorf("the folder holds %v, %v; want %d files", list, err, n)
	}
}

func phones() casefile.Target {
	return casefile.Target{Name: "phones", PID: 4711, Limits: casefile.Limits{MemoryBytes: 512 << 20}}
}
