package cli_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/internal/checkout"
)

// findingHead begins a finding, and an empty line ends it.
var findingHead = regexp.MustCompile(`^(CRITICAL|WARNING|NOTICE) +\d+  `)

// TestFindingsFitTwelveLines prints the findings of recordings in the repository, and wants each within 12 lines of
// 80 columns, with a remedy and an ID, and where a more severe one stands below another, the sentence that says why. No
// remedy ends in the middle of a sentence, and nearly each says how behind its title. The programs are by many hands:
// their names and paths are as long as people make them.
//
// It takes every eighth recording of a folder, because all of them take a minute of CPU, and six under the race
// detector: RECORDINGS=all go test ./cli -run TestFindingsFitTwelveLines -v.
func TestFindingsFitTwelveLines(t *testing.T) {
	t.Parallel()
	sets := make(map[string][]string)
	for _, name := range checkout.Cases(t) {
		sets[path.Dir(name)] = append(sets[path.Dir(name)], name)
	}
	every := int64(8)
	if os.Getenv("RECORDINGS") == "all" {
		every = 1
	}
	var findings, below, titles atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d findings, %d below less severe ones, %d whose remedy is a title alone",
			findings.Load(), below.Load(), titles.Load())
		if 50*titles.Load() > findings.Load() {
			t.Errorf("%d of %d remedies do not say how", titles.Load(), findings.Load())
		}
		if findings.Load() < 500/every || below.Load() < 20/every {
			t.Errorf("%d findings, %d below less severe ones: too few to judge", findings.Load(), below.Load())
		}
	})
	for set, names := range sets {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			for i, name := range names {
				if int64(i)%every != 0 {
					continue
				}
				all := printedFindings(inProcess(t, "diagnose", checkout.Folder(t, name)).out)
				findings.Add(int64(len(all)))
				for _, finding := range all {
					fitsTwelveLines(t, name, finding)
					titles.Add(int64(titleAlone(t, name, finding)))
				}
				below.Add(int64(saysWhyBelow(t, name, all)))
			}
		})
	}
}

func fitsTwelveLines(t *testing.T, folder string, finding []string) {
	t.Helper()
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

// ofRemedy is the text behind the label of a remedy.
var ofRemedy = regexp.MustCompile(`(?m)^  remedy (.*(?:\n {9}.*)*)`)

// titleAlone is 1 where the remedy has no sentence behind its title. Its text must end as sentences do.
func titleAlone(t *testing.T, folder string, finding []string) int {
	t.Helper()
	found := ofRemedy.FindStringSubmatch(strings.Join(finding, "\n"))
	if found == nil {
		return 0 // fitsTwelveLines has said so
	}
	text := strings.Join(strings.Fields(found[1]), " ")
	last := text[strings.LastIndexByte(text, ' ')+1:]
	if !strings.ContainsAny(text[len(text)-1:], ".!?") && !strings.Contains(last, "://") { // an address is the source
		t.Errorf("%s: the remedy ends in the middle of a sentence:\n%s", folder, strings.Join(finding, "\n"))
	}
	if strings.Contains(text, ". ") {
		return 0
	}
	return 1
}

// saysWhyBelow counts the findings below less severe ones, each of which must say why.
func saysWhyBelow(t *testing.T, folder string, all [][]string) (below int) {
	t.Helper()
	least := len(severities)
	for _, finding := range all {
		severity := slices.Index(severities, findingHead.FindStringSubmatch(finding[0])[1])
		if severity > least {
			below++
			if text := strings.Join(finding, "\n"); !strings.Contains(text, "\n  order  ") {
				t.Errorf("%s: below a less severe finding, and nothing says why:\n%s", folder, text)
			}
		}
		least = min(least, severity)
	}
	return below
}

// severities are the least severe first.
var severities = []string{"NOTICE", "WARNING", "CRITICAL"}

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
