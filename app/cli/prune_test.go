package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// oldCases writes n cases of a rule, the first opened hours ago and each an hour after the one before. It returns their
// IDs, oldest first.
func oldCases(t *testing.T, dir string, n, hours int) []string {
	t.Helper()
	var ids []string
	for i := range n {
		w, err := casefile.Dir(dir).Create(casefile.Case{
			Opened:  time.Now().Add(-time.Duration(hours-i) * time.Hour),
			Target:  casefile.Target{Name: "victim"},
			Trigger: casefile.Trigger{Rule: "gc-cpu", Text: "gc_cpu was 31 %, above 25 % for 5s"},
		})
		if err != nil {
			t.Fatal(err)
		}
		e := casefile.Evidence{File: "notes.txt", Kind: casefile.CPU, Phase: casefile.During, Taken: time.Now()}
		if err := w.Add(e, []byte(strings.Repeat("x", 600_000))); err != nil {
			t.Fatal(err)
		}
		f, err := w.Commit()
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, f.Case.ID)
	}
	return ids
}

func wantLeft(t *testing.T, dir string, ids ...string) {
	t.Helper()
	list, err := casefile.Dir(dir).List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range list {
		got = append(got, list[len(list)-1-i].ID)
	}
	if strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("%q are left, want %q", got, ids)
	}
}

func TestCasePrune(t *testing.T) {
	dir := t.TempDir()
	ids := oldCases(t, dir, 5, 10)
	prune := func(args ...string) result {
		return casebook(t, t.TempDir(), append([]string{"case", "prune", "--dir", dir}, args...)...)
	}
	prune().want(t, 0, "removed 0 cases", "5 cases left, 2.86 MiB") // within the defaults
	prune("--dry-run", "--keep-cases", "3").want(t, 0, "would remove "+ids[1], "would remove "+ids[2],
		"would remove 2 cases, 1.15 MiB; 3 cases left")
	wantLeft(t, dir, ids...)
	prune("--keep-bytes", "2.5MiB").want(t, 0, "removed "+ids[1], "removed 1 case, ", "4 cases left")
	wantLeft(t, dir, ids[0], ids[2], ids[3], ids[4])
	prune("--keep-age", "7h30m").want(t, 0, "removed "+ids[2])
	wantLeft(t, dir, ids[0], ids[3], ids[4])
	over := prune("--keep-bytes", "1MiB")
	over.want(t, 0, "removed "+ids[3], "2 cases left take 1.15 MiB", "above --keep-bytes", "case rm")
	narrow(t, over.out)
	wantLeft(t, dir, ids[0], ids[4])

	r := prune("--json", "--keep-cases", "-1", "--keep-age", "-1s", "--keep-bytes", "-1")
	r.want(t, 0)
	var p casefile.Pruned
	if err := json.Unmarshal([]byte(r.out), &p); err != nil || p.Cases != 2 || p.Removed == nil || p.Bytes < 1_200_000 {
		t.Errorf("%+v, %v of:\n%s", p, err, r.out)
	}
}

func TestPruneBadInput(t *testing.T) {
	url := start(t)
	for i, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--keep-bytes", "0"}, []string{"--keep-bytes is 0", "-1 for no limit"}},
		{[]string{"--keep-bytes", "12"}, []string{"--keep-bytes is 12B", "1MiB or more"}},
		{[]string{"--keep-bytes", "1GiBs"}, []string{"--keep-bytes", "1GiBs", "such as 1GiB"}},
		{[]string{"--keep-bytes", "NaN"}, []string{"--keep-bytes", "such as 1GiB"}},
		{[]string{"--keep-bytes", "9e9TiB"}, []string{"--keep-bytes", "such as 1GiB"}},
		{[]string{"--keep-age", "0s"}, []string{"--keep-age is 0s"}},
		{[]string{"--keep-age", "30ms"}, []string{"--keep-age", "30ms", "1m or more"}},
		{[]string{"--keep-cases", "0"}, []string{"--keep-cases is 0"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			dir := t.TempDir()
			oldCases(t, dir+"/casebook-cases", 1, 1)
			casebook(t, dir, append([]string{"case", "prune"}, c.args...)...).want(t, 2, c.want...)
			if i < 2 { // watch has the same flags
				casebook(t, dir, append([]string{"watch", url}, c.args...)...).want(t, 2, c.want...)
			}
		})
	}
	casebook(t, t.TempDir(), "case", "prune", "--dir", write(t, "file", "x")).want(t, 2, "give another path")
	casebook(t, t.TempDir(), "case", "prune", "--dir", "none").want(t, 0, "0 cases left")
}

// A watch prunes when it starts and after each case, and says so.
func TestWatchPrunes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ids := oldCases(t, dir, 4, 10)
	url := start(t, "-park", "10")
	rules := write(t, "rules.json", `{"schema": 1, "rules": [
	  {"name": "gc-cpu", "warmup": "-1s", "capture": ["goroutine"], "when": {"signal": "goroutines", "above": 5}}]}`)
	r := casebook(t, t.TempDir(), "watch", "--once", "--for", "10m", "--rules", rules, "--dir", dir, "--keep-cases",
		"3", url)
	r.want(t, 0, "removed 1 case to stay within the limits", "Case    ")
	if n := strings.Count(r.errors, "removed 1 case "); n != 2 {
		t.Errorf("it reported %d removals, want one at the start and after the case:\n%s", n, r.errors)
	}
	list, err := casefile.Dir(dir).List()
	if err != nil || len(list) != 3 || list[2].ID != ids[0] || list[1].ID != ids[3] {
		t.Errorf("%+v are left (%v), want the first, the newest of before and the new one", list, err)
	}

	j := casebook(t, t.TempDir(), "watch", "--json", "--for", "1s", "--dir", dir, "--keep-bytes", "1MiB", url)
	j.want(t, 0, `"event":"pruned"`, `"removed":["`+ids[3]+`"]`)
}
