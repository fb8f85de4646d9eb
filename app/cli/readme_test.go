package cli_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every command that the README shows exists, with the flags it shows.
func TestREADMECommands(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^    bin/casebook (.*?)(?:\s+#.*)?$`).FindAllStringSubmatch(readme(t), -1)
	if len(lines) < 8 {
		t.Fatalf("the README shows %d commands; has its form changed?", len(lines))
	}
	for _, l := range lines {
		args := strings.Fields(l[1])
		words := args[:1]
		if args[0] == "case" || args[0] == "lab" {
			words = args[:2]
		}
		help := inProcess(t, append(words, "--help")...)
		help.want(t, 0, "casebook "+strings.Join(words, " "))
		for _, a := range args {
			if flag, _, _ := strings.Cut(a, "="); strings.HasPrefix(flag, "-") {
				help.want(t, 0, flag)
			}
		}
	}
}

// The README's rules are rules.
func TestREADMERules(t *testing.T) {
	found := regexp.MustCompile(`(?s)    \{"schema": 1, "rules": \[.*?\n    \]\}`).FindString(readme(t))
	rules, err := rule.Parse([]byte(found), nil)
	if err != nil || len(rules) != 2 {
		t.Errorf("%d rules, %v, in:\n%s", len(rules), err, found)
	}
}

// The README names every kind of finding and every signal, and no others.
func TestREADMENames(t *testing.T) {
	text := readme(t)
	_, table, _ := strings.Cut(text, "## What it finds today\n")
	table, _, _ = strings.Cut(table, "\n## ")
	kinds := make(map[string]bool)
	for _, d := range diagnose.Detectors() {
		kinds[d.Kind] = true
		if !strings.Contains(table, "`"+d.Kind+"`") {
			t.Errorf("%s is not in the README's table", d.Kind)
		}
	}
	for _, named := range regexp.MustCompile("`([a-z]+-[a-z-]+)`").FindAllStringSubmatch(table, -1) {
		if !kinds[named[1]] {
			t.Errorf("the README's table has %s, which no detector finds", named[1])
		}
	}
	for _, name := range vitals.Names() {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the signal %s is not in the README", name)
		}
	}
}

// The Go code that the README shows is code of example_test.go, which compiles and runs.
func TestREADMEExample(t *testing.T) {
	code := regexp.MustCompile(`(?m)^    requests := [\s\S]*?^    \}\)\n`).FindString(readme(t))
	if code == "" {
		t.Fatal("the README shows no code; has its form changed?")
	}
	example := strings.Fields(string(read(t, "../../example_test.go")))
	if !strings.Contains(strings.Join(example, " "), strings.Join(strings.Fields(code), " ")) {
		t.Errorf("example_test.go does not hold the README's code:\n%s", code)
	}
}
