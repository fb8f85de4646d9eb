package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// The committed scripts are what their sources make: bytes.
func TestCommitted(t *testing.T) {
	for _, s := range scripts {
		made, err := s.build(root)
		if err != nil {
			t.Fatal(err)
		}
		have, err := os.ReadFile(filepath.Join(root, s.to))
		if err != nil || string(have) != string(made) {
			t.Errorf("%s is not what %s makes (%v): make web", s.to, s.from, err)
		}
	}
}

// Every source is in a script: one that nothing imports is not shipped, and nobody would notice.
func TestSources(t *testing.T) {
	used := make(map[string]bool)
	var follow func(file string)
	follow = func(file string) {
		if used[file] {
			return
		}
		used[file] = true
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.NewReplacer(`"`, "'").Replace(line)
			if _, name, ok := strings.Cut(line, " from './"); ok && strings.HasPrefix(line, "import ") {
				name, _, _ = strings.Cut(name, "'")
				follow(filepath.Join(filepath.Dir(file), name+".ts"))
			}
		}
	}
	for _, s := range scripts {
		follow(s.from)
	}
	for _, folder := range []string{"app/report/web", "app/server/web"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", folder, files, err)
		}
		for _, f := range files {
			if name := filepath.Join(folder, filepath.Base(f)); !used[name] {
				t.Errorf("no script has %s", name)
			}
		}
	}
}

// A source with a mistake is an error, and one that changes is noticed.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "app/report/web"), os.DirFS(filepath.Join(root, "app/report/web"))); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "app/server/web"), os.DirFS(filepath.Join(root, "app/server/web"))); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, true); err == nil || !strings.Contains(err.Error(), "main.js is not what") {
		t.Errorf("without a script: %v", err)
	}
	if err := run(dir, false); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, true); err != nil {
		t.Errorf("what was just built: %v", err)
	}
	fold := filepath.Join(dir, "app/report/web/fold.ts")
	text, err := os.ReadFile(fold)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"fold.open = true", "fold.open = false", "main.js is not what"},
		{"fold.open = true", "fold.open = ", "building app/report/web/main.ts"},
	} {
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if changed == string(text) {
			t.Fatalf("fold.ts has no %q", c.old)
		}
		if err := os.WriteFile(fold, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := run(dir, true); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %q: %v, want %q", c.new, err, c.want)
		}
	}
}
