//go:build unix

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	library "github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/tool/tooltest"
	"github.com/gocasebook/casebook/casefile"
)

// hostileTree is the shop of the lint tests, whose own code leaves a mark, too, in a repository full of traps, and a case
// of it.
func hostileTree(t *testing.T) (h *tooltest.Hostile, cases, id string) {
	t.Helper()
	from := t.TempDir()
	if err := os.CopyFS(from, os.DirFS("testdata/lint/shop")); err != nil {
		t.Fatal(err)
	}
	h = tooltest.MakeHostile(t, from)
	trap := func(body string) string {
		return fmt.Sprintf("package main\n\nimport %s\n\t_ = os.WriteFile(%q, nil, 0o600)\n}\n", body, h.Mark("code"))
	}
	for name, text := range map[string]string{
		"trap.go":      trap("\"os\"\n\nfunc init() {"),
		"trap_test.go": trap("(\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestTrap(*testing.T) {"),
		"go.mod":       "module example.com/shop\n\ngo 1.26.0\n\ntoolchain go1.99.9\n",
	} {
		if err := os.WriteFile(filepath.Join(h.Dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cases = t.TempDir()
	w, err := casefile.Dir(cases).Create(casefile.Case{Trigger: casefile.Trigger{Rule: "by-hand", Text: "by hand"},
		Target: casefile.Target{Name: "shop", Build: casefile.Build{Module: "example.com/shop", Revision: h.First}}})
	if err != nil {
		t.Fatal(err)
	}
	e := casefile.Evidence{File: "cpu.pb.gz", Kind: casefile.CPU, Phase: casefile.During, GoFormat: true}
	if err := w.Add(e, read(t, "testdata/lint/cpu.pb.gz")); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err == nil {
		err = library.Diagnose(t.Context(), f)
	}
	if err != nil || len(f.Case.Findings) == 0 {
		t.Fatalf("the case has %d findings, %v", len(f.Case.Findings), err)
	}
	return h, cases, f.Case.ID
}

// Commands that do not say that they run code of a tree run nothing that the tree brings.
func TestHostileTree(t *testing.T) {
	t.Parallel()
	h, cases, id := hostileTree(t)
	evidence, err := filepath.Abs("testdata/lint")
	if err != nil {
		t.Fatal(err)
	}
	cpu, heap := filepath.Join(evidence, "cpu.pb.gz"), filepath.Join(evidence, "heap.pb.gz")
	ran, marks := 0, 0
	for _, c := range []struct {
		command, args string
		codes         []int
		says          string
	}{
		{"diagnose", cpu + " " + heap, []int{0, 1}, "orders.go:"},
		{"diagnose", "--source . " + cpu, []int{0, 1}, "orders.go:"},
		{"case show", "--dir " + cases + " --source . " + id, []int{0}, "orders.go:"},
		{"case report", "--dir " + cases + " --source . " + id, []int{0}, "report.html"},
		{"lint", "--profile " + cpu, []int{1}, "orders.go:"},
		{"lint", "--dir " + cases + " --case " + id, []int{1}, "orders.go:"},
		{"fix", "--dir " + cases + " --case " + id, []int{0, 1}, "orders.go"},
		{"fix", "--profile " + cpu + " regexp-compile", []int{0}, "validPattern"},
		{"fix", "--profile " + cpu + " regexp-compile --write", []int{2}, "changed and not committed"},
		{"escape", "--profile " + heap, []int{0}, "orders.go:"},
		{"pgo", "--out - " + cpu, []int{0, 1}, "match"},
		{"init", "", []int{0, 2}, ""},
		{"history show", "", []int{2}, "core.sshcommand"},
		{"history show", "--remote -", []int{0, 2}, ""},
		{"mcp", "--instructions --source . --allow lint,fix", []int{0}, ""},
	} {
		args := append(strings.Fields(c.command), strings.Fields(c.args)...)
		r := inTree(t, h, args...)
		if !slices.Contains(c.codes, r.code) || !strings.Contains(r.out+r.errors, c.says) {
			t.Errorf("casebook %s %s: exit code %d, want %v and %q in:\n%s%s", c.command, c.args, r.code, c.codes, c.says,
				r.out, r.errors)
		}
		ran++
		if got := h.Marks(t); len(got) > 0 {
			marks++
			t.Errorf("casebook %s %s ran %q", c.command, c.args, got)
		}
	}
	t.Logf("attack: a tree with traps in its git configuration, go.mod and code: %d commands read it, %d ran something",
		ran, marks)
}

// inTree runs the command in a tree of traps.
func inTree(t *testing.T, h *tooltest.Hostile, args ...string) result {
	t.Helper()
	tool, err := builtLintTool()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Dir, cmd.Env = h.Dir, append(h.Environment(), lintTool+"="+tool)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the exit code says it
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}
