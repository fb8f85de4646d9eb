package cli_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/rule"
)

func readme(t *testing.T) string {
	t.Helper()
	return page(t, "README.md")
}

// Nobody reads a README that says everything. What does not fit belongs in docs.
func TestREADMELength(t *testing.T) {
	const most = 950
	if n := len(strings.Fields(readme(t))); n > most {
		t.Errorf("the README has %d words, want %d at the most", n, most)
	}
}

// The finding in the README is what Casebook prints for that evidence. Lines of dots stand for what is left out.
func TestREADMEFinding(t *testing.T) {
	shown := regexp.MustCompile(`(?m)^    \$ bin/casebook diagnose (\S+)\n((?:    .*\n)+)`).FindStringSubmatch(
		readme(t))
	if shown == nil {
		t.Fatal("the README shows no finding; has its form changed?")
	}
	r := inProcess(t, "diagnose", filepath.Join(repository, shown[1]))
	rest := r.out
	for _, part := range regexp.MustCompile(`(?m)^ +\.\.\.\n`).Split(shown[2], -1) {
		part = regexp.MustCompile(`(?m)^    `).ReplaceAllString(part, "")
		_, after, found := strings.Cut("\n"+rest, "\n"+part)
		if !found {
			t.Fatalf("the README says\n%s\nand casebook diagnose %s:\n%s%s", part, shown[1], r.out, r.errors)
		}
		rest = after
	}
}

// The README says how many kinds of findings there are. Those that judge the evidence itself never are findings.
func TestREADMECountsKinds(t *testing.T) {
	kinds := slices.DeleteFunc(diagnose.Detectors(), func(d diagnose.Detector) bool {
		return strings.HasPrefix(d.Kind, "evidence-")
	})
	want := fmt.Sprintf("[%d kinds of findings](docs/findings.md)", len(kinds))
	if !strings.Contains(readme(t), want) {
		t.Errorf("the README does not say %q", want)
	}
}

// The rules in docs/rules.md are valid rules.
func TestRulesOfPage(t *testing.T) {
	found := regexp.MustCompile(`(?s)    \{"schema": 1, "rules": \[.*?\n    \]\}`).FindString(page(t, "docs/rules.md"))
	rules, err := rule.Parse([]byte(found), nil)
	if err != nil || len(rules) != 2 {
		t.Errorf("%d rules, %v, in:\n%s", len(rules), err, found)
	}
}

// The Go code in the README and in docs/embed.md is code of example_test.go, which compiles and runs.
func TestREADMEExample(t *testing.T) {
	example := strings.Join(strings.Fields(page(t, "example_test.go")), " ")
	for _, name := range []string{"README.md", "docs/embed.md"} {
		code := regexp.MustCompile(`(?m)^    requests := [\s\S]*?^    \}\)\n`).FindString(page(t, name))
		if code == "" {
			t.Fatalf("%s shows no code; has its form changed?", name)
		}
		if !strings.Contains(example, strings.Join(strings.Fields(code), " ")) {
			t.Errorf("example_test.go does not hold the code of %s:\n%s", name, code)
		}
	}
}
