package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/cli"
)

func TestManual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	var out bytes.Buffer
	if code := cli.Run(t.Context(), []string{"man", dir}, &out, &out); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	for page, want := range map[string]string{
		"casebook.1": "casebook-watch", "casebook-watch.1": "rolling", "casebook-case-show.1": "json",
		"casebook-completion-bash.1": "bash",
	} {
		data, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: error %v, want %q in %d bytes", page, err, want, len(data))
		}
	}
	// Test programs have no commit. cobra would say January of the year 1, or the day on which the page was written.
	page, err := os.ReadFile(filepath.Join(dir, "casebook-case-show.1"))
	if head := `.TH "CASEBOOK-CASE-SHOW" "1" "" "casebook `; err != nil || !strings.Contains(string(page), head) {
		t.Errorf("error %v, no %q in %.120q", err, head, page)
	}
	if _, err := exec.LookPath("groff"); err != nil {
		t.Log("groff is not installed: the pages were not typeset")
		return
	}
	pages, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	for _, page := range pages {
		if out, err := exec.Command("groff", "-man", "-Tutf8", "-z", "-wmac", "-Wbreak",
			page).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("groff %s: %v %s", filepath.Base(page), err, out)
		}
	}
}

func TestManualSaysWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := cli.Run(t.Context(), []string{"man", file}, &out, &out); code != 2 ||
		!strings.Contains(out.String(), "folder") {
		t.Errorf("exit code %d, %q; want 2 and a word on the folder", code, out.String())
	}
}
