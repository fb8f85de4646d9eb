package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// registrar is a service of the second hold-out, with a lock that is held over a call over HTTP.
const registrar = "../../lab/holdout2/registrar"

// profilesOf copies what was recorded of a service, without what names its module.
func profilesOf(t *testing.T, name string) string {
	t.Helper()
	dir := checkout.Folder(t, name)
	for _, file := range []string{"manifest.json", "runtime.json"} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSourceSettles: with its source at hand a finding says what that settles, in each form; code that was edited since
// is not used, and that is said.
func TestSourceSettles(t *testing.T) {
	evidence := profilesOf(t, "holdout2/registrar")
	code, err := os.ReadFile(filepath.Join(registrar, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	edited := filepath.Join(t.TempDir(), "lab")
	if err := os.CopyFS(edited, fstest.MapFS{
		"go.mod":                     {Data: []byte("module github.com/gocasebook/casebook/lab\n\ngo 1.26.0\n")},
		"holdout2/registrar/main.go": {Data: []byte("// A new line.\n" + string(code))}}); err != nil {
		t.Fatal(err)
	}
	const says, stale = "the lock taken at :54 is held over v.idp.Introspect at :59", "it is not what ran"
	for _, c := range []struct {
		name          string
		args          []string
		want, notWant string
	}{
		{"no source", nil, "confidence 95 %", says},
		{"in short", []string{"--source", registrar}, "source confirms: " + says, stale},
		{"in full", []string{"--source", registrar, "--verbose"}, "confidence 98 %", stale},
		{"Markdown", []string{"--source", registrar, "--markdown"}, "**Source** confirms: " + says, stale},
		{"SARIF", []string{"--source", registrar, "--sarif", "-"}, "The source confirms it: " + says, stale},
		{"edited since", []string{"--source", edited}, stale, says},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := inProcess(t, append([]string{"diagnose", evidence}, c.args...)...)
			text := strings.ReplaceAll(strings.Join(strings.Fields(r.out), " "), `\_`, "_")
			if !strings.Contains(text, c.want) || strings.Contains(text, c.notWant) {
				t.Errorf("want %q and not %q in\n%s\n%s", c.want, c.notWant, text, r.errors)
			}
		})
	}
	r := inProcess(t, "diagnose", evidence, "--json", "--source", registrar)
	var d struct {
		Findings   []casefile.Finding
		SourceNote string `json:"source_note"`
	}
	if err := json.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Findings) == 0 || len(d.Findings[0].Source) == 0 || d.Findings[0].Source[0].Verdict != casefile.Confirms ||
		d.Findings[0].Source[0].Lines[0].Line != 54 || !strings.Contains(d.SourceNote, "does not say of which revision") {
		t.Errorf("the JSON says %+v, and the note is %q", d.Findings, d.SourceNote)
	}
}
