package casefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "cases")
	w, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Base(w.Path()) != tmpPrefix+w.ID() {
		t.Errorf("the unfinished case is in %s", w.Path())
	}
	cpu := bytes.Repeat([]byte("cpu"), 1000)
	if err := w.Add(evidence("during/cpu.pb.gz"), cpu); err != nil {
		t.Fatal(err)
	}
	w.Missing(Mutex, During, "the target has no mutex profile")
	if err := w.Update(func(c *Case) { c.Findings = []Finding{{ID: "GC001", Score: 80}} }); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if f.Path != filepath.Join(dir, w.ID()) || w.Path() != f.Path {
		t.Errorf("the case is in %s, the writer says %s", f.Path, w.Path())
	}

	got := wantVerified(t, f.Path).Case
	if got.Schema != 1 || got.Closed.IsZero() || got.Target.Name != "phones" || len(got.Missing) != 1 ||
		got.Findings[0].ID != "GC001" {
		t.Errorf("case.json has %+v", got)
	}
	if e := got.Evidence[0]; e.Bytes != 3000 || e.Kind != CPU || e.Seconds != 5 {
		t.Errorf("evidence is %+v", e)
	}
	if data, err := f.Read("during/cpu.pb.gz"); err != nil || !bytes.Equal(data, cpu) {
		t.Errorf("Read = %d bytes, %v", len(data), err)
	}
	wantModes(t, dir)
	wantFiles(t, f.Path, ".lock", "case.json", "during")
}

// wantModes fails unless all folders are 0700 and all files 0600.
func wantModes(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if err == nil && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// wantFiles fails unless dir has exactly these entries.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

func TestAddFailures(t *testing.T) {
	for _, tt := range []struct{ name, file, data, want string }{
		{"empty", "empty.pb.gz", "", "0 bytes"},
		{"traversal", "../x", "x", `"../x"`},
		{"taken", "first", "x", "already taken"},
		{"case.json", "case.json", "x", "already taken"},
		{"under a file", "first/x", "x", `"first" is a file`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			w, err := Dir(dir).Create(newCase())
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Add(evidence("first"), []byte("1")); err != nil {
				t.Fatal(err)
			}
			err = w.Add(Evidence{File: tt.file, Kind: Heap, Phase: After}, []byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), w.ID()) {
				t.Errorf("Add: %v, want an error with %s and the case's ID", err, tt.want)
			}
			f, err := w.Commit()
			if err != nil {
				t.Fatal(err)
			}
			c := wantVerified(t, f.Path).Case
			if len(c.Evidence) != 1 || len(c.Missing) != 1 || c.Missing[0].Kind != Heap ||
				c.Missing[0].Phase != After || !strings.Contains(c.Missing[0].Reason, tt.want) {
				t.Errorf("evidence %+v, missing %+v", c.Evidence, c.Missing)
			}
			wantFiles(t, f.Path, ".lock", "case.json", "first")
			wantFiles(t, dir, f.Case.ID)
		})
	}
}

func TestWriterIsSafeForConcurrentUse(t *testing.T) {
	w, err := Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	const n = 8
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := w.Add(evidence(fmt.Sprintf("f%d", i)), bytes.Repeat([]byte{'x'}, 1+i*1000)); err != nil {
				t.Error(err)
			}
			w.Missing(Block, During, fmt.Sprint(i))
			err := w.Update(func(c *Case) { c.Findings = append(c.Findings, Finding{ID: fmt.Sprint(i)}) })
			if err != nil {
				t.Error(err)
			}
			_ = w.Add(evidence("same"), []byte("one of them wins"))
		})
	}
	wg.Wait()
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	c := wantVerified(t, f.Path).Case
	if len(c.Evidence) != n+1 || len(c.Missing) != n+n-1 || len(c.Findings) != n {
		t.Errorf("%d files, %d missing, %d findings, want %d, %d, %d", len(c.Evidence), len(c.Missing), len(c.Findings),
			n+1, 2*n-1, n)
	}
}

func TestCommitWaitsForAdds(t *testing.T) {
	for range 20 {
		w, err := Dir(t.TempDir()).Create(newCase())
		if err != nil {
			t.Fatal(err)
		}
		w.disk.Lock() // blocks the Add halfway
		added := make(chan error)
		go func() { added <- w.Add(evidence("late"), []byte("late")) }()
		for taken := false; !taken; runtime.Gosched() {
			w.mu.Lock()
			taken = w.names["late"]
			w.mu.Unlock()
		}
		committed := make(chan *Folder)
		go func() {
			f, err := w.Commit()
			if err != nil {
				t.Error(err)
			}
			committed <- f
		}()
		for open := true; open; runtime.Gosched() {
			w.mu.Lock()
			open = w.open
			w.mu.Unlock()
		}
		w.disk.Unlock()
		if err := <-added; err != nil {
			t.Errorf("an Add that was under way: %v", err)
		}
		f := <-committed
		if f == nil {
			return
		}
		if c := wantVerified(t, f.Path).Case; len(c.Evidence) != 1 {
			t.Errorf("the case has %d files, want 1", len(c.Evidence))
		}
	}
}

