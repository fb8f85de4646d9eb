package built_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/internal/built"
)

// Two that ask at once get the same program, each by a file of its own, and other flags make another.
func TestProgram(t *testing.T) {
	dir, shared := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{
		"go.mod":  "module example.com/hello\n\ngo 1.25\n",
		"main.go": "package main\n\nvar word = \"hello\"\n\nfunc main() { print(word) }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv(built.Folder, shared)
	all := []struct {
		name, says string
		flags      []string
	}{{"a", "hello", nil}, {"b", "hello", nil}, {"c", "bye", []string{"-ldflags=-X main.word=bye"}}}
	var wg sync.WaitGroup
	for _, p := range all {
		wg.Go(func() {
			if err := built.Program(filepath.Join(dir, p.name), ".", []string{"GOWORK=off"}, p.flags...); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var infos []os.FileInfo
	for _, p := range all {
		if out, err := exec.Command(filepath.Join(dir, p.name)).CombinedOutput(); err != nil || string(out) != p.says {
			t.Errorf("%s says %q, %v; want %q", p.name, out, err, p.says)
		}
		info, err := os.Stat(filepath.Join(dir, p.name))
		if err != nil {
			t.Fatal(err)
		}
		infos = append(infos, info)
	}
	if !os.SameFile(infos[0], infos[1]) || os.SameFile(infos[0], infos[2]) {
		t.Error("a and b are not one program, or c is the same")
	}
	if err := built.Program(filepath.Join(dir, "d"), "./nothing", nil); err == nil {
		t.Error("what does not build is no error")
	}
}
