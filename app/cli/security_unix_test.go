//go:build unix

package cli_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// openly runs the command with umask 0, so that a mode is the one that the code asks for.
func openly(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `umask 0; exec "$@"`, "sh", bin}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != 1 { // 1: findings
		t.Fatalf("casebook %v: %v\n%s", args, err, out)
	}
}

// written makes what a row of the table in SECURITY.md is about, below dir. The file or folder that the row names is
// what counts.
var written = map[string]func(t *testing.T, dir, url string) (path string){
	"the folder of cases": func(t *testing.T, dir, url string) string {
		openly(t, dir, "watch", "--once", "--rules", write(t, "r.json", tripRules), "--dir", "cases",
			"--webhook", "http://127.0.0.1:1/", "--slack", "http://127.0.0.1:1/", "--collector",
			"http://127.0.0.1:1/", url)
		blackBox(t, filepath.Join(dir, "cases"))
		for _, want := range []string{".spool/*", ".spool-webhook/*", ".spool-slack/*", ".state-*", ".blackbox-*",
			"*/case.json",
			"*/report.html", "*/heap*.pb.gz"} {
			if found, err := filepath.Glob(filepath.Join(dir, "cases", want)); err != nil || len(found) == 0 {
				t.Errorf("there is no %s: the folder does not have all that it may have", want)
			}
		}
		return "cases"
	},
	"the file of `--report-file`": func(t *testing.T, dir, url string) string {
		openly(t, dir, "watch", "--once", "--rules", write(t, "r.json", tripRules), "--report-file", "told.jsonl", url)
		return "told.jsonl"
	},
	"the zip of `case export`": func(t *testing.T, dir, url string) string {
		openly(t, dir, "capture", "--kinds", "heap", "--before", "0s", url)
		openly(t, dir, "case", "export", "-o", "zips/plain.zip")
		openly(t, dir, "case", "export", "--anonymize", "-o", "zips/anonymous.zip")
		return "zips"
	},
	"results and pages of `load --out`, `load --html`": func(t *testing.T, dir, url string) string {
		openly(t, dir, "load", "--rate", "50", "-n", "5", "--out", "zips/load.json", "--html", "zips/load.html",
			url+"/debug/pprof/")
		return "zips"
	},
	"the files of `diagnose --sarif`": func(t *testing.T, dir, url string) string {
		openly(t, dir, "diagnose", "--profile", "1s", "--sarif", "zips/found.sarif", url)
		return "zips"
	},
}

// blackBox leaves the black box of a service that was killed.
func blackBox(t *testing.T, dir string) {
	t.Helper()
	service := exec.CommandContext(t.Context(), "sh", "-c", `umask 0; exec "$0"`, os.Args[0])
	service.Env = append(os.Environ(), selfDir+"="+dir)
	in, err := service.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := service.StdoutPipe()
	if err == nil {
		err = service.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscanln(out, new(string)); err != nil {
		t.Fatal(err)
	}
	if err := service.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = service.Wait() // it says that it was killed
}

// securityRow is a row of the table of modes: what, folders, files.
var securityRow = regexp.MustCompile(`(?m)^\| (the .+|results .+) \| (0[0-7]{3})? ?\| (0[0-7]{3}) \|$`)

// TestSecurityModes makes every file that the table of SECURITY.md names and compares its mode with the table's.
func TestSecurityModes(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := securityRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) != len(written) {
		t.Fatalf("SECURITY.md's table has %d rows, this test makes %d: %q", len(rows), len(written), rows)
	}
	url := start(t)
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			what, _, _ := strings.Cut(row[1], " (`--dir`")
			make, known := written[what]
			if !known {
				t.Fatalf("this test does not know how to make %q", what)
			}
			dir := t.TempDir()
			if err := os.Mkdir(filepath.Join(dir, "zips"), 0o700); err != nil {
				t.Fatal(err)
			}
			hold(t, filepath.Join(dir, make(t, dir, url)), octal(t, row[2]), octal(t, row[3]))
		})
	}
}

func octal(t *testing.T, text string) fs.FileMode {
	t.Helper()
	if text == "" {
		return 0o700 // the test's own folder around the files
	}
	mode, err := strconv.ParseUint(text, 8, 32)
	if err != nil {
		t.Fatal(err)
	}
	return fs.FileMode(mode)
}

// hold compares the modes of everything at and below a path.
func hold(t *testing.T, path string, folder, file fs.FileMode) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := folder
		if !d.IsDir() {
			want = file
			files++
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %04o, SECURITY.md says %04o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%s: %d files, %v", path, files, err)
	}
}
