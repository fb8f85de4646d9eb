package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/report"
)

// The page of a case has the opinion that was just given.
func TestAnswerDrawsThePage(t *testing.T) {
	f := waiting(t)
	if err := casework.DrawPage(f, report.Links{}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "answer.json")
	text := `{"author":"Ann","place":[{"function":"main.(*catalogue).load"}],"cause":"nobody <sends> any more"}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code := command.Run(t.Context(), rootCommand(), []string{"answer", f.Path, file}, io.Discard, io.Discard)
	if code != command.ExitOK && code != command.ExitFindings {
		t.Fatalf("casebook answer ended with %d", code)
	}
	page, err := os.ReadFile(casework.PagePath(f.Path))
	if err != nil || !strings.Contains(string(page), "nobody &lt;sends&gt; any more") {
		t.Errorf("%v; the page does not have the opinion", err)
	}
}