func TestAfterCommit(t *testing.T) {
	w, err := Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	_, commit := w.Commit()
	for name, err := range map[string]error{
		"Add": w.Add(evidence("x"), []byte("x")), "Update": w.Update(func(*Case) {}), "Commit": commit,
	} {
		if err == nil || !strings.Contains(err.Error(), "already committed") {
			t.Errorf("%s after Commit: %v", name, err)
		}
	}
	w.Missing(CPU, During, "too late")
	wantFiles(t, f.Path, ".lock", "case.json")
}

func TestUpdateRefuses(t *testing.T) {
	for name, change := range map[string]func(*Case){
		"another ID":      func(c *Case) { c.ID = NewID(opened, "other") },
		"another schema":  func(c *Case) { c.Schema = 2 },
		"no file":         func(c *Case) { c.Evidence = nil },
		"one file more":   func(c *Case) { c.Evidence = append(c.Evidence, c.Evidence...) },
		"another file":    func(c *Case) { c.Evidence[0].File = "other" },
		"another content": func(c *Case) { c.Evidence[0].SHA256 = someSum },
		"too much":        func(c *Case) { c.Evidence[0].Note = strings.Repeat("x", maxCaseBytes) },
	} {
		t.Run(name, func(t *testing.T) {
			w, err := Dir(t.TempDir()).Create(newCase())
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Add(evidence("cpu"), []byte("1")); err != nil {
				t.Fatal(err)
			}
			if err := w.Update(change); err == nil {
				t.Error("Writer.Update accepts it")
			}
			f, err := w.Commit()
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Update(change); err == nil {
				t.Error("Folder.Update accepts it")
			}
			if c := wantVerified(t, f.Path).Case; c.ID != w.ID() || len(c.Evidence) != 1 || c.Evidence[0].Note != "" {
				t.Errorf("the case was changed: %+v", c)
			}
		})
	}
}

func TestUpdateKeepsNoMemoryOfItsCaller(t *testing.T) {
	w, err := Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	mine := []Finding{{ID: "GC001"}}
	if err := w.Update(func(c *Case) { c.Findings = mine }); err != nil {
		t.Fatal(err)
	}
	mine[0].ID = "changed later"
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Case.Findings[0].ID; got != "GC001" {
		t.Errorf("the finding is %q, want GC001", got)
	}
}

func TestCreateRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	bad := newCase()
	bad.ID = "../x"
	full := newCase()
	full.Evidence = []Evidence{evidence("a")}
	for _, tt := range []struct {
		name, dir string
		c         Case
		want      string
		place     bool // the folder itself is broken
		skip      bool
	}{
		{"a file", file, newCase(), "is a file, not a folder: give another path", true, false},
		{"under a file", filepath.Join(file, "cases"), newCase(), "is a file, not a folder: give another path", true,
			false},
		{"no folder", "", newCase(), "no folder for cases was given", true, false},
		{"no permission", closed, newCase(), "no permission: run as", true,
			os.Getuid() == 0 || runtime.GOOS == "windows"},
		{"bad ID", t.TempDir(), bad, "is not the ID of a case", false, false},
		{"with evidence", t.TempDir(), full, "has no evidence yet", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.skip {
				t.Skip("permissions do not bind this user")
			}
			if err := Dir(tt.dir).Check(); (err != nil) != tt.place {
				t.Errorf("Check: %v", err)
			}
			if _, err := Dir(tt.dir).Create(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Create: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestCreateNeverUsesAFolderTwice(t *testing.T) {
	dir := t.TempDir()
	c := newCase()
	c.ID = NewID(opened, "x")
	w, err := Dir(dir).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Dir(dir).Create(c); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second Create of an unfinished case: %v", err)
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := Dir(dir).Create(c); err == nil {
		t.Error("a second Create of a finished case went well")
	}
	wantFiles(t, dir, c.ID)
}

func TestFailedCommitCanBeRepeated(t *testing.T) {
	dir := t.TempDir()
	w, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(evidence("a"), []byte("a")); err != nil {
		t.Fatal(err)
	}
	obstacle := filepath.Join(dir, w.ID())
	if err := os.Mkdir(obstacle, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = w.Commit()
	if err == nil || !strings.Contains(err.Error(), "its evidence is kept in "+w.Path()) {
		t.Errorf("Commit: %v, want an error that says where the evidence is", err)
	}
	wantVerified(t, w.Path())
	if err := os.Remove(obstacle); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(evidence("b"), []byte("b")); err != nil {
		t.Errorf("Add after a failed Commit: %v", err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if c := wantVerified(t, f.Path).Case; len(c.Evidence) != 2 {
		t.Errorf("%d files, want 2", len(c.Evidence))
	}
}
