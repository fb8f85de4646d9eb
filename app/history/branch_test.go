package history

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// newRepository is one with a commit on main.
func newRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "--allow-empty", "-m", "first")
	return dir
}

// clones are repositories with one origin.
func clones(t *testing.T, n int) []string {
	t.Helper()
	origin := newRepository(t)
	git(t, origin, "config", "receive.denyCurrentBranch", "ignore")
	var out []string
	for i := range n {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
		git(t, origin, "clone", "-q", origin, dir)
		out = append(out, dir)
	}
	return out
}

func recordAt(when time.Time, commit string) *Record {
	return &Record{Schema: schema, Time: when, Commit: commit, Machine: Machine{ID: "m"}, Go: "go1.26.0",
		Functions:  []Function{{"example.com/shop.mix", "example.com/shop/shop.go"}},
		Benchmarks: []Benchmark{{"example.com/shop BenchmarkA", []Figure{{"time", "sec/op", 1e-6, []Part{{0, .5}}}}}}}
}

var november = time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)

// What is appended is read again, from this repository and from a remote, and the branch shares no commit with main.
func TestBranch(t *testing.T) {
	for name, remote := range map[string]string{"here": "", "origin": "origin"} {
		t.Run(name, func(t *testing.T) {
			dir := clones(t, 1)[0]
			b := &Branch{Dir: dir, Name: DefaultBranch, Remote: remote}
			if records, bad, err := b.Read(t.Context()); len(records)+len(bad) != 0 || err != nil {
				t.Fatalf("before the first record: %v, %v, %v", records, bad, err)
			}
			for i := range 3 {
				if err := b.Append(t.Context(), recordAt(november.AddDate(0, 0, 20*i), fmt.Sprint("c", i))); err != nil {
					t.Fatal(err)
				}
			}
			records, bad, err := b.Read(t.Context())
			if err != nil || len(bad) != 0 || len(records) != 3 || records[2].Commit != "c2" ||
				records[0].Benchmarks[0].Figures[0].Parts[0] != (Part{0, .5}) {
				t.Errorf("%+v, %v, %v", records, bad, err)
			}
			if remote != "" {
				git(t, dir, "fetch", "-q", "origin", DefaultBranch+":"+DefaultBranch)
			}
			if n := git(t, dir, "rev-list", "--count", DefaultBranch); n != "3" {
				t.Errorf("%s commits, want one a record", n)
			}
			if files := git(t, dir, "ls-tree", "--name-only", DefaultBranch); files != "2026-11.jsonl\n2026-12.jsonl" {
				t.Errorf("files %q", files)
			}
			if refs := git(t, dir, "for-each-ref", "refs/casebook"); refs != "" {
				t.Errorf("refs are left: %s", refs)
			}
		})
	}
}

// TestBranchTogether: writers from several clones, and several in one, lose no record.
func TestBranchTogether(t *testing.T) {
	dirs := clones(t, 3)
	var wg sync.WaitGroup
	for w := range 5 {
		wg.Go(func() {
			b := &Branch{Dir: dirs[w%len(dirs)], Name: DefaultBranch, Remote: "origin"}
			for i := range 2 {
				if err := b.Append(t.Context(), recordAt(november, fmt.Sprintf("w%d-%d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	records, bad, err := (&Branch{Dir: dirs[0], Name: DefaultBranch, Remote: "origin"}).Read(t.Context())
	seen := make(map[string]bool)
	for _, r := range records {
		seen[r.Commit] = true
	}
	if err != nil || len(bad) != 0 || len(records) != 10 || len(seen) != 10 {
		t.Errorf("%d records of %d commits, %v, %v; want 10 of 10", len(records), len(seen), bad, err)
	}
}

// The oldest month goes when there are too many, and with it the commits that held it.
func TestBranchForgets(t *testing.T) {
	dir := newRepository(t)
	b := &Branch{Dir: dir, Name: DefaultBranch, Keep: 2}
	for i := range 4 {
		if err := b.Append(t.Context(), recordAt(november.AddDate(0, i, 0), fmt.Sprint("c", i))); err != nil {
			t.Fatal(err)
		}
	}
	records, _, err := b.Read(t.Context())
	if err != nil || len(records) != 2 || records[0].Commit != "c2" {
		t.Errorf("%+v, %v; want those of the last two months", records, err)
	}
	if n := git(t, dir, "rev-list", "--count", DefaultBranch); n != "1" {
		t.Errorf("%s commits hold what was forgotten, want 1", n)
	}
}

// A remote that refuses is an error that says what is missing, and is not tried for long.
func TestBranchRefused(t *testing.T) {
	dir := clones(t, 1)[0]
	origin := git(t, dir, "remote", "get-url", "origin")
	hook := filepath.Join(origin, ".git", "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	err := (&Branch{Dir: dir, Name: DefaultBranch, Remote: "origin"}).Append(t.Context(), recordAt(november, "c"))
	if err == nil || !strings.Contains(err.Error(), "needs the right to write") {
		t.Errorf("%v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (&Branch{Dir: dir, Name: DefaultBranch}).Append(cancelled, recordAt(november, "c")); err == nil {
		t.Error("a cancelled append says nothing")
	}
}

// Lines that are broken, of another form, or that refer to nothing are named, and the others are read.
func TestParse(t *testing.T) {
	const good = `{"schema":1,"time":"2026-11-03T12:00:00Z","commit":"c","machine":{"id":"m"},"benchmarks":[` +
		`{"name":"p BenchmarkA","figures":[{"name":"time","unit":"sec/op","value":1}]}]}`
	for name, line := range map[string]string{
		"no JSON":         "{",
		"a later form":    strings.Replace(good, `"schema":1`, `"schema":2`, 1),
		"no commit":       strings.Replace(good, `"commit":"c"`, `"commit":""`, 1),
		"no machine":      strings.Replace(good, `"id":"m"`, `"id":""`, 1),
		"a strange share": strings.Replace(good, `"value":1`, `"value":1,"parts":[[0,0.5]]`, 1),
		"a negative one":  strings.Replace(good, `"value":1`, `"value":1,"parts":[[-1,0.5]]`, 1),
	} {
		records, bad := parse("2026-11.jsonl", []byte(good+"\n"+line+"\n\n"+good+"\n"))
		if len(records) != 2 || len(bad) != 1 || !strings.HasPrefix(bad[0], "2026-11.jsonl:2: ") {
			t.Errorf("%s: %d records, %q; want 2, and line 2 named", name, len(records), bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schema":1,"time":"2026-11-03T12:00:00Z","commit":"c","machine":{"id":"m"},"functions":[{"name":"f"}],` +
		`"benchmarks":[{"name":"p BenchmarkA","figures":[{"name":"time","unit":"sec/op","value":1,"parts":[[0,0.5]]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _ := parse("x", data)
		if _, err := Analyze(t.Context(), records, Options{}); err != nil {
			t.Error(err)
		}
	})
}
