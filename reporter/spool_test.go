package reporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/flock"
)

func mustAdd(t *testing.T, s *spool, r Report) (dropped int) {
	t.Helper()
	_, dropped, err := s.add(t.Context(), r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	return dropped
}

// refuse marks a waiting case as refused by the server.
func refuse(t *testing.T, s *spool, r Report, status int) {
	t.Helper()
	root, err := s.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	items, err := s.waiting(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if it.id == r.Case.ID {
			if err := root.Rename(it.name(), it.refusedWith(status).name()); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("case %s does not wait", r.Case.ID)
}

// When there is too much, refused cases are dropped first, then the oldest. The newest stays.
func TestSpoolIsBounded(t *testing.T) {
	dir := t.TempDir()
	var all []Report
	for i := range 6 {
		all = append(all, mustCommit(t, dir, i, 100_000))
	}
	id := func(i int) string { return all[i].Case.ID }
	s := &spool{dir: t.TempDir(), most: 350_000} // three cases and a half
	for i := range 3 {
		if n := mustAdd(t, s, all[i]); n != 0 {
			t.Errorf("case %d: %d dropped, want none", i, n)
		}
	}
	refuse(t, s, all[1], 400)
	if n := mustAdd(t, s, all[3]); n != 1 {
		t.Errorf("%d dropped, want one", n)
	}
	wantFiles(t, s.dir, id(0)+".zip", id(2)+".zip", id(3)+".zip")
	if n := mustAdd(t, s, all[4]); n != 1 {
		t.Errorf("%d dropped, want one", n)
	}
	wantFiles(t, s.dir, id(2)+".zip", id(3)+".zip", id(4)+".zip")
}

func TestSpoolRefusesWhatIsLargerThanItself(t *testing.T) {
	dir := t.TempDir()
	s := &spool{dir: t.TempDir(), most: 50_000}
	small := mustCommit(t, dir, 1, 100)
	mustAdd(t, s, small)
	_, _, err := s.add(t.Context(), mustCommit(t, dir, 2, 100_000).Folder)
	if err == nil || !isFinal(err) || !strings.Contains(err.Error(), "larger than MaxSpoolBytes") {
		t.Errorf("add said %v", err)
	}
	wantFiles(t, s.dir, small.Case.ID+".zip")
}

// A case that got another finding is another item, and replaces its older version.
func TestSpoolReplacesOlderVersions(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	r := mustCommit(t, t.TempDir(), 1, 100)
	first, _, err := s.add(t.Context(), r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := s.add(t.Context(), r.Folder)
	if err != nil || again.key() != first.key() {
		t.Errorf("the same case has the keys %s and %s, %v", first.key(), again.key(), err)
	}
	wantFiles(t, s.dir, r.Case.ID+".zip")
	f, err := casefile.Open(r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(c *casefile.Case) { c.Findings = nil }); err != nil {
		t.Fatal(err)
	}
	later, dropped, err := s.add(t.Context(), r.Folder)
	if err != nil || dropped != 0 || later.key() == first.key() {
		t.Errorf("the changed case: key %s, %d dropped, %v; want another key than %s, none dropped", later.key(),
			dropped, err, first.key())
	}
	if _, err := os.Stat(filepath.Join(s.dir, later.name())); err != nil {
		t.Error(err)
	}
	wantFiles(t, s.dir, r.Case.ID+".zip")
}

func TestSpoolAddFails(t *testing.T) {
	dir := t.TempDir()
	damaged := mustCommit(t, dir, 1, 100)
	if err := os.WriteFile(filepath.Join(damaged.Folder, "during/cpu.pb.gz"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name, folder string
		ctx          context.Context
		final        bool
		want         string
	}{
		{"no such case", filepath.Join(dir, "gone"), t.Context(), true, "case.json"},
		{"a damaged case", damaged.Folder, t.Context(), false, "cut short or changed"},
		{"no time left", mustCommit(t, dir, 2, 100).Folder, ended, false, "context canceled"},
	} {
		s := &spool{dir: t.TempDir(), most: 1 << 20}
		_, _, err := s.add(tt.ctx, tt.folder)
		if err == nil || isFinal(err) != tt.final || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: add said %v (final %t), want %q in it (final %t)", tt.name, err, isFinal(err), tt.want,
				tt.final)
		}
		wantFiles(t, s.dir)
	}
}

// What a killed writer left is removed. What a living one writes and what belongs to somebody else stays.
func TestSpoolSweep(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	r := mustCommit(t, t.TempDir(), 1, 100)
	mustAdd(t, s, r)
	now := time.Now()
	for _, name := range []string{partPrefix + "dead", partPrefix + "alive", partPrefix + "young", "notes.txt",
		anID + ".zip"} {
		path, written := filepath.Join(s.dir, name), now.Add(-time.Hour)
		if name == partPrefix+"young" {
			written = now
		}
		if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
	}
	writer, err := os.Open(filepath.Join(s.dir, partPrefix+"alive"))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if !haveLocks(t) {
		t.Skip("no locks here")
	}
	if err := flock.Try(writer); err != nil {
		t.Fatal(err)
	}
	root, err := s.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := s.sweep(root, now); err != nil {
		t.Error(err)
	}
	wantFiles(t, s.dir, partPrefix+"alive", partPrefix+"young", r.Case.ID+".zip", anID+".zip", "notes.txt")
	if n := s.count(); n != 1 {
		t.Errorf("%d wait, want 1", n)
	}
}

// What disappears between listing and opening counts neither as a failure nor as a success.
func TestUploadOfWhatIsGone(t *testing.T) {
	c := newCourier(spool{dir: t.TempDir(), most: 1 << 20}, packCase, nil)
	root, err := c.spool.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := c.upload(t.Context(), root, item{id: anID, sum: aSum}); !errors.Is(err, errGone) {
		t.Errorf("upload said %v, want errGone", err)
	}
}

// The case with the fewest attempts goes first, among equals the oldest. What is gone is forgotten.
func TestPick(t *testing.T) {
	c := newCourier(spool{}, nil, nil)
	var waiting []item
	for i := range 3 {
		waiting = append(waiting, item{id: fmt.Sprintf("20261121T13251%dZ-gc-cpu-3f2a9c", i), sum: aSum})
	}
	for i, want := range []int{0, 1, 2, 0} {
		got := c.pick(waiting)
		if got != waiting[want] {
			t.Errorf("pick %d is %s, want %s", i, got.id, waiting[want].id)
		}
		c.failed(got)
	}
	if c.pick(waiting[2:]); len(c.tries) != 1 {
		t.Errorf("%d cases are remembered, want the one that still waits", len(c.tries))
	}
}

// A spool that another process sends from is left alone. One that cannot be used is reported.
func TestSpoolInUse(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	if !haveLocks(t) {
		t.Skip("no locks here")
	}
	err := s.locked(func(*os.Root) error {
		inner := s.locked(func(*os.Root) error { return errTest })
		if !errors.Is(inner, errElsewhere) {
			t.Errorf("the second said %v, want errElsewhere", inner)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := collectorOf(t, "http://127.0.0.1:1", filepath.Join(file, "spool"), nil)
	got := reportOf(t, r, mustCommit(t, t.TempDir(), 1, 10))
	if got.Failed == 0 || !strings.Contains(got.LastError, "not a directory") {
		t.Errorf("a spool below a file: %+v", got)
	}
}

// A case that is kept again after it was refused waits again. A refusal that may be from this very moment stays.
func TestSpoolKeepsARefusalOfTheSame(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	r := mustCommit(t, t.TempDir(), 1, 100)
	mustAdd(t, s, r)
	refuse(t, s, r, 400)
	mustAdd(t, s, r)
	wantFiles(t, s.dir, r.Case.ID+".refused-400.zip", r.Case.ID+".zip")
}

// haveLocks reports whether the file system of the tests has locks.
func haveLocks(t *testing.T) bool {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return !errors.Is(flock.Try(f), flock.ErrUnsupported)
}
