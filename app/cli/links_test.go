package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// linkedCase is a folder with one case whose finding is in the main module.
func linkedCase(t *testing.T) (dir, report string) {
	t.Helper()
	dir = t.TempDir()
	w, err := casefile.Dir(dir).Create(casefile.Case{
		ID: casefile.NewID(time.Now(), "manual"), Opened: time.Now().UTC(),
		Trigger: casefile.Trigger{Rule: "manual", Text: "a test", Time: time.Now().UTC()},
		Target: casefile.Target{Name: "shop", Build: casefile.Build{Path: "example.com/shop",
			Module: "example.com/shop", Revision: "4be1a7d"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	err = f.Update(func(c *casefile.Case) {
		c.Findings = []casefile.Finding{{ID: "CPU001", Title: "x", Score: 60,
			Where: []casefile.Frame{{Function: "example.com/shop/cart.Sum", File: "/src/shop/cart/sum.go", Line: 7}}}}
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(f.Path, "report.html")
}

// Links come from a flag, or from the environment; a flag outranks it.
func TestCaseReportLinks(t *testing.T) {
	dir, report := linkedCase(t)
	home := t.TempDir()
	const onGit = "https://git.example.com/{revision}/{path}#L{line}"
	for _, tt := range []struct {
		name, variable, editor string
		args                   []string
		want                   string
	}{
		{"none", "", "", nil, ""},
		{"flag", "", "", []string{"--source-url", onGit}, `href="https://git.example.com/4be1a7d/cart/sum.go#L7"`},
		{"variable", onGit, "", nil, `href="https://git.example.com/4be1a7d/cart/sum.go#L7"`},
		{"flag over variable", onGit, "", []string{"--editor", "vscode"},
			`href="vscode://file/src/shop/cart/sum.go:7"`},
		{"editor's variable", "", "zed", []string{"--source-dir", home}, `href="zed://file` + home + `/cart/sum.go:7"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("CASEBOOK_SOURCE_URL", tt.variable)
			t.Setenv("CASEBOOK_EDITOR", tt.editor)
			if r := inProcess(t, append([]string{"case", "report", "--dir", dir}, tt.args...)...); r.code != 0 {
				t.Fatalf("exit %d: %s", r.code, r.errors)
			}
			page, err := os.ReadFile(report)
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" && strings.Contains(string(page), `class="file" href=`) ||
				!strings.Contains(string(page), tt.want) {
				t.Errorf("the page does not have %s", tt.want)
			}
		})
	}
}

func TestBadLinks(t *testing.T) {
	dir, _ := linkedCase(t)
	for want, args := range map[string][]string{
		"--source-url: the source URL \"https://x.org/{rev}/{path}\": there is no placeholder {rev}": {"--source-url",
			"https://x.org/{rev}/{path}"},
		"--editor: unknown editor \"ed\"":     {"--editor", "ed"},
		"give one":                            {"--editor", "zed", "--source-url", "https://x.org/{path}"},
		"no such file":                        {"--editor", "zed", "--source-dir", filepath.Join(dir, "nowhere")},
		"CASEBOOK_SOURCE_URL: the source URL": nil,
	} {
		t.Setenv("CASEBOOK_SOURCE_URL", "javascript:alert('{path}')")
		r := inProcess(t, append([]string{"case", "report", "--dir", dir}, args...)...)
		if r.code != 2 || !strings.Contains(r.errors, want) {
			t.Errorf("case report %q: exit %d, want 2 and %q: %s", args, r.code, want, r.errors)
		}
	}
}
