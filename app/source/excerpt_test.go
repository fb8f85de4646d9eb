package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/casefile"
)

// built is the file as the program was built of it, and after is what became of it.
const (
	built = "package pay\n\nfunc F() {\n\tslow()\n}\n"
	after = "package pay\n\n// F is new here.\nfunc F() {\n\tquick()\n\tslow()\n}\n"
)

// repository makes a module in a folder of a repository with two commits, and returns the first one's name.
func repository(t *testing.T) (dir, first string) {
	t.Helper()
	repo := t.TempDir()
	dir = filepath.Join(repo, "svc")
	git := func(args ...string) string {
		out, err := tool.Run(t.Context(), repo, "git", append([]string{"-c", "user.name=a",
			"-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	if err := os.CopyFS(repo, fstest.MapFS{"svc/go.mod": {Data: []byte("module example.com/shop\n")},
		"svc/pay/a.go": {Data: []byte(built)}}); err != nil {
		t.Fatal(err)
	}
	git("add", ".")
	git("commit", "-qm", "one")
	first = git("rev-parse", "HEAD")
	write(t, filepath.Join(dir, "pay", "a.go"), after)
	git("commit", "-qam", "two")
	return dir, first
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLinesAsBuilt: lines are those of the revision of the build where the repository has it, and what makes them
// doubtful is said.
func TestLinesAsBuilt(t *testing.T) {
	dir, first := repository(t)
	for _, c := range []struct {
		name  string
		build casefile.Build
		line  int
		want  string // the line
		note  string // a part; "": there is none
	}{
		{"the revision of the build", casefile.Build{Revision: first}, 4, "\tslow()", ""},
		{"abbreviated", casefile.Build{Revision: first[:10]}, 4, "\tslow()", ""},
		{"with changes", casefile.Build{Revision: first, Modified: true}, 4, "\tslow()", "with changes"},
		{"a revision that is not here", casefile.Build{Revision: strings.Repeat("0a", 20)}, 6, "\tslow()",
			"does not have revision 0a0a0a0a0a0a"},
		{"no revision", casefile.Build{}, 6, "\tslow()", "does not say of which"},
		{"a revision that is an option of git", casefile.Build{Revision: "--upload-pack=touch /tmp/x"}, 6, "\tslow()",
			"does not say of which"},
		{"a line that the file does not have", casefile.Build{Revision: first}, 6, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			places, err := FindPlaces(t.Context(), dir, c.build)
			if err != nil {
				t.Fatal(err)
			}
			fs := []casefile.Finding{{Where: []casefile.Frame{
				{Function: "example.com/shop/pay.F", File: "/build/7/pay/a.go", Line: c.line},
				{Function: "example.net/other.F", File: "example.net/other@v1.0.0/a.go", Line: 1}}}}
			r := NewReader(t.Context(), places)
			if got := r.Add(t.Context(), fs); got != (c.want != "") {
				t.Errorf("lines were added: %v", got)
			}
			got := fs[0].Where[0].Source
			if c.want == "" != (got == nil) || got != nil && got.Lines[c.line-got.First] != c.want {
				t.Errorf("the lines are %+v, want %q at %d", got, c.want, c.line)
			}
			if fs[0].Where[1].Source != nil {
				t.Errorf("a file of another module has lines: %+v", fs[0].Where[1].Source)
			}
			if note := r.Note(); c.note == "" != (note == "") || !strings.Contains(note, c.note) {
				t.Errorf("the note is %q, want %q in it", note, c.note)
			}
		})
	}
}

// TestOnlyTheModule: names in evidence lead nowhere else, and to nothing that is no text.
func TestOnlyTheModule(t *testing.T) {
	repo := moduleAt(t, "a.go")
	dir := filepath.Join(repo, "svc")
	write(t, filepath.Join(repo, "secret.go"), "one\ntwo\n")
	write(t, filepath.Join(dir, "large.go"), strings.Repeat("x\n", maxFile/2+1))
	write(t, filepath.Join(dir, "binary.go"), "a\x00b\n")
	for name, target := range map[string]string{"link.go": "../secret.go", "folder.go": "."} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	places, err := FindPlaces(t.Context(), dir, casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"/x/../../../etc/passwd", "../secret.go", "link.go", "folder.go", "large.go",
		"binary.go", dir + "/../secret.go", "nowhere.go", ""} {
		fs := []casefile.Finding{{Where: []casefile.Frame{{Function: "main.main", File: file, Line: 1}}}}
		if NewReader(t.Context(), places).Add(t.Context(), fs) {
			t.Errorf("%s: has lines: %+v", file, fs[0].Where[0].Source)
		}
	}
}

// TestLinesOfOthers: places of dependencies, vendored code and the standard library have their lines, and files of
// another version have none and are named.
func TestLinesOfOthers(t *testing.T) {
	dir, p := machine(t)
	for _, file := range []string{"mod/github.com/!burnt/t@v1.2.0/x/t.go", "shop/vendor/example.com/v/sub/v.go",
		"go/src/net/http/server.go", "mod/github.com/old/m@v1.0.0/m.go"} {
		write(t, filepath.Join(dir, filepath.FromSlash(file)), "package p\n\nfunc F() {}\n")
	}
	frames := []casefile.Frame{
		{Function: "github.com/Burnt/t/x.F", File: "github.com/Burnt/t@v1.2.0/x/t.go", Line: 3},
		{Function: "example.com/v/sub.F", File: "/build/vendor/example.com/v/sub/v.go", Line: 3},
		{Function: "net/http.(*conn).serve", File: "net/http/server.go", Line: 3},
		{Function: "github.com/old/m.F", File: "github.com/old/m@v1.1.0/m.go", Line: 3},
		{Function: "github.com/Burnt/t/x.F", File: "github.com/Burnt/t@v1.2.0/../../../secret.go", Line: 1},
		{Function: "net/http.F", File: "net/http/server.go", Line: 4},
	}
	r := NewReader(t.Context(), p)
	for i, f := range frames {
		fs := []casefile.Finding{{Where: []casefile.Frame{f}}}
		r.Add(t.Context(), fs)
		got := fs[0].Where[0].Source
		if i < 3 && (got == nil || got.Lines[f.Line-got.First] != "func F() {}") || i >= 3 && got != nil {
			t.Errorf("%s: the lines are %+v", f.File, got)
		}
	}
	if note := r.Note(); !strings.Contains(note, "github.com/old/m is v1.0.0 here, and v1.1.0 in the program") ||
		strings.Contains(note, "does not say of which revision") {
		t.Errorf("the note is %q, want why there are no lines, and nothing of the module, which was not read", note)
	}
}
