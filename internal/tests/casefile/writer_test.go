package casefile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/filetest"
	"github.com/gocasebook/casebook/internal/flock"
)

func TestWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "cases")
	w, err := casefile.Dir(dir).Create(newCase())
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
	w.Missing(casefile.Mutex, casefile.During, "the target has no mutex profile")
	if err := w.Update(func(c *casefile.Case) { c.Findings = []casefile.Finding{{ID: "GC001", Score: 80}} }); err != nil {
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
	if e := got.Evidence[0]; e.Bytes != 3000 || e.Kind != casefile.CPU || e.Seconds != 5 {
		t.Errorf("evidence is %+v", e)
	}
	if data, err := f.Read("during/cpu.pb.gz"); err != nil || !bytes.Equal(data, cpu) {
		t.Errorf("Read = %d bytes, %v", len(data), err)
	}
	filetest.WantPrivate(t, dir)
	filetest.Want(t, f.Path, ".lock", "case.json", "during")
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
			w, err := casefile.Dir(dir).Create(newCase())
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Add(evidence("first"), []byte("1")); err != nil {
				t.Fatal(err)
			}
			err = w.Add(casefile.Evidence{File: tt.file, Kind: casefile.Heap, Phase: casefile.After}, []byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), w.ID()) {
				t.Errorf("Add: %v, want an error with %s and the case's ID", err, tt.want)
			}
			f, err := w.Commit()
			if err != nil {
				t.Fatal(err)
			}
			c := wantVerified(t, f.Path).Case
			if len(c.Evidence) != 1 || len(c.Missing) != 1 || c.Missing[0].Kind != casefile.Heap ||
				c.Missing[0].Phase != casefile.After || !strings.Contains(c.Missing[0].Reason, tt.want) {
				t.Errorf("evidence %+v, missing %+v", c.Evidence, c.Missing)
			}
			filetest.Want(t, f.Path, ".lock", "case.json", "first")
			filetest.Want(t, dir, f.Case.ID)
		})
	}
}

