package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/cli"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

func TestLabList(t *testing.T) {
	for _, s := range lab.Services() {
		inProcess(t, "ls").want(t, 0, s.Name+"/"+s.Diseases[0].Name)
	}
	out := inProcess(t, "ls", "--json")
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
	old := filepath.Join(t.TempDir(), "old.json")
	if err := os.WriteFile(old, []byte(`{"schema": 0}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "needs rows, for instance: lab run phones/gcache"},
		{[]string{"phone"}, `the lab has no "phone"; did you mean phones?`},
		{[]string{"phones/gcache", "--measure", "1s"}, "measure is 1s"},
		{[]string{"phones/gcache", "--with", "nowhere.json"}, "--with: open nowhere.json"},
		{[]string{"phones/gcache", "--with", old}, "run the lab again"},
		{[]string{"phones/gcache", "--doc", "nowhere/lab.md"}, "--doc"},
	} {
		inProcess(t, append([]string{"run"}, c.args...)...).want(t, 2, c.want)
	}
}

// The page can be written again from stored results.
func TestLabPageFromKeptResults(t *testing.T) {
	page := filepath.Join(t.TempDir(), "lab.md")
	inProcess(t, "run", "--with", "../play/testdata/report.json", "--doc", page).want(t, 0, "+ phones/gcache ")
	data, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(data), "### phones/gcache\n") ||
		!strings.Contains(string(data), "## Promised and measured\n") {
		t.Errorf("%v, %.300s", err, data)
	}
}

// Help fits a terminal of 80 columns.
func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"ls", "--help"}, {"run", "--help"}, {"demo", "--help"}} {
		r := inProcess(t, args...)
		r.want(t, 0, "Usage:\n  lab ")
		for _, l := range strings.Split(r.out, "\n") {
			if n := len([]rune(l)); n > 80 {
				t.Errorf("lab %s has a line of %d columns: %s", strings.Join(args, " "), n, l)
			}
		}
	}
	inProcess(t, "rn").want(t, 2, "lab: unknown command", "did you mean run?")
}

// Every command of the lab that a page shows on a line of its own exists, with the flags that the page shows.
func TestCommandsOfPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err == nil {
		var evidence []string
		evidence, err = filepath.Glob("../../docs/evidence/*.md")
		pages = append(pages, evidence...)
	}
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	line, shown := regexp.MustCompile(`(?m)^    (?:bin/)?lab (.*?)(?:\s+#.*)?$`), 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range line.FindAllStringSubmatch(string(text), -1) {
			shown++
			args := strings.Fields(l[1])
			help := inProcess(t, args[0], "--help")
			help.want(t, 0)
			for _, a := range args[1:] {
				if flag, _, _ := strings.Cut(a, "="); strings.HasPrefix(flag, "--") &&
					!strings.Contains(help.out+help.errors, flag) {
					t.Errorf("%s: lab %s has no %s", page, args[0], flag)
				}
			}
		}
	}
	t.Logf("%d commands", shown)
}

// Ctrl-C in the middle of a row: nothing is left running, and the row is kept and printed.
func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	dir, bin := t.TempDir(), stagetest.Lab(t)
	kept := filepath.Join(dir, "lab.json")
	cmd := exec.CommandContext(t.Context(), bin, "run", "phones/gcache", "--json", kept, "--doc",
		filepath.Join(dir, "lab.md"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if strings.Contains(lines.Text(), "phones runs") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
		}
	}
	_ = cmd.Wait() // its exit code says it
	result{cmd.ProcessState.ExitCode(), said.String(), ""}.want(t, 2, "! phones/gcache: not finished: interrupted",
		"every process of the lab has ended")
	stagetest.NoChildren(t, bin)
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

// A result is what the command printed and how it ended.
type result struct {
	code        int
	out, errors string
}

func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d; it said:\n%s%s", r.code, code, r.out, r.errors)
	}
	for _, text := range texts {
		if !strings.Contains(r.out+r.errors, text) {
			t.Errorf("want %q in:\n%s%s", text, r.out, r.errors)
		}
	}
}

func inProcess(t *testing.T, args ...string) result {
	t.Helper()
	var out, errs strings.Builder
	code := cli.Run(t.Context(), args, &out, &errs)
	return result{code, out.String(), errs.String()}
}
