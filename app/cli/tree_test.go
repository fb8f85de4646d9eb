package cli_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// treeRow is a row of SECURITY.md's table of what commands run of a source tree.
var treeRow = regexp.MustCompile("(?m)^\\| `casebook ([a-z ]+)` \\| (.+) \\|$")

// Each command that takes a folder of source says in its help whether it runs code of it, and SECURITY.md says the same.
func TestCodeOfTheTree(t *testing.T) {
	documented := make(map[string]string)
	for _, row := range treeRow.FindAllStringSubmatch(page(t, "SECURITY.md"), -1) {
		documented[row[1]] = row[2]
	}
	var said []string
	for _, name := range everyCommand(t, nil) {
		help := inProcess(t, append(strings.Fields(name), "--help")...).out
		_, text, says := strings.Cut(help, "Runs code of the source tree: ")
		if text, _, _ = strings.Cut(text, "\n\n"); says {
			said = append(said, name)
			if text = strings.TrimSuffix(strings.Join(strings.Fields(text), " "), "."); documented[name] != text {
				t.Errorf("the help of casebook %s says %q, SECURITY.md %q", name, text, documented[name])
			}
		}
		takes := regexp.MustCompile(`(?m)^ +(-C|--C|--source|--repository|--against) `).MatchString(help)
		if takes && !says {
			t.Errorf("casebook %s takes a folder of source, and its help does not say whether it runs code of it", name)
		}
	}
	for name := range documented {
		if !slices.Contains(said, name) {
			t.Errorf("SECURITY.md says what casebook %s runs, and its help does not", name)
		}
	}
	if want := documented["fix"]; want == "" || !strings.Contains(page(t, "docs/fix.md"), "tree? N"+want[1:]) {
		t.Errorf("docs/fix.md does not say what fix runs: %q", want)
	}
}

// everyCommand are those without commands below them, as the help lists them.
func everyCommand(t *testing.T, above []string) (names []string) {
	t.Helper()
	_, list, ok := strings.Cut(inProcess(t, append(slices.Clone(above), "--help")...).out, "\nCommands:\n")
	if !ok {
		return []string{strings.Join(above, " ")}
	}
	list, _, _ = strings.Cut(list, "\n\n")
	for _, row := range regexp.MustCompile(`(?m)^  ([a-z-]+) `).FindAllStringSubmatch(list, -1) {
		if row[1] != "help" && row[1] != "completion" {
			names = append(names, everyCommand(t, append(slices.Clone(above), row[1]))...)
		}
	}
	if len(above) > 0 && above[0] == "gate" { // it runs by itself, too
		names = append(names, "gate")
	}
	return names
}
