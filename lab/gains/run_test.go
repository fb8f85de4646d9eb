package gains

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// driver is a driver of a module of the test's: each operation allocates.
const driver = `package main

import "example.com/waste"

func work() func() { return func() { sink = waste.Make() } }
`

// release is the module, whose Make allocates that many bytes.
func release(size string) map[string]string {
	return map[string]string{
		"go.mod":             "module example.com/waste\n\ngo 1.20\n",
		"waste.go":           "package waste\n\nfunc Make() []byte { return make([]byte, " + size + ") }\n",
		"waste_test.go":      "package waste\n\nthis is no Go\n",
		"vendor/modules.txt": "# not wanted\n",
	}
}

// TestRun builds two releases of a module, measures and profiles them, and judges what was stored.
func TestRun(t *testing.T) {
	ctx, p := context.Background(), Pair{Name: "waste", Module: "example.com/waste", Functions: []string{"Make"}}
	drivers := t.TempDir()
	files(t, drivers, map[string]string{"drivers.txtar": "-- waste.go --\n" + driver})
	if err := copyFile(filepath.Join(drivers, "harness.go"), "testdata/harness.go"); err != nil {
		t.Fatal(err)
	}
	b := Builder{Drivers: drivers, Dir: t.TempDir()}
	var bins []string
	for _, size := range []string{"40 << 10", "4 << 10"} {
		source, dir := t.TempDir(), filepath.Join(b.Dir, size)
		files(t, source, release(size))
		if err := b.copyModule(dir, source, p); err != nil {
			t.Fatal(err)
		}
		if err := compile(ctx, dir, dir+".bin"); err != nil {
			t.Fatal(err)
		}
		bins = append(bins, dir+".bin")
	}
	e := Effort{Rounds: 1, Round: 20 * time.Millisecond, Profile: 200 * time.Millisecond}
	truth, err := e.Measure(ctx, bins[0], bins[1])
	if err != nil {
		t.Fatal(err)
	}
	// 40 KiB and 4 KiB an operation; the harness allocates a little, once
	if len(truth.Saved) != 1 || truth.Before.Bytes < 40<<10 || truth.Garbage() < 0.5 {
		t.Errorf("measured %+v: want a round, 40 KiB an operation, and most of it saved", truth)
	}
	store(ctx, t, e, p, truth, bins[0])
}

// store records what was measured and reads it again.
func store(ctx context.Context, t *testing.T, e Effort, p Pair, truth Truth, bin string) {
	t.Helper()
	recorded, err := e.Record(ctx, p, truth, bin)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"cpu.pb.gz", "heap.pb.gz", "heap-after.pb.gz", "manifest.json", truthFile} {
		if len(recorded[f]) == 0 {
			t.Errorf("%s was not recorded", f)
		}
	}
	j, err := Stored(ctx, p, recorded)
	if err != nil || j.Truth.Before.Bytes != truth.Before.Bytes {
		t.Errorf("read again: %+v, %v", j.Truth, err)
	}
}

func files(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
