package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// faces are the packages that talk to people: flags, help, printing, exit codes.
var faces = []string{root + "/app/cli", root + "/app/command", root + "/app/terminal"}

// floor is the packages of use cases. Every face works through them.
var floor = []string{root + "/app/casework", root + "/app/assess"}

// TestNothingImportsTheCommandLine: only main packages import app/cli, tests included.
func TestNothingImportsTheCommandLine(t *testing.T) {
	found := false
	for _, p := range list(t, "../../../app") {
		for _, imp := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			switch {
			case imp != root+"/app/cli" || p.ImportPath == root+"/app/cli":
			case p.ImportPath == root+"/app/cmd/casebook", p.ImportPath == root+"/app/cmd/casebook-store":
				found = true
			default:
				t.Errorf("%s imports %s: nothing but app/cmd may", p.ImportPath, imp)
			}
		}
	}
	if !found {
		t.Errorf("app/cmd/casebook does not import app/cli: is this test looking at the right packages?")
	}
}

// TestFloorHasNoFace: use cases import no flags and no face, neither directly nor through another package.
func TestFloorHasNoFace(t *testing.T) {
	cmd := exec.Command("go", append([]string{"list", "-deps"}, floor...)...)
	cmd.Dir = "../../../app"
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps: %v", err)
	}
	deps := strings.Fields(string(out))
	for _, p := range floor {
		if !slices.Contains(deps, p) {
			t.Errorf("go list -deps does not list %s itself", p)
		}
	}
	banned := append([]string{"github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}, faces...)
	for _, dep := range deps {
		if slices.Contains(banned, dep) {
			t.Errorf("the floor of use cases imports %s: that is a face's", dep)
		}
	}
}

// TestFloorIsQuiet: use cases print nothing, end no process and read nothing about the process that they run in.
func TestFloorIsQuiet(t *testing.T) {
	taboo := regexp.MustCompile(`\b(os\.(Stdin|Stdout|Stderr|Exit|Args|Getenv|LookupEnv|Setenv|Chdir)` +
		`|fmt\.Print\w*|log\.\w+|debug\.Set\w+)\b`)
	for _, p := range floor {
		files, err := filepath.Glob(filepath.Join("../../..", strings.TrimPrefix(p, root+"/"), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files (%v)", p, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(b), "\n") {
				code, _, _ := strings.Cut(line, "//")
				if m := taboo.FindString(code); m != "" {
					t.Errorf("%s:%d uses %s: that is a face's", file, i+1, m)
				}
			}
		}
	}
}
