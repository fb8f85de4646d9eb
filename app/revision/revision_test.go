package revision_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/revision"
)

// repository makes a repository with a program that prints a word: "old" in the first commit, "new" in the second,
// "now" in the working tree.
func repository(t *testing.T) (dir string) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "service")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := func(word string) {
		write("cmd/say/main.go", "package main\n\nfunc main() { println(\""+word+"\") }\n")
	}
	write("go.mod", "module example.com/say\n\ngo 1.25\n")
	git(t, root, "init", "-q", "-b", "main")
	for _, word := range []string{"old", "new"} {
		program(word)
		git(t, root, "add", ".")
		git(t, root, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", word)
	}
	program("now")
	return dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestNew(t *testing.T) {
	dir := repository(t)
	t.Setenv("GOWORK", "off")
	for _, c := range []struct{ revision, want string }{{"main~1", "old"}, {"main", "new"}, {revision.Here, "now"}} {
		b, err := revision.New(context.Background(), dir, c.revision, "./cmd/say")
		if err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(b.Binary).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
			t.Errorf("the build of %s says %q, %v; want %q", c.revision, got, err, c.want)
		}
		if info, err := os.Stat(filepath.Join(b.Dir, "cmd/say")); err != nil || !info.IsDir() {
			t.Errorf("%s is not the service's folder: %v", b.Dir, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(b.Binary); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", b.Binary, err)
		}
	}
	nothingLeft(t, dir)
}

func TestNewFails(t *testing.T) {
	dir := repository(t)
	t.Setenv("GOWORK", "off")
	t.Setenv("TMPDIR", t.TempDir())
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name, revision, pkg, want string
		ctx                       context.Context
	}{
		{"revision", "nowhere", "./cmd/say", "git fetch origin nowhere", context.Background()},
		{"option", "--help", "./cmd/say", `does not know the revision "--help"`, context.Background()},
		{"package", "main", "./cmd/other", "cmd/other", context.Background()},
		{"cancelled", "main", "./cmd/say", context.Canceled.Error(), cancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := revision.New(c.ctx, dir, c.revision, c.pkg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("New says %v, want %q", err, c.want)
			}
			if c.ctx.Err() != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("New says %v, want context.Canceled", err)
			}
		})
	}
	nothingLeft(t, dir)
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("the temporary folder has %v, %v", left, err)
	}
}

// TestIgnoresTheHooksRepository: variables that git sets for its hooks do not send it to another repository.
func TestIgnoresTheHooksRepository(t *testing.T) {
	dir := repository(t)
	t.Setenv("GOWORK", "off")
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "none"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "none"))
	tree, err := revision.CheckOut(t.Context(), dir, "main~1")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(tree.Dir, "cmd/say/main.go")); err != nil ||
		!strings.Contains(string(text), "old") {
		t.Errorf("the worktree has %q, %v; want the first commit's", text, err)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseForgetsAHalfMadeWorktree removes what an interrupted `git worktree add` leaves. It leaves alone the record
// of somebody else's worktree whose folder cannot be seen.
func TestCloseForgetsAHalfMadeWorktree(t *testing.T) {
	dir := repository(t)
	other := filepath.Join(t.TempDir(), "other")
	git(t, dir, "worktree", "add", "-q", "--detach", other)
	if err := os.Rename(other, other+".unmounted"); err != nil {
		t.Fatal(err)
	}
	tree, err := revision.CheckOut(t.Context(), dir, "main")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Dir(tree.Dir)); err != nil { // the worktree, of which Dir is the folder service
		t.Fatal(err)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	if list := git(t, dir, "worktree", "list"); strings.Count(list, "\n") != 2 || !strings.Contains(list, other) {
		t.Errorf("want the repository and %s:\n%s", other, list)
	}
}

func TestChanged(t *testing.T) {
	dir := repository(t)
	for name, text := range map[string]string{"config.yaml": "a: 1\n", "../outside.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var trees []*revision.Tree
	for _, name := range []string{"main~1", "main", revision.Here} {
		tree, err := revision.CheckOut(t.Context(), dir, name)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close() // a test's own folder
		trees = append(trees, tree)
	}
	for _, c := range []struct {
		a, b int
		want string
	}{{0, 1, "[cmd/say/main.go]"}, {1, 1, "[]"}, {1, 2, "[cmd/say/main.go config.yaml]"}} {
		got, err := revision.Changed(t.Context(), trees[c.a], trees[c.b])
		if text := fmt.Sprint(got); err != nil || text != c.want {
			t.Errorf("between %s and %s: %s, %v; want %s", trees[c.a].Label(), trees[c.b].Label(), text, err, c.want)
		}
	}
}

// nothingLeft wants the repository to have one worktree, its own.
func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	if list := strings.TrimSpace(git(t, dir, "worktree", "list")); strings.Contains(list, "\n") {
		t.Errorf("worktrees are left:\n%s", list)
	}
}