func TestWriterIsSafeForConcurrentUse(t *testing.T) {
	w, err := casefile.Dir(t.TempDir()).Create(newCase())
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
			w.Missing(casefile.Block, casefile.During, fmt.Sprint(i))
			err := w.Update(func(c *casefile.Case) { c.Findings = append(c.Findings, casefile.Finding{ID: fmt.Sprint(i)}) })
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

func TestAfterCommit(t *testing.T) {
	w, err := casefile.Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	_, commit := w.Commit()
	for name, err := range map[string]error{
		"Add": w.Add(evidence("x"), []byte("x")), "Update": w.Update(func(*casefile.Case) {}), "Commit": commit,
	} {
		if err == nil || !strings.Contains(err.Error(), "already committed") {
			t.Errorf("%s after Commit: %v", name, err)
		}
	}
	w.Missing(casefile.CPU, casefile.During, "too late")
	filetest.Want(t, f.Path, ".lock", "case.json")
}

func TestUpdateRefuses(t *testing.T) {
	for name, change := range map[string]func(*casefile.Case){
		"another ID":      func(c *casefile.Case) { c.ID = casefile.NewID(opened, "other") },
		"another schema":  func(c *casefile.Case) { c.Schema = 2 },
		"no file":         func(c *casefile.Case) { c.Evidence = nil },
		"one file more":   func(c *casefile.Case) { c.Evidence = append(c.Evidence, c.Evidence...) },
		"another file":    func(c *casefile.Case) { c.Evidence[0].File = "other" },
		"another content": func(c *casefile.Case) { c.Evidence[0].SHA256 = someSum },
		"too much":        func(c *casefile.Case) { c.Evidence[0].Note = strings.Repeat("x", maxCaseBytes) },
	} {
		t.Run(name, func(t *testing.T) {
			w, err := casefile.Dir(t.TempDir()).Create(newCase())
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
	w, err := casefile.Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	mine := []casefile.Finding{{ID: "GC001"}}
	if err := w.Update(func(c *casefile.Case) { c.Findings = mine }); err != nil {
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
	full.Evidence = []casefile.Evidence{evidence("a")}
	for _, tt := range []struct {
		name, dir string
		c         casefile.Case
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
			if err := casefile.Dir(tt.dir).Check(); (err != nil) != tt.place {
				t.Errorf("Check: %v", err)
			}
			if _, err := casefile.Dir(tt.dir).Create(tt.c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Create: %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestCreateNeverUsesAFolderTwice(t *testing.T) {
	dir := t.TempDir()
	c := newCase()
	c.ID = casefile.NewID(opened, "x")
	w, err := casefile.Dir(dir).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := casefile.Dir(dir).Create(c); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second Create of an unfinished case: %v", err)
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	if _, err := casefile.Dir(dir).Create(c); err == nil {
		t.Error("a second Create of a finished case went well")
	}
	filetest.Want(t, dir, c.ID)
}

func TestFailedCommitCanBeRepeated(t *testing.T) {
	dir := t.TempDir()
	w, err := casefile.Dir(dir).Create(newCase())
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

// commitWith commits a case with tasks.
func commitWith(t *testing.T, dir string, tasks ...string) *casefile.Folder {
	t.Helper()
	w, err := casefile.Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetTodo(tasks...); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func untold(t *testing.T, dir string) []string {
	t.Helper()
	list, err := casefile.Dir(dir).Untold()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	return ids
}

// A task is stored with the case's name, belongs to the process that committed it, and is removed when it is done.
func TestTodo(t *testing.T) {
	dir := t.TempDir()
	f := commitWith(t, dir, "diagnose", "tell a b")
	if got := untold(t, dir); !slices.Equal(got, []string{f.Case.ID}) {
		t.Errorf("untold are %q, want the case", got)
	}
	other, err := casefile.Open(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.TakeTodo(); !errors.Is(err, casefile.ErrTodoTaken) {
		t.Errorf("while its writer is at it, TakeTodo says %v, want ErrTodoTaken", err)
	}
	if err := casefile.Dir(dir).Remove(f.Case.ID); !errors.Is(err, flock.ErrInUse) {
		t.Errorf("while its writer is at it, Remove says %v, want a refusal", err)
	}
	mine, err := f.TakeTodo()
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.Done("diagnose"); err != nil {
		t.Fatal(err)
	}
	if err := mine.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := other.TakeTodo()
	if err != nil || !slices.Equal(again.Left(), []string{"tell a b"}) || again.Has("diagnose") {
		t.Fatalf("what is left is %v, %v; want one task", again, err)
	}
	if err := errors.Join(again.Done("tell a b"), again.Release()); err != nil {
		t.Fatal(err)
	}
	if last, err := other.TakeTodo(); last != nil || err != nil || len(untold(t, dir)) != 0 {
		t.Errorf("after all is done: %v, %v, untold %q", last, err, untold(t, dir))
	}
	filetest.Want(t, f.Path, ".lock", "case.json")
	if err := casefile.Dir(dir).Remove(f.Case.ID); err != nil {
		t.Error(err)
	}
}

// A damaged mark breaks nothing, and the tasks that can still be read from it are done.
func TestTodoThatIsDamaged(t *testing.T) {
	dir := t.TempDir()
	f := commitWith(t, dir)
	for text, want := range map[string][]string{
		"":                            nil,
		"\x00\x00\x00":                nil,
		"- diagnose":                  {"diagnose"},
		"x diagnose\nrubbish\n- tell": {"tell"},
	} {
		if held, err := f.TakeTodo(); held != nil {
			if err := held.Release(); err != nil {
				t.Fatal(err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(f.Path, todoName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := f.TakeTodo()
		if err != nil || !slices.Equal(got.Left(), want) {
			t.Errorf("%q: left %v, %v; want %q", text, got, err, want)
			continue
		}
		for _, task := range got.Left() {
			if err := got.Done(task); err != nil {
				t.Error(err)
			}
		}
		if err := got.Release(); err != nil {
			t.Error(err)
		}
	}
	if err := os.Mkdir(filepath.Join(f.Path, todoName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.TakeTodo(); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder in its place: %v", err)
	}
	if err := casefile.Dir(dir).Remove(f.Case.ID); err != nil {
		t.Errorf("a folder in its place keeps the case from being removed: %v", err)
	}
}

func TestTodoRefuses(t *testing.T) {
	w, err := casefile.Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", "two\nlines", strings.Repeat("x", 201)} {
		if err := w.SetTodo(bad); err == nil {
			t.Errorf("%q is taken for a task", bad)
		}
	}
	if _, err := w.Commit(); err != nil {
		t.Error(err)
	}
}

// Pruning by another process leaves a case alone while its page is being drawn.
func TestPruneSparesACaseAtWork(t *testing.T) {
	dir := t.TempDir()
	first, atWork := caseAgo(t, dir, 9, 80, mib), caseAgo(t, dir, 8, 30, mib)
	gone, newest := caseAgo(t, dir, 7, 30, mib), caseAgo(t, dir, 1, 30, mib)
	left, err := atWork.AddTodo("draw")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := casefile.Dir(dir).Prune(casefile.Retention{MaxCases: 1}, opened); err != nil {
		t.Error(err)
	}
	wantCases(t, dir, newest, atWork, first)
	if err := errors.Join(left.Done("draw"), left.Release()); err != nil {
		t.Fatal(err)
	}
	p, err := casefile.Dir(dir).Prune(casefile.Retention{MaxCases: 1}, opened)
	if err != nil || !slices.Equal(p.Removed, []string{atWork.Case.ID}) {
		t.Errorf("once it is drawn the case stays: %+v, %v; %s went before", p, err, gone.Case.ID)
	}
}
