package pgo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program is what was profiled. The numbers are lines below the first one of each function.
const program = `package main

import (
	"fmt"
	"sort"
	"strings"
)

type store[K comparable] struct{ m map[K]int }

func (s *store[K]) get(k K) int {
	return lookup(s.m, k) // 1
}

func lookup[K comparable](m map[K]int, k K) int { return m[k] }

var less = func(a, b string) bool {
	return strings.ToLower(a) < b // 1, in init.func1 or glob..func1
}

func main() {
	s := &store[string]{}
	words := []string{"a"}
	sort.Slice(words, func(i, j int) bool { // 3
		return less(words[i], // 1, in main.func1
			words[j])
	})
	fmt.Println(s.
		get("a")) // 8
}
`

// recordedCalls are of that program.
var recordedCalls = Calls{
	{Caller: "main.(*store[...]).get", Callee: "main.lookup[...]", Offset: 1}:  30,
	{Caller: "main.main.func1", Callee: "main.init.func1", Offset: 1}:          30,
	{Caller: "main.init.func1", Callee: "strings.ToLower", Offset: 1}:          20,
	{Caller: "main.main", Callee: "sort.Slice", Offset: 3}:                     10,
	{Caller: "main.main", Callee: "main.(*store[...]).get", Offset: 8}:         10,
	{Caller: "main.(*store[...]).get", Callee: "runtime.mapaccess", Offset: 1}: 500, // the compiler's own call
}

// write makes a module of a program and commits it if git is there.
func write(t *testing.T, dir, text string) {
	t.Helper()
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.25\n", "main.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func readTree(t *testing.T, dir string) *Tree {
	t.Helper()
	t.Setenv("GOWORK", "off")
	tree, err := ReadTree(t.Context(), dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name, old, new   string
		share, functions float64
		lost             string
	}{
		{name: "the same", share: 1, functions: 1},
		{"moved as a whole", "func (s *store", "// More.\n//\n\nfunc (s *store", 1, 1, ""},
		{"a line added before the call", "	return lookup(", "	k = k\n	return lookup(", 0.7, 1, "main.(*store[...]).get"},
		{"another name", "lookup(", "find(", 1, 1, ""},
		{"its caller is gone", "get(", "fetch(", 0.7, 0.7, "main.(*store[...]).get"},
		{"the literal is gone", "return strings.ToLower(a) < b", "return a < b", 0.8, 1, "main.init.func1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, strings.ReplaceAll(program, c.old, c.new))
			if c.old == "" {
				write(t, dir, program)
			}
			m := matchOf(recordedCalls, readTree(t, dir))
			if !near(m.Share, c.share) || !near(m.Functions, c.functions) {
				t.Errorf("%.2f of the calls match and %.2f have their function, want %.2f and %.2f", m.Share, m.Functions,
					c.share, c.functions)
			}
			if lost := ""; len(m.Lost) > 0 || c.lost != "" {
				if len(m.Lost) > 0 {
					lost = m.Lost[0].Function
				}
				if lost != c.lost {
					t.Errorf("lost is %+v, want %s first", m.Lost, c.lost)
				}
			}
		})
	}
}

func near(a, b float64) bool { return a-b < 0.001 && b-a < 0.001 }

// Commits count since the build's revision, or since the time of the profile; those to other files are not hot.
func TestAge(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, program)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "one", "--date", "2026-11-01T00:00:00Z")
	built := git(t, dir, "rev-parse", "HEAD")
	tree := readTree(t, dir)
	for i, file := range []string{"README.md", "main.go", "NOTES.md"} {
		f, err := os.OpenFile(filepath.Join(dir, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("// more\n"); err != nil {
			t.Fatal(err)
		}
		f.Close()
		git(t, dir, "add", ".")
		git(t, dir, "commit", "-qm", file)
		a, err := tree.AgeOf(t.Context(), recordedCalls, built, time.Time{})
		if err != nil || a.Commits != i+1 || a.Hot != min(i, 1) || a.Files != 1 || a.Guessed {
			t.Errorf("after %s the age is %+v (%v)", file, a, err)
		}
	}
	a, err := tree.AgeOf(t.Context(), recordedCalls, "", time.Now().Add(time.Hour))
	if err != nil || a.Commits != 0 || !a.Guessed {
		t.Errorf("the age of a profile of now is %+v (%v)", a, err)
	}
	if _, err := tree.AgeOf(t.Context(), recordedCalls, "", time.Unix(1, 0)); err == nil {
		t.Error("a profile that is older than the repository has an age")
	}
	if _, err := tree.AgeOf(t.Context(), recordedCalls, "no-such-revision", time.Time{}); err == nil {
		t.Error("a revision that is not there has an age")
	}
}

func TestReadTreeFails(t *testing.T) {
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	write(t, dir, "package shop\n")
	if _, err := ReadTree(t.Context(), dir, "."); err == nil || !strings.Contains(err.Error(), "not a program") {
		t.Errorf("the error is %v, want one that says that it is no program", err)
	}
	if _, err := ReadTree(t.Context(), dir, "./nowhere"); err == nil {
		t.Error("a folder that is not there has a tree")
	}
}
