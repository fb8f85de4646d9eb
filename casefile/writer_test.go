package casefile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/filetest"
)

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

// sampleCase is a valid case in which no field of any type is zero.
func sampleCase() Case {
	var c Case
	filetest.Fill(reflect.ValueOf(&c).Elem(), opened)
	c.Schema, c.ID = Schema, "20261121T132512Z-gc-cpu-3f2a9c"
	for i := range c.Evidence {
		e := &c.Evidence[i]
		e.File, e.Bytes, e.SHA256 = fmt.Sprintf("during/cpu-%d.pb.gz", i), 1, someSum
	}
	return c
}

func TestStateDamaged(t *testing.T) {
	for name, data := range map[string][]byte{
		"cut":   []byte(`{"n":`),
		"huge":  make([]byte, maxState+1),
		"empty": nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, stateName("shop")), data, fileMode); err != nil {
				t.Fatal(err)
			}
			var got map[string]int
			found, err := Dir(dir).LoadState("shop", &got)
			if found || err == nil || !strings.Contains(err.Error(), "starts again") {
				t.Errorf("LoadState = %v, %v; want an error that says what happens now", found, err)
			}
			if err := Dir(dir).SaveState("shop", map[string]int{"n": 1}); err != nil {
				t.Errorf("a damaged state cannot be replaced: %v", err)
			}
		})
	}
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
