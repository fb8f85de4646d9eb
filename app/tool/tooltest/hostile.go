// Package tooltest makes source trees whose configuration wants to run something, for tests.
package tooltest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A Hostile is a git repository whose configuration starts a program wherever git knows one. The program leaves a mark.
type Hostile struct {
	Dir   string // the tree
	Path  string // a folder with programs that leave a mark, too: a toolchain that go.mod names
	First string // the commit before the last
	marks string
}

// hooks are those that git may run for a command that reads, or makes a worktree or a commit.
var hooks = []string{"post-checkout", "post-index-change", "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit",
	"reference-transaction", "pre-auto-gc", "pre-push", "fsmonitor-watchman", "post-rewrite"}

// MakeHostile commits the files of a folder twice, and then writes the configuration. Everything that the program's
// name is given to is a trap; the argument is the mark that it leaves.
func MakeHostile(t *testing.T, from string) *Hostile {
	t.Helper()
	h := &Hostile{Dir: t.TempDir(), Path: t.TempDir(), marks: t.TempDir()}
	if err := os.CopyFS(h.Dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	h.git(t, h.Dir, nil, "init", "-q", "-b", "main")
	h.write(t, "notes.txt", "one\n")
	h.write(t, ".gitattributes", "*.go diff=trap filter=trap\n*.txt filter=trapp\n")
	h.commit(t, h.Dir, "first")
	h.First = h.git(t, h.Dir, nil, "rev-parse", "HEAD")
	lost := h.git(t, h.Dir, nil, "rev-parse", "HEAD:notes.txt")
	h.write(t, "notes.txt", "two\n")
	h.submodule(t)
	h.commit(t, h.Dir, "second")
	h.sign(t)
	// An object that is not there, which a partial clone asks its remote for.
	if err := os.Remove(filepath.Join(h.Dir, ".git/objects", lost[:2], lost[2:])); err != nil {
		t.Fatal(err)
	}
	h.configure(t)
	// What git has to read again, and so through the filters, because its time is another one, and its size is not.
	h.write(t, "notes.txt", "owt\n")
	text, err := os.ReadFile(filepath.Join(h.Dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	h.write(t, "main.go", string(text))
	h.write(t, ".git/goenv", "GOTOOLCHAIN=auto\n")
	for _, name := range []string{"go1.99.9", "trap"} {
		h.program(t, filepath.Join(h.Path, name), "toolchain")
	}
	return h
}

// program writes one that leaves a mark. It prints nothing, and succeeds.
func (h *Hostile) program(t *testing.T, name, mark string) string {
	t.Helper()
	script := "#!/bin/sh\n: > " + filepath.Join(h.marks, mark) + "\ncat >/dev/null 2>&1 </dev/null\nexit 0\n"
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func (h *Hostile) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(h.Dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (h *Hostile) commit(t *testing.T, dir, subject string) {
	t.Helper()
	h.git(t, dir, nil, "add", ".")
	h.git(t, dir, nil, "commit", "-q", "-m", subject)
}

// git runs git as nobody configured it.
func (h *Hostile) git(t *testing.T, dir string, input []byte, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// submodule adds one with a configuration of its own.
func (h *Hostile) submodule(t *testing.T) {
	t.Helper()
	dir := filepath.Join(h.Dir, "part")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	h.git(t, dir, nil, "init", "-q")
	if err := os.WriteFile(filepath.Join(dir, "part.txt"), []byte("x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	h.commit(t, dir, "part")
	h.git(t, dir, nil, "config", "core.fsmonitor", h.program(t, filepath.Join(h.marks, ".sub"), "submodule"))
	h.write(t, ".gitmodules", "[submodule \"part\"]\n\tpath = part\n\turl = ./part\n")
}

// sign gives the last commit a signature, which git log checks where the configuration says so.
func (h *Hostile) sign(t *testing.T) {
	t.Helper()
	text := h.git(t, h.Dir, nil, "cat-file", "commit", "HEAD")
	head, message, _ := strings.Cut(text, "\n\n")
	signed := head + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n" + message + "\n"
	commit := h.git(t, h.Dir, []byte(signed), "hash-object", "-t", "commit", "-w", "--stdin")
	h.git(t, h.Dir, nil, "update-ref", "refs/heads/main", commit)
}

// configure sets the traps.
func (h *Hostile) configure(t *testing.T) {
	t.Helper()
	trap := func(mark string) string { return h.program(t, filepath.Join(h.marks, "."+mark), mark) }
	folder := filepath.Join(h.Dir, ".git", "traps")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range hooks {
		h.program(t, filepath.Join(folder, name), "hook-"+name)
	}
	text := fmt.Sprintf(`
[core]
	repositoryformatversion = 1
	hooksPath = %s
	fsmonitor = %s
	pager = %s
	editor = %s
	sshCommand = %s
	askPass = %s
	gitProxy = %s
	alternateRefsCommand = %s
[extensions]
	partialClone = origin
	worktreeConfig = true
[diff]
	external = %s
[diff "trap"]
	textconv = %s
	command = %s
[filter "trap"]
	clean = %s
	smudge = %s
	required = true
[filter "trapp"]
	process = %s
[gpg]
	program = %s
[log]
	showSignature = true
[commit]
	gpgSign = true
[credential]
	helper = %s
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::%s
	fetch = +refs/heads/*:refs/remotes/origin/*
	promisor = true
	uploadpack = %s
[include]
	path = traps/more
`, folder, trap("fsmonitor"), trap("pager"), trap("editor"), trap("ssh"), trap("askpass"), trap("proxy"),
		trap("alternates"), trap("diff.external"), trap("textconv"), trap("diff.command"), trap("clean"), trap("smudge"),
		trap("process"), trap("gpg"), trap("credential"), trap("remote"), trap("uploadpack"))
	var more strings.Builder
	more.WriteString("[alias]\n")
	for _, name := range []string{"status", "diff", "log", "rev-parse", "cat-file"} {
		fmt.Fprintf(&more, "\t%s = !%s\n", name, trap("alias"))
	}
	for name, data := range map[string]string{"config": text, "traps/more": more.String(),
		"config.worktree": "[pager]\n\tlog = " + trap("pager.log") + "\n"} {
		f, err := os.OpenFile(filepath.Join(h.Dir, ".git", name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = f.WriteString(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	h.Clear(t)
}

// Mark is the shell command that leaves a mark, for code of the tree itself.
func (h *Hostile) Mark(name string) string { return filepath.Join(h.marks, name) }

// Marks are those that were left, and are no longer.
func (h *Hostile) Marks(t *testing.T) (names []string) {
	t.Helper()
	all, err := os.ReadDir(h.marks)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	h.Clear(t)
	return names
}

// Clear removes the marks.
func (h *Hostile) Clear(t *testing.T) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(h.marks, "[^.]*"))
	for _, name := range all {
		err = os.Remove(name)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Environment is one in which the traps are open: without settings of this machine that would close some.
func (h *Hostile) Environment() []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GOFLAGS=") || strings.HasPrefix(v, "GOTOOLCHAIN=") || strings.HasPrefix(v, "PATH=")
	})
	return append(env, "GOTOOLCHAIN=", "GOFLAGS=", "GOENV="+filepath.Join(h.Dir, ".git/goenv"), "GOPROXY=off", "GOWORK=off",
		"PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+h.Path,
		"GIT_EXTERNAL_DIFF="+filepath.Join(h.marks, ".diff.external"), "GIT_SSH_COMMAND="+filepath.Join(h.marks, ".ssh"))
}
