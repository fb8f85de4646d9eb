//go:build unix

package tool_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/app/tool/tooltest"
)

// code is a small tree.
func code(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/small\n\ngo 1.25\n\ntoolchain go1.99.9\n",
		"main.go": "package main\n\nfunc main() {\n\tprintln(1)\n}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// open sets the environment in which the traps are open.
func open(t *testing.T, h *tooltest.Hostile) {
	for _, v := range h.Environment() {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
}

// plain runs a tool as somebody would by hand. That it fails is no matter.
func plain(h *tooltest.Hostile, name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.Dir = h.Dir
	_ = cmd.Run()
}

// The traps are open for who runs git and go by hand: what the next test finds closed was closed by this package.
func TestTrapsWork(t *testing.T) {
	h := tooltest.MakeHostile(t, code(t))
	open(t, h)
	for _, c := range []struct {
		args string
		want []string
	}{
		{"git status --porcelain", []string{"fsmonitor", "clean", "process"}},
		{"git -c filter.trapp.process= status", []string{"submodule", "hook-post-index-change"}},
		{"git log -1", []string{"gpg"}},
		{"git log -p -- main.go", []string{"textconv"}},
		{"git diff -- main.go", []string{"diff.command", "clean"}},
		{"git cat-file -p " + h.First + ":notes.txt", []string{"remote"}},
		{"git -c filter.trapp.process= worktree add --detach --force " + filepath.Join(t.TempDir(), "w"), []string{"smudge", "hook-post-checkout"}},
		{"go list -export .", []string{"toolchain"}},
	} {
		words := strings.Fields(c.args)
		plain(h, words[0], words[1:]...)
		got := h.Marks(t)
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s ran %q, want %s among them", c.args, got, w)
			}
		}
	}
	t.Setenv("GOTOOLCHAIN", "local")
	plain(h, "go", "list", "-export", ".")
	if got := h.Marks(t); !slices.Contains(got, "fsmonitor") {
		t.Errorf("go list -export ran %q, want git's fsmonitor among them", got)
	}
}

func TestReadingRunsNothing(t *testing.T) {
	h := tooltest.MakeHostile(t, code(t))
	open(t, h)
	git := tool.Git{Dir: h.Dir}
	for _, c := range []struct{ args, want string }{
		{"status --porcelain --untracked-files=no", " M notes.txt"},
		{"diff --name-only -z HEAD", "notes.txt\x00"},
		{"diff", "+owt"},
		{"log -s --format=%s HEAD", "second"},
		{"log -s --format=%s -L3,4:main.go HEAD", "first"},
		{"rev-list --count HEAD", "2"},
		{"rev-parse --verify HEAD^{commit}", ""},
		{"cat-file blob HEAD:main.go", "println"},
		{"ls-tree -r --name-only HEAD", "main.go"},
		{"ls-files --others --exclude-standard", ""},
		{"for-each-ref", "refs/heads/main"},
	} {
		words := strings.Fields(c.args)
		out, err := git.Run(t.Context(), words[0], words[1:]...)
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("git %s: %q, %v; want %q in it", c.args, out, err, c.want)
		}
		if got := h.Marks(t); len(got) > 0 {
			t.Errorf("git %s ran %q", c.args, got)
		}
	}
	// What is not there is not fetched, and the remote is not asked.
	if out, err := git.Run(t.Context(), "cat-file", "blob", h.First+":notes.txt"); err == nil {
		t.Errorf("an object that is not there is %q", out)
	}
	git.Remote = true
	if _, err := git.Run(t.Context(), "ls-remote", "origin"); err == nil || !strings.Contains(err.Error(), "core.sshcommand") {
		t.Errorf("a remote whose programs the repository names: %v", err)
	}
	ask := tool.Go{Dir: h.Dir}
	for _, args := range []string{"list -export .", "vet .", "list -m", "env GOVERSION"} {
		words := strings.Fields(args)
		if _, err := ask.Output(t.Context(), words[0], words[1:]...); err != nil {
			t.Errorf("go %s: %v", args, err)
		}
	}
	if name, _, err := ask.Tool(t.Context(), "fix"); err != nil || name == "" {
		t.Errorf("go tool fix is %q, %v", name, err)
	}
	if got := h.Marks(t); len(got) > 0 {
		t.Errorf("reading ran %q", got)
	}
}

// Who says that the tree's code runs has files as filters make them; hooks, gpg and fsmonitor are nobody's wish.
func TestRunsCode(t *testing.T) {
	h := tooltest.MakeHostile(t, code(t))
	open(t, h)
	git := tool.Git{Dir: h.Dir, RunsCode: true}
	git.Set = []string{"filter.trapp.process="} // the trap speaks no protocol, and git ends
	if _, err := git.Run(t.Context(), "worktree", "add", "--quiet", "--detach", filepath.Join(t.TempDir(), "w")); err != nil {
		t.Fatal(err)
	}
	got := h.Marks(t)
	if !slices.Contains(got, "smudge") {
		t.Errorf("a checkout ran %q, want the filter", got)
	}
	for _, mark := range got {
		if mark != "smudge" {
			t.Errorf("a checkout ran %s", mark)
		}
	}
}

// A filter whose name git cannot be told on the command line is not run either.
func TestFilterThatCannotBeSwitchedOff(t *testing.T) {
	h := tooltest.MakeHostile(t, code(t))
	plain(h, "git", "config", "filter.a=b.clean", h.Mark("x"))
	if _, err := (tool.Git{Dir: h.Dir}).Run(t.Context(), "status"); err == nil || !strings.Contains(err.Error(), "rename it") {
		t.Errorf("git status: %v", err)
	}
}

// A pipe in place of go.mod is waited for as long as the limit says.
func TestLimit(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mkfifo", filepath.Join(dir, "go.mod")).Run(); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	var limit *tool.LimitError
	_, err := tool.Go{Dir: dir, Limit: 1}.Output(t.Context(), "list", "-m")
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "pipe or a device") {
		t.Errorf("go list: %v, want a *LimitError", err)
	}
}
