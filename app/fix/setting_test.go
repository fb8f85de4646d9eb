package fix_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/fix"
	"github.com/gocasebook/casebook/casefile"
)

// TestSettingsOf: the value of the first remedy that has one.
func TestSettingsOf(t *testing.T) {
	f := casefile.Finding{Remedies: []casefile.Remedy{
		{Kind: casefile.Package, Title: "Let GOGC=1 be"},
		{Kind: casefile.Value, Title: "Give the process more memory"},
		{Kind: casefile.Value, Title: "GOGC=400 and GOMEMLIMIT=900MiB", Env: "GOGC=400 GOMEMLIMIT=900MiB"},
		{Kind: casefile.Value, Title: "GOGC=off", Env: "GOGC=off"}}}
	if got := strings.Join(fix.SettingsOf(f), " "); got != "GOGC=400 GOMEMLIMIT=900MiB" {
		t.Errorf("the settings are %q", got)
	}
}

// TestSetting: the one file that says how the program is started gets the lines; where there are several, none, or one
// that sets it, the lines are said.
func TestSetting(t *testing.T) {
	const docker = "FROM golang AS build\nCMD [\"x\"]\nFROM scratch\nCOPY --from=build /x /x\nENTRYPOINT [\"/x\"]\n"
	const unit = "[Unit]\nDescription=x\n[Service]\nExecStart=/x\n"
	for _, c := range []struct {
		name         string
		files        map[string]string
		diff, refuse string
	}{
		{"Dockerfile", map[string]string{"deploy/Dockerfile": docker},
			"+ENV GOGC=400\n+ENV GOMEMLIMIT=900MiB\n ENTRYPOINT", ""},
		{"unit", map[string]string{"x.service": unit}, " [Service]\n+Environment=GOGC=400\n", ""},
		{"set already", map[string]string{"Dockerfile": "FROM scratch\nENV GOGC=50\nCMD x\n"}, "",
			"Dockerfile:2 has GOGC already"},
		{"both", map[string]string{"Dockerfile": docker, "x.service": unit}, "", "2 files say"},
		{"none", nil, "", `env: [{name: GOGC, value: "400"}, {name: GOMEMLIMIT, value: "900MiB"}] in a pod`},
		{"no place", map[string]string{"Dockerfile": "FROM scratch\n"}, "", "has no place"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(dir, name), text)
			}
			res, err := fix.Propose(t.Context(), fix.Config{Dir: dir}, []fix.Target{{Name: "x", Kind: "gc-frequency",
				Settings: []string{"GOGC=400", "GOMEMLIMIT=900MiB"}}})
			if err != nil || len(res.Proposals) != 1 {
				t.Fatalf("%+v, %v", res, err)
			}
			p := res.Proposals[0]
			if !strings.Contains(p.Diff, c.diff) || (p.Diff == "") != (c.diff == "") ||
				!strings.Contains(p.Refused, c.refuse) || (p.Refused == "") != (c.refuse == "") {
				t.Errorf("want %q or %q, got\n%s\n%s", c.diff, c.refuse, p.Diff, p.Refused)
			}
		})
	}
}
