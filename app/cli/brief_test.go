package cli_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// findingHead begins a finding, and an empty line ends it.
var findingHead = regexp.MustCompile(`^(CRITICAL|WARNING|NOTICE) +\d+  `)

// The recordings are of programs by other hands: their names and paths are as long as people make them.
func TestFindingsFitTwelveLines(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("../../diagnose/testdata/real/*")
	if err != nil || len(folders) < 20 {
		t.Fatalf("%d recordings: %v", len(folders), err)
	}
	findings, longest := 0, 0
	for _, folder := range folders {
		for _, finding := range printedFindings(inProcess(t, "diagnose", folder).out) {
			findings, longest = findings+1, max(longest, len(finding))
			text := strings.Join(finding, "\n")
			if len(finding) > 12 {
				t.Errorf("%s: %d lines:\n%s", folder, len(finding), text)
			}
			for _, label := range []string{"\n  remedy ", "\n  id     "} {
				if !strings.Contains(text, label) {
					t.Errorf("%s: no %q in\n%s", folder, label, text)
				}
			}
			for _, line := range finding {
				if n := utf8.RuneCountInString(line); n > 80 && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%s: %d columns: %s", folder, n, line)
				}
			}
		}
	}
	if findings < 20 {
		t.Errorf("%d findings, too few to judge", findings)
	}
	t.Logf("%d findings of %d recordings, %d lines at most", findings, len(folders), longest)
}

func printedFindings(out string) [][]string {
	var all [][]string
	var now []string
	for line := range strings.SplitSeq(out+"\n", "\n") {
		switch {
		case findingHead.MatchString(line):
			now = []string{line}
		case line == "" && now != nil:
			all, now = append(all, now), nil
		case now != nil:
			now = append(now, line)
		}
	}
	return all
}
