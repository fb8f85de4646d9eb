package cli_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

const escapeEvidence = "testdata/escape"

// shopSource copies the module that the recorded profiles are of to a folder that is in no workspace.
func shopSource(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(escapeEvidence, "shop"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEscape prints what docs/escape.md shows of the recorded profiles, on 80 columns.
func TestEscape(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "escape", "--source", shopSource(t), "--profile", escapeEvidence)
	r.want(t, 0, "explained", "main.newItem shop.go:36", "make([]*item, 0, 8 + n%5)", "/s in", "1 check")
	for line := range strings.Lines(r.out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	_, shown, ok := strings.Cut(page(t, "docs/escape.md"), "    $ casebook escape --profile ..\n")
	shown, _, end := strings.Cut(shown, "\n\nEach")
	if !ok || !end {
		t.Fatal("docs/escape.md does not show the command; has its form changed?")
	}
	var want strings.Builder
	for line := range strings.Lines(shown) {
		want.WriteString(strings.TrimPrefix(line, "    "))
	}
	if !strings.HasPrefix(r.out, want.String()) {
		t.Errorf("docs/escape.md shows\n%s\nand the command prints\n%s", want.String(), r.out)
	}
}

func TestEscapeJSON(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "escape", "--json", "--top", "2", "--source", shopSource(t), "--profile", escapeEvidence)
	r.want(t, 0)
	var got struct {
		Schema    int
		Seconds   float64
		Explained struct{ Share float64 }
		Lines     []struct {
			Function string
			Line     int
			Share    float64
			Reasons  []struct {
				Kind, From, Change string
				Flow               []string
			}
		}
		More struct{ Lines int }
		Gaps []json.RawMessage `json:"left_out"`
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != 1 || got.Seconds < 3 || got.Explained.Share < 0.9 || len(got.Lines) != 2 || got.More.Lines < 1 ||
		got.Gaps == nil {
		t.Fatalf("got %+v", got)
	}
	first := got.Lines[0]
	if first.Function != "main.newItem" || len(first.Reasons) == 0 || first.Reasons[0].Kind != "new" ||
		first.Reasons[0].From != "compiler" || len(first.Reasons[0].Flow) == 0 {
		t.Errorf("the first line is %+v", first)
	}
}

// TestEscapePackages charges the lines of the packages that are named, and no others.
func TestEscapePackages(t *testing.T) {
	t.Parallel()
	inProcess(t, "escape", "--source", shopSource(t), "--profile", escapeEvidence, "fmt").
		want(t, 0, "fmt.Sprintf print.go", "no code of the named packages")
}

// TestEscapeStale says that the source was edited since, and does not explain other lines instead.
func TestEscapeStale(t *testing.T) {
	t.Parallel()
	dir := shopSource(t)
	file := filepath.Join(dir, "shop.go")
	text := strings.Replace(string(read(t, file)), "type shop struct", "// Two lines\n// more.\ntype shop struct", 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	inProcess(t, "escape", "--source", dir, "--profile", escapeEvidence).
		want(t, 0, "the source here is not what the profile is of")
}

// TestEscapePartial: what does not build is said, and the rest is answered.
func TestEscapePartial(t *testing.T) {
	t.Parallel()
	dir := shopSource(t)
	broken := []byte("package main\n\nvar x int = \"\"\n")
	if err := os.WriteFile(filepath.Join(dir, "broken.go"), broken, 0o600); err != nil {
		t.Fatal(err)
	}
	inProcess(t, "escape", "--source", dir, "--profile", escapeEvidence).
		want(t, 0, "Left out:", "broken.go:3", "append(items, newItem(i)) outgrows", "packages do not build")
}

// TestEscapeOfCase takes the evidence of a case, and says that the source is not of its revision.
func TestEscapeOfCase(t *testing.T) {
	t.Parallel()
	dir, cases := shopSource(t), t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c",
		"user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	w, err := casefile.Dir(cases).Create(casefile.Case{Opened: time.Now(), Target: casefile.Target{Build: casefile.Build{
		Path: "example.com/shop", Module: "example.com/shop", Revision: strings.Repeat("0a", 20)}}})
	if err != nil {
		t.Fatal(err)
	}
	heap := read(t, filepath.Join(escapeEvidence, "heap-after.pb.gz"))
	kept := casefile.Evidence{File: "heap-after.pb.gz", Kind: casefile.Heap, Phase: casefile.After}
	if err := w.Add(kept, heap); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	inProcess(t, "escape", "--source", dir, "--dir", cases, "--case", f.Case.ID).
		want(t, 0, "since the process began", "main.newItem shop.go:36", "0a0a0a0a0a0a")
}

func TestEscapeRefuses(t *testing.T) {
	t.Parallel()
	dir := shopSource(t)
	newer := shopSource(t)
	gomod := []byte("module example.com/shop\n\ngo 1.99\n")
	if err := os.WriteFile(filepath.Join(newer, "go.mod"), gomod, 0o600); err != nil {
		t.Fatal(err)
	}
	heap := filepath.Join(escapeEvidence, "heap-after.pb.gz")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"nothing says what allocates", []string{"--source", dir}},
		{"--top 0", []string{"--top", "0", "--profile", heap}},
		{"no heap profile with allocations", []string{"--source", dir, "--profile",
			filepath.Join(escapeEvidence, "cpu.pb.gz")}},
		{"does not contain main module", []string{"--source", t.TempDir(), "--profile", heap}},
		{"listing the packages of ./nowhere", []string{"--source", dir, "--profile", heap, "./nowhere/..."}},
		{"is not the source of this program", []string{"--source", dir, "--profile",
			filepath.Join(checkout.Folder(t, "foreign/nats-healthy"), "heap.pb.gz")}},
		{"requires go >= 1.99", []string{"--source", newer, "--profile", heap}},
		{"no such file", []string{"--source", dir, "--profile", "/nowhere/heap.pb.gz"}},
	} {
		inProcess(t, append([]string{"escape"}, c.args...)...).want(t, 2, c.want)
	}
}

// A module below a go.work that does not list it: what to set is said, by lint, too.
func TestModuleBesideAWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "")
	work := t.TempDir()
	err := errors.Join(os.CopyFS(filepath.Join(work, "shop"), os.DirFS(shopSource(t))),
		os.Mkdir(filepath.Join(work, "other"), 0o700),
		os.WriteFile(filepath.Join(work, "other", "go.mod"), []byte("module example.org/other\n\ngo 1.26\n"), 0o600),
		os.WriteFile(filepath.Join(work, "go.work"), []byte("go 1.26\n\nuse ./other\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(work, "shop")
	heap, err := filepath.Abs(filepath.Join(escapeEvidence, "heap-after.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	casebook(t, shop, "escape", "--profile", heap).want(t, 2, "GOWORK=off")
	casebook(t, shop, "lint", "--without-heat").want(t, 2, "GOWORK=off")
}
