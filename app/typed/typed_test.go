package typed

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// write makes files of a module.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// module makes one of a file that imports another package of the standard library.
func module(t *testing.T) (root string) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, map[string]string{
		"go.mod": "module example.com/typed\n\ngo 1.24\n",
		"a.go":   "package typed\n\nimport \"errors\"\n\nvar A = errors.New(\"\")\n",
	})
	return root
}

// load loads the module's package, and returns how often the go command was asked for it.
func load(t *testing.T, root, cache string) (p *Package, left []string, asked int) {
	t.Helper()
	l := &Loader{Root: root, Cache: cache, Limit: 10 * time.Minute}
	l.ask = func(ctx context.Context, patterns []string) ([]byte, error) { asked++; return l.askGo(ctx, patterns) }
	all, left := l.Load(t.Context(), []string{root})
	return all[root], left, asked
}

// TestHostileCache: what somebody else has written into the kept listing is read without a panic, and where it does not
// hold it is asked for again and replaced.
func TestHostileCache(t *testing.T) {
	root, cache := module(t), t.TempDir()
	load(t, root, cache)
	kept := (&Loader{Root: root, Cache: cache}).file()
	good, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	junk := filepath.Join(t.TempDir(), "junk")
	write(t, filepath.Dir(junk), map[string]string{"junk": "!<arch>\n__.PKGDEF\ngo object $$B\nu\xff\xff\n$$\n"})
	changed := func(change func(a *listing)) string {
		var a listing
		if err := json.Unmarshal(good, &a); err != nil {
			t.Fatal(err)
		}
		change(&a)
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	own := "example.com/typed"
	for name, c := range map[string]struct {
		text  string
		asked int
	}{
		"empty":         {"", 1},
		"cut":           {string(good[:len(good)/2]), 1},
		"null":          {"null", 1},
		"other shape":   {`[{"Of":1}]`, 1},
		"nothing in it": {changed(func(a *listing) { a.Of = nil }), 1},
		"null package":  {changed(func(a *listing) { a.Of["errors"] = nil }), 1},
		"device":        {changed(func(a *listing) { a.Of["errors"].Export = os.DevNull }), 1},
		"missing":       {changed(func(a *listing) { delete(a.Of, own) }), 1},
		"no types":      {changed(func(a *listing) { a.Of["errors"].Export = junk }), 0},
		"not imported":  {changed(func(a *listing) { delete(a.Of, "errors") }), 0},
		"itself": {changed(func(a *listing) {
			a.Of[own].ImportMap = map[string]string{"errors": own}
			a.Of[own].Export = a.Of["errors"].Export
		}), 0},
		"no such file": {changed(func(a *listing) { a.Of[own].CompiledGoFiles = []string{"no.go", "../../no.go"} }), 0},
	} {
		t.Run(name, func(t *testing.T) {
			write(t, cache, map[string]string{filepath.Base(kept): c.text})
			p, left, asked := load(t, root, cache)
			if asked != c.asked {
				t.Errorf("the go command was asked %d times, want %d", asked, c.asked)
			}
			if asked > 0 && (p == nil || p.Partial != "" || len(left) > 0) {
				t.Errorf("%+v, left out %q: it was asked, and nothing may be missing", p, left)
			}
			if p != nil && p.Partial == "" && p.Types.Scope().Lookup("A").Type().String() != "error" {
				t.Errorf("A is a %s", p.Types.Scope().Lookup("A").Type())
			}
		})
	}
}

// TestCacheWritten: of those who write at once one is read, whole; where none can be written the go command is asked,
// and nobody hears of it.
func TestCacheWritten(t *testing.T) {
	root, cache := module(t), t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			l := &Loader{Root: root, Cache: cache, Limit: 10 * time.Minute}
			if all, left := l.Load(t.Context(), []string{root}); all[root] == nil || len(left) > 0 {
				t.Errorf("%+v, left out %q", all[root], left)
			}
		})
	}
	wg.Wait()
	if entries, err := os.ReadDir(cache); err != nil || len(entries) != 1 {
		t.Errorf("%v are kept, %v; want one listing", entries, err)
	}
	if _, _, asked := load(t, root, cache); asked != 0 {
		t.Errorf("the go command was asked %d times, want none", asked)
	}
	write(t, root, map[string]string{"file": ""}) // which no folder can be below, for nobody
	for _, none := range []string{filepath.Join(root, "file"), filepath.Join(root, "file", "below")} {
		for range 2 {
			if p, left, asked := load(t, root, none); p == nil || p.Partial != "" || len(left) > 0 || asked != 1 {
				t.Errorf("%+v, left out %q, asked %d times; want once each time", p, left, asked)
			}
		}
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	if p, left, asked := load(t, root, closed); p == nil || p.Partial != "" || len(left) > 0 || asked != 1 {
		t.Errorf("%+v, left out %q, asked %d times; want once", p, left, asked)
	}
}

// TestCache: the go command is asked once, and again when a source file of the program, also of a package that it
// imports, or its go.mod is another; what types say is the same from what was kept.
func TestCache(t *testing.T) {
	t.Setenv("GOWORK", "off")
	root, cache := t.TempDir(), t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	write(t, root, map[string]string{
		"go.mod": "module example.com/typed\n\ngo 1.24\n",
		"a.go": "package typed\n\nimport (\n\t\"net/http\"\n\n\t\"example.com/typed/part\"\n)\n\n" +
			"var A, B = http.Get, part.N\n",
		"part/part.go": "package part\n\nconst N = 1\n",
	})
	asked := 0
	load := func(wantAsked int, wantB string) {
		t.Helper()
		l := &Loader{Root: root, Cache: cache, Limit: 10 * time.Minute}
		l.ask = func(ctx context.Context, patterns []string) ([]byte, error) { asked++; return l.askGo(ctx, patterns) }
		all, left := l.Load(t.Context(), []string{root})
		p := all[root]
		if p == nil || len(left) > 0 || p.Partial != "" {
			t.Fatalf("%+v is there, and left out is %q", p, left)
		}
		if got := p.Types.Scope().Lookup("B").Type().String(); got != wantB || asked != wantAsked {
			t.Errorf("B is a %s, and the go command was asked %d times; want %s, %d", got, asked, wantB, wantAsked)
		}
		if got := p.Types.Scope().Lookup("A").Type().String(); !strings.Contains(got, "*net/http.Response") {
			t.Errorf("A is a %s", got)
		}
	}
	load(1, "int")
	load(1, "int")
	write(t, root, map[string]string{"part/part.go": "package part\n\nconst N = \"one\"\n"})
	load(2, "string")
	write(t, root, map[string]string{"b.go": "package typed\n"})
	load(3, "string")
	load(3, "string")
	write(t, root, map[string]string{"go.mod": "module example.com/typed\n\ngo 1.25\n"})
	load(4, "string")
	entries, err := os.ReadDir(cache)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v are kept, %v; want one listing", entries, err)
	}
	write(t, cache, map[string]string{entries[0].Name(): "{"})
	load(5, "string")
}
