package cli_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/history"
)

// A record is made of a commit, pushed to the origin's branch, and shown; a change of allocations is found with the
// function and the commit.
func TestHistory(t *testing.T) {
	t.Parallel()
	dir := slowerBranch(t)
	quick := []string{"history", "record", "--benchtime", "100x", "--runs", "1", "--rounds", "1", "-q"}
	for _, revision := range []string{"origin/main", "HEAD"} {
		for range 4 {
			r := casebook(t, dir, append(quick, "--revision", revision)...)
			r.want(t, 0, "recorded 1 benchmark of ", "in branch casebook/history of origin")
		}
	}
	origin, err := exec.Command("git", "-C", dir, "ls-remote", "origin", "refs/heads/casebook/history").Output()
	if err != nil || len(origin) == 0 {
		t.Errorf("the origin has no branch: %v", err)
	}
	if out, err := exec.Command("git", "-C", dir, "status", "--porcelain").Output(); err != nil || len(out) > 0 {
		t.Errorf("files are left: %s, %v", out, err)
	}

	markdown := filepath.Join(t.TempDir(), "history.md")
	r := casebook(t, dir, "history", "show", "--markdown", markdown)
	r.want(t, 0, "WORSE  BenchmarkNew allocs +33.3 %", "because example.com/shop.fill: ",
		"touched by ", " slower", "8 records from")
	for line := range strings.Lines(r.out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if text := string(read(t, markdown)); !strings.Contains(text, "**worse** example.com/shop BenchmarkNew") {
		t.Errorf("%s", text)
	}
	var report history.Report
	r = casebook(t, dir, "history", "show", "--json", "--bench", "BenchmarkNew")
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || report.Records != 8 || len(report.Changes) == 0 {
		t.Errorf("%v: %s", err, r.out)
	}
	casebook(t, dir, "history", "show", "--bench", "None").want(t, 0, "0 changes (0 worse) in 0 series")
}

func TestHistoryRefuses(t *testing.T) {
	t.Parallel()
	dir := shopRepo(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"record", "--revision", "."}, "a record is of a commit"},
		{[]string{"record", "--revision", "nowhere"}, "does not know the revision"},
		{[]string{"record", "--rounds", "0"}, "want 1 or more"},
		{[]string{"record", "--bench", "None"}, "no benchmark matches"},
		{[]string{"show", "--branch", "a..b"}, "--branch"},
		{[]string{"show", "--bench", "("}, "--bench"},
		{[]string{"show", "--remote", "nowhere"}, "asking nowhere for branch"},
		{[]string{"show", "--C", "/"}, "not a git repository"},
	} {
		r := casebook(t, dir, append([]string{"history"}, c.args...)...)
		if r.code != 2 || !strings.Contains(r.errors, c.want) {
			t.Errorf("%v: code %d, want 2 and %q in %q", c.args, r.code, c.want, r.errors)
		}
	}
	casebook(t, dir, "history", "show").want(t, 0, "no records yet: casebook history record makes one")
}
