package casefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// abandon leaves a case as a process does that is killed while it writes a second file.
func abandon(t *testing.T, dir string) string {
	t.Helper()
	w, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(evidence("a"), []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Path(), partPrefix+"X"), []byte("hal"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Path(), "unlisted"), []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.stage.close() // as the kernel does
	return w.ID()
}

func TestRecover(t *testing.T) {
	dir := t.TempDir()
	id := abandon(t, dir)
	alive, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	done, err := Dir(dir).Recover()
	if err != nil {
		t.Fatal(err)
	}
	if len(done) != 1 || done[0].Case.ID != id {
		t.Fatalf("Recover = %+v, want case %s alone", done, id)
	}
	c := wantVerified(t, done[0].Path).Case
	if len(c.Evidence) != 1 || c.Closed.IsZero() || len(c.Missing) != 1 ||
		!strings.Contains(c.Missing[0].Reason, "ended before the case was finished") {
		t.Errorf("the case is %+v", c)
	}
	wantFiles(t, filepath.Join(dir, id), ".lock", "a", "case.json", "unlisted")
	if err := done[0].Update(func(c *Case) { c.Tool = "next" }); err != nil {
		t.Error(err)
	}
	if _, err := alive.Commit(); err != nil {
		t.Errorf("Recover disturbed a living writer: %v", err)
	}
	if again, err := Dir(dir).Recover(); len(again) != 0 || err != nil {
		t.Errorf("a second Recover = %v, %v", again, err)
	}
}

func TestRecoverGoesOnAfterAnUnreadableCase(t *testing.T) {
	dir := t.TempDir()
	broken, good := abandon(t, dir), abandon(t, dir)
	path := filepath.Join(dir, tmpPrefix+broken)
	if err := os.WriteFile(filepath.Join(path, caseName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := Dir(dir).Recover()
	if len(done) != 1 || done[0].Case.ID != good {
		t.Errorf("Recover = %+v, want case %s", done, good)
	}
	if err == nil || !strings.Contains(err.Error(), "recovering case "+broken) ||
		!strings.Contains(err.Error(), "its evidence is kept in "+path) {
		t.Errorf("Recover: %v, want an error that names the case and its folder", err)
	}
	if _, err := os.Stat(filepath.Join(path, "a")); err != nil {
		t.Errorf("its evidence is gone: %v", err)
	}
}

func TestRecoverClearsOldScratch(t *testing.T) {
	dir := t.TempDir()
	held, err := newStage(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.close()
	old := filepath.Join(dir, scratchName+"old")
	young := filepath.Join(dir, scratchName+"young")
	for _, path := range []string{old, young} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * scratchAge)
	for _, path := range []string{old, held.path()} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Dir(dir).Recover(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{old: false, young: true, held.path(): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
}

func TestRecoverOfNothing(t *testing.T) {
	if done, err := Dir(filepath.Join(t.TempDir(), "none")).Recover(); len(done) != 0 || err != nil {
		t.Errorf("Recover = %v, %v", done, err)
	}
}

// What a process was writing when it died is removed. What a living process writes, and what is young, stays.
func TestRecoverClearsLeftovers(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-2 * time.Minute)
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, written := range map[string]time.Time{
		partPrefix + "dead": long, checkPrefix + "dead": long, partPrefix + "alive": long,
		partPrefix + "young": time.Now(), "notes.txt": long,
	} {
		if err := os.WriteFile(path(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path(name), written, written); err != nil {
			t.Fatal(err)
		}
	}
	writer, err := os.Open(path(partPrefix + "alive"))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if err := flock.Try(writer); errors.Is(err, flock.ErrUnsupported) {
		t.Skip("no locks here")
	} else if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path(tmpPrefix+NewID(time.Now(), "empty")), 0o700); err != nil {
		t.Fatal(err)
	}
	if done, err := Dir(dir).Recover(); len(done) != 0 || err != nil {
		t.Errorf("Recover = %v, %v, want no case of an empty folder and no word of it", done, err)
	}
	wantFiles(t, dir, partPrefix+"alive", partPrefix+"young", "notes.txt")
}
