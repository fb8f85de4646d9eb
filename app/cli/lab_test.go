package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/lab"
	"github.com/gocasebook/casebook/app/lab/stage/stagetest"
)

func TestLabList(t *testing.T) {
	for _, s := range lab.Services() {
		inProcess(t, "lab", "ls").want(t, 0, s.Name+"/"+s.Diseases[0].Name)
	}
	out := inProcess(t, "lab", "ls", "--json")
	var rows []struct{ Name, Sick, Cure, Key string }
	if err := json.Unmarshal([]byte(out.out), &rows); err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Name == "" || r.Sick == "" || r.Cure == "" {
			t.Errorf("row %+v", r)
		}
	}
}

func TestLabRunRefuses(t *testing.T) {
	old := write(t, "old.json", `{"schema": 0}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "needs rows, for instance: casebook lab run phones/gcache"},
		{[]string{"phone"}, `the lab has no "phone"; did you mean phones?`},
		{[]string{"phones/gcache", "--measure", "1s"}, "measure is 1s"},
		{[]string{"phones/gcache", "--with", "nowhere.json"}, "--with: open nowhere.json"},
		{[]string{"phones/gcache", "--with", old}, "run the lab again"},
		{[]string{"phones/gcache", "--doc", "nowhere/lab.md"}, "--doc"},
	} {
		inProcess(t, append([]string{"lab", "run"}, c.args...)...).want(t, 2, c.want)
	}
}

// The page can be made anew from results that were kept.
func TestLabPageFromKeptResults(t *testing.T) {
	page := filepath.Join(t.TempDir(), "lab.md")
	inProcess(t, "lab", "run", "--with", "../lab/bench/testdata/report.json", "--doc", page).want(t, 0, "+ phones/gcache ")
	data, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(data), "### phones/gcache\n") || !strings.Contains(string(data), "## Promised and measured\n") {
		t.Errorf("%v, %.300s", err, data)
	}
}

// Ctrl-C in the middle of a row: nothing is left, and the row is kept and printed.
func TestLabRunInterrupted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kept := filepath.Join(dir, "lab.json")
	b := begin(t, dir, "lab", "run", "phones/gcache", "--json", kept, "--doc", filepath.Join(dir, "lab.md"))
	b.await(t, "phones runs")
	b.stop(t).want(t, 2, "! phones/gcache: not finished: interrupted", "every process of the lab has ended")
	if left := stagetest.Children(bin, "\x00lab\x00"); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
	var rep struct {
		Rows []struct{ Service, Error string }
	}
	data, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &rep); err != nil || len(rep.Rows) != 1 || rep.Rows[0].Error != "interrupted" {
		t.Errorf("kept %s, %v", data, err)
	}
}
