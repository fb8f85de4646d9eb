package casefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	var ids []string // newest first
	for i := range 3 {
		c := newCase()
		c.Opened = opened.Add(-time.Duration(i) * time.Hour)
		ids = append(ids, mustCommit(t, dir, c, map[string]string{"a": "a"}).Case.ID)
	}
	if err := os.WriteFile(filepath.Join(dir, ids[1], caseName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCase()
	c.Opened = opened.Add(time.Hour)
	w, err := Dir(dir).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"not-a-case", ".hidden", scratchName + "X"} {
		if err := os.Mkdir(filepath.Join(dir, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, NewID(opened, "a-file")), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	misnamed := NewID(opened.Add(-5*time.Hour), "misnamed")
	if err := os.CopyFS(filepath.Join(dir, misnamed), os.DirFS(filepath.Join(dir, ids[0]))); err != nil {
		t.Fatal(err)
	}

	list, err := Dir(dir).List()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		id         string
		unfinished bool
		err        string
	}{
		{w.ID(), true, ""},
		{ids[0], false, ""},
		{ids[1], false, "reading case.json: line 1: unexpected end"},
		{ids[2], false, ""},
		{misnamed, false, "the folder holds case " + ids[0]},
	}
	if len(list) != len(want) {
		t.Fatalf("List = %+v, want %d entries", list, len(want))
	}
	for i, e := range list {
		if e.ID != want[i].id || e.Unfinished != want[i].unfinished || (e.Err == nil) != (want[i].err == "") {
			t.Errorf("entry %d is %s, unfinished %v, %v, want %+v", i, e.ID, e.Unfinished, e.Err, want[i])
		}
		if e.Err != nil && !strings.Contains(e.Err.Error(), want[i].err) {
			t.Errorf("entry %d: %v, want an error with %q", i, e.Err, want[i].err)
		}
		if e.Err == nil && e.Case.ID != e.ID {
			t.Errorf("entry %d has case %q", i, e.Case.ID)
		}
	}
}

// A copy under a name of one's own is not listed, and is not passed over in silence either.
func TestMisnamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"before-the-fix", NewID(time.Now(), "heap"), "notes"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if name == "notes" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name, caseName), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Dir(dir).Misnamed(); err != nil || len(got) != 1 || got[0] != "before-the-fix" {
		t.Errorf("Misnamed = %q, %v, want before-the-fix", got, err)
	}
	if got, err := Dir(filepath.Join(dir, "none")).Misnamed(); err != nil || len(got) != 0 {
		t.Errorf("Misnamed of no folder = %q, %v", got, err)
	}
}

func TestListOfNothing(t *testing.T) {
	if list, err := Dir(filepath.Join(t.TempDir(), "none")).List(); len(list) != 0 || err != nil {
		t.Errorf("List = %v, %v, want nothing", list, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dir(file).List(); err == nil || !strings.Contains(err.Error(), "a part of the path is a file") {
		t.Errorf("List of a file: %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"20261121T132512Z-gc-cpu-aaaaaa", "20261121T132512Z-gc-cpu-bbbbbb",
		"20261122T000000Z-p99-cccccc"} {
		c := newCase()
		c.ID = id
		mustCommit(t, dir, c, nil)
	}
	for _, tt := range []struct{ prefix, want, err string }{
		{"20261122", "20261122T000000Z-p99-cccccc", ""},
		{"20261121T132512Z-gc-cpu-b", "20261121T132512Z-gc-cpu-bbbbbb", ""},
		{"20261121T132512Z-gc-cpu-aaaaaa", "20261121T132512Z-gc-cpu-aaaaaa", ""},
		{"20261121", "", "it matches 20261121T132512Z-gc-cpu-bbbbbb, 20261121T132512Z-gc-cpu-aaaaaa: give more of " +
			"the ID"},
		{"", "", "it matches"},
		{"../", "", "no case ID starts with that"},
		{"20261121T132512Z-gc-cpu-aaaaaa/", "", "no case ID starts with that"},
	} {
		e, err := Dir(dir).Find(tt.prefix)
		if e.ID != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("Find(%q) = %q, %v, want %q, %q", tt.prefix, e.ID, err, tt.want, tt.err)
		}
		if err == nil && e.Case.ID != tt.want {
			t.Errorf("Find(%q) read case %q", tt.prefix, e.Case.ID)
		}
	}
	if _, err := Dir(dir).Find("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Find of nothing: %v, want fs.ErrNotExist", err)
	}
}

func TestFindNamesAFewCandidates(t *testing.T) {
	dir := t.TempDir()
	for range 8 {
		mustCommit(t, dir, newCase(), nil)
	}
	if _, err := Dir(dir).Find("2026"); err == nil || !strings.Contains(err.Error(), ", 3 more: give more") {
		t.Errorf("Find: %v", err)
	}
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	f := mustCommit(t, dir, newCase(), map[string]string{"during/a": "a"})
	broken := mustCommit(t, dir, newCase(), nil)
	if err := os.WriteFile(filepath.Join(broken.Path, caseName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{f.Case.ID, broken.Case.ID} {
		if err := Dir(dir).Remove(id); err != nil {
			t.Error(err)
		}
	}
	wantFiles(t, dir)
	if err := Dir(dir).Remove(f.Case.ID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removing it twice: %v, want fs.ErrNotExist", err)
	}
}

func TestRemoveStaysInside(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(top, "outside", "kept")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "cases")
	f := mustCommit(t, dir, newCase(), nil)
	linked := NewID(opened, "link")
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, linked)); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(f.Path, "link")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", ".", "..", "../outside", "../cases/" + f.Case.ID, linked} {
		if err := Dir(dir).Remove(id); err == nil {
			t.Errorf("Remove(%q) went well", id)
		}
	}
	if err := Dir(dir).Remove(f.Case.ID); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("what a link pointed to is gone: %v", err)
	}
}

func TestRemoveRefusesWhatIsBeingWritten(t *testing.T) {
	dir := t.TempDir()
	w, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := Dir(dir).Remove(w.ID()); !errors.Is(err, flock.ErrInUse) {
		t.Errorf("Remove: %v, want %v", err, flock.ErrInUse)
	}
	if _, err := w.Commit(); err != nil {
		t.Error(err)
	}
}
