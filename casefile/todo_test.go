package casefile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/flock"
)

// commitWith commits a case with tasks.
func commitWith(t *testing.T, dir string, tasks ...string) *Folder {
	t.Helper()
	w, err := Dir(dir).Create(newCase())
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
	list, err := Dir(dir).Untold()
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
	other, err := Open(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.TakeTodo(); !errors.Is(err, ErrTodoTaken) {
		t.Errorf("while its writer is at it, TakeTodo says %v, want ErrTodoTaken", err)
	}
	if err := Dir(dir).Remove(f.Case.ID); !errors.Is(err, flock.ErrInUse) {
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
	wantFiles(t, f.Path, ".lock", "case.json")
	if err := Dir(dir).Remove(f.Case.ID); err != nil {
		t.Error(err)
	}
}

// A case whose writer did not finish it still lists its tasks.
func TestTodoOfARecoveredCase(t *testing.T) {
	dir := t.TempDir()
	w, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetTodo("tell x"); err != nil {
		t.Fatal(err)
	}
	if got := untold(t, dir); len(got) != 0 {
		t.Errorf("untold are %q before the case is finished", got)
	}
	w.stage.close() // as the kernel does
	w.todo.file.Close()
	done, err := Dir(dir).Recover()
	if err != nil || len(done) != 1 {
		t.Fatalf("recovered %v, %v", done, err)
	}
	left, err := done[0].TakeTodo()
	if err != nil || !left.Has("tell x") {
		t.Fatalf("what is left is %v, %v", left, err)
	}
	if err := left.Release(); err != nil {
		t.Error(err)
	}
	var zip bytes.Buffer
	if err := Export(done[0], &zip); err != nil || bytes.Contains(zip.Bytes(), []byte(todoName)) {
		t.Errorf("the mark travels, or: %v", err)
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
	if err := Dir(dir).Remove(f.Case.ID); err != nil {
		t.Errorf("a folder in its place keeps the case from being removed: %v", err)
	}
}

func TestTodoRefuses(t *testing.T) {
	w, err := Dir(t.TempDir()).Create(newCase())
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
	if _, err := Dir(dir).Prune(Retention{MaxCases: 1}, opened); err != nil {
		t.Error(err)
	}
	wantCases(t, dir, newest, atWork, first)
	if err := errors.Join(left.Done("draw"), left.Release()); err != nil {
		t.Fatal(err)
	}
	p, err := Dir(dir).Prune(Retention{MaxCases: 1}, opened)
	if err != nil || !slices.Equal(p.Removed, []string{atWork.Case.ID}) {
		t.Errorf("once it is drawn the case stays: %+v, %v; %s went before", p, err, gone.Case.ID)
	}
}
