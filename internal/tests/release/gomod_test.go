package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRequire(t *testing.T) {
	const others = "require github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe\n"
	for _, c := range []struct {
		name, mod, want string
		changed, fails  bool
	}{
		{name: "the root module", mod: "module " + root + "\n\n" + others, want: others},
		{name: "a module that replaces the root", changed: true,
			mod:  "module " + root + "/app\n\n" + others + "require " + root + " v0.0.0\nreplace " + root + " => ../\n",
			want: "require " + root + " v0.4.0"},
		{name: "a module that replaces two", changed: true,
			mod: "module " + root + "/lab\n\n" + others + "require " + root + " v0.0.0\nrequire " + root +
				"/app v0.0.0\n" +
				"replace (\n\t" + root + " => ../\n\t" + root + "/app => ../app\n)\n",
			want: "require " + root + "/app v0.4.0"},
		{name: "a module whose name only begins as ours", want: "require " + root + "s v0.1.0",
			mod: "module " + root + "/app\n\nrequire " + root + "s v0.1.0\n"},
		{name: "a module that replaces somebody else's", fails: true,
			mod: "module " + root + "/app\n\n" + others + "replace github.com/google/pprof => ../pprof\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "go.mod")
			if err := os.WriteFile(file, []byte(c.mod), 0o600); err != nil {
				t.Fatal(err)
			}
			changed, err := require(t.Context(), dir, "v0.4.0")
			if changed != c.changed || (err != nil) != c.fails {
				t.Fatalf("changed %v, error %v; want %v, failure %v", changed, err, c.changed, c.fails)
			}
			got, _ := os.ReadFile(file)
			if text := string(got); !c.fails && (strings.Contains(text, "replace") || !strings.Contains(text, c.want)) {
				t.Errorf("go.mod is\n%s\nwant %q in it and no replace", text, c.want)
			}
		})
	}
}
