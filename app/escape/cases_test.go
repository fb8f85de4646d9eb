package escape

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// module copies a module of testdata to a folder that is in no workspace.
func module(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// profileOf runs the program of a module, which writes its heap profile.
func profileOf(t *testing.T, dir string) *heat.Map {
	t.Helper()
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	data, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return mapOf(t, casefile.Build{Module: "example.com/cases"}, data)
}

func mapOf(t *testing.T, build casefile.Build, profiles ...[]byte) *heat.Map {
	t.Helper()
	in := diagnose.Input{Build: build}
	for i, data := range profiles {
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: strconv.Itoa(i), Data: data})
	}
	sets, problems := heat.Read(in)
	for _, p := range problems {
		t.Fatal(p)
	}
	return heat.Of(sets, nil)
}

// wanted are the lines of a file with "want": the kind, and words of the reason and of the change.
func wanted(t *testing.T, file string) map[int][3]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mark := regexp.MustCompile(`// want ([a-z-]+) "([^"]*)" "([^"]*)"`)
	out := make(map[int][3]string)
	for i, line := range strings.Split(string(data), "\n") {
		if m := mark.FindStringSubmatch(line); m != nil {
			out[i+1] = [3]string{m[1], m[2], m[3]}
		}
	}
	if len(out) < 40 {
		t.Fatalf("%s has %d lines that want something; has their form changed?", file, len(out))
	}
	return out
}

// TestCases compiles, runs and profiles functions of which it is known why they allocate.
func TestCases(t *testing.T) {
	dir := module(t, "cases")
	r, err := Run(t.Context(), Config{Map: profileOf(t, dir), Dir: dir, Top: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Gaps) > 0 {
		t.Errorf("left out: %v", r.Gaps)
	}
	lines := make(map[int]Line)
	for _, l := range r.Lines {
		if filepath.Base(l.File) == "main.go" {
			lines[l.Number] = l
		}
	}
	want := wanted(t, filepath.Join("testdata", "cases", "main.go"))
	for _, n := range slices.Sorted(maps.Keys(want)) {
		w, l := want[n], lines[n]
		if len(l.Reasons) == 0 {
			t.Errorf("line %d has no reason, want %s", n, w[0])
			continue
		}
		got := l.Reasons[0]
		i := slices.IndexFunc(l.Reasons, func(r Reason) bool { return string(r.Kind) == w[0] })
		if i >= 0 {
			got = l.Reasons[i]
		}
		if string(got.Kind) != w[0] || !strings.Contains(got.Why, w[1]) || !strings.Contains(got.Change, w[2]) ||
			w[2] == "" && got.Change != "" && !strings.Contains(l.Text, `""`) {
			t.Errorf("line %d, %s\n  got  %s %q, change %q, via %q\n  want %s %q, change %q", n, l.Text, got.Kind, got.Why,
				got.Change, got.Via, w[0], w[1], w[2])
		}
	}
	if r.Explained.Share < 0.99 {
		t.Errorf("explained: %+v, want 0.99", r.Explained)
	}
}
