package blackbox_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/vitals"
)

// What the package does not export, and promises by its files or limits.
const (
	maxRings   = 16
	ringPrefix = ".blackbox-"
	slotSize   = 64 << 10
)

// childVar makes this test binary play a role in a test that needs another process. Its value is the name of the role.
const childVar = "BLACKBOX_TEST_CHILD"

func TestMain(m *testing.M) {
	switch part := os.Getenv(childVar); part {
	case "write":
		os.Exit(childResult(writeWithoutEnd(os.Args[1])))
	case "eat":
		os.Exit(childResult(eatMemory(os.Args[1])))
	default: // none, or a test that runs itself again in another environment
		os.Exit(m.Run())
	}
}

func childResult(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// sample is the i-th of a series, one per second.
func sample(i int) vitals.Sample {
	s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
	s.Set(vitals.Goroutines, float64(i))
	return s
}

func mustCreate(t testing.TB, cfg blackbox.Config) *blackbox.Recorder {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	r, err := blackbox.Create(cfg)
	if errors.Is(err, blackbox.ErrNoLock) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func mustAdd(t testing.TB, r *blackbox.Recorder, samples ...vitals.Sample) {
	t.Helper()
	for i := range samples {
		if err := r.Add(&samples[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// mustFind wants exactly one ring.
func mustFind(t testing.TB, dir string) *blackbox.Record {
	t.Helper()
	records, err := blackbox.Find(dir)
	if err != nil || len(records) != 1 {
		t.Fatalf("Find = %d records, %v; want one", len(records), err)
	}
	t.Cleanup(records[0].Release)
	return records[0]
}

func wantFound(t testing.TB, dir string, want int) {
	t.Helper()
	records, err := blackbox.Find(dir)
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

// abandon releases the lock, as the end of the process does, and leaves the ring.
func abandon(t testing.TB, r *blackbox.Recorder) {
	t.Helper()
	ring, err := os.ReadFile(r.Path())
	if err := errors.Join(err, r.Close(), os.WriteFile(r.Path(), ring, 0o600)); err != nil {
		t.Fatal(err)
	}
}
