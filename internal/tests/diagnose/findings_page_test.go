package diagnose_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/golden"
)

const findingsPage = "../../../docs/findings.md"

// TestFindingsPage writes docs/findings.md from the detectors with -update, and fails when the page is out of date.
func TestFindingsPage(t *testing.T) {
	checkout.Need(t)
	golden.Is(t, findingsPage, writeFindings(t, diagnose.Detectors()))
}

// families are the letters that IDs begin with, in the order of the page.
var families = []struct{ prefix, title string }{
	{"GC", "The garbage collector"},
	{"AL", "Allocations"},
	{"MEM", "Memory"},
	{"GO", "Goroutines"},
	{"LK", "Locks"},
	{"WT", "Waiting"},
	{"CH", "Channels"},
	{"NET", "The network"},
	{"LAT", "Latency"},
	{"CPU", "CPU"},
	{"IO", "Files"},
	{"SC", "The scheduler and the kernel"},
	{"DEP", "Dependencies, and Go itself"},
	{"CR", "The end of the process"},
	{"EV", "The evidence itself"},
}

// findingsHead has quotes where the page has backquotes.
const findingsHead = `# Kinds of findings

    $ casebook detectors
    ID     kind                       needs             what is wrong
    AL001  alloc-site                 heap|allocs       One allocation site makes
                                                        most of the garbage
    …

This page is for people who want to know what Casebook can find. It lists %d kinds of findings, and %d that say what is
wrong with the evidence itself: the ID and the kind, which never change, what is wrong, and the evidence without which
the kind cannot be judged. 'casebook explain KIND' says more of one: its thresholds and their reasons, what it cannot
tell, the remedies with their price, and the fault and its repair as a few lines of Go. [diagnose.md](diagnose.md) says
how to read a finding.

'go test ./internal/tests/diagnose -run TestFindingsPage -update' writes this page. Do not edit it by hand.
`

func writeFindings(t *testing.T, detectors []diagnose.Detector) string {
	t.Helper()
	detectors = slices.Clone(detectors)
	slices.SortStableFunc(detectors, func(a, b diagnose.Detector) int { return strings.Compare(a.ID, b.ID) })
	var b strings.Builder
	evidence := 0 // kinds that judge it, and are no findings
	for _, d := range detectors {
		if strings.HasPrefix(d.Kind, "evidence-") {
			evidence++
		}
	}
	fmt.Fprintf(&b, strings.ReplaceAll(findingsHead, "'", "`"), len(detectors)-evidence, evidence)
	written := 0
	for _, family := range families {
		fmt.Fprintf(&b, "\n## %s\n\n| ID | kind | what is wrong | needs |\n|---|---|---|---|\n", family.title)
		for _, d := range detectors {
			if strings.TrimRight(d.ID, "0123456789") == family.prefix {
				fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", d.ID, d.Kind, d.Title, needsInWords(d.Needs))
				written++
			}
		}
	}
	if written != len(detectors) {
		t.Errorf("%d of %d detectors are on the page; is there a new family of IDs?", written, len(detectors))
	}
	b.WriteString(otherNames(t, detectors))
	return b.String()
}

// otherNames is the table of the names under which people look for kinds. None of them is a kind itself.
func otherNames(t *testing.T, detectors []diagnose.Detector) string {
	t.Helper()
	kinds := make(map[string][]string)
	for _, d := range detectors {
		for _, name := range d.OtherNames {
			kinds[name] = append(kinds[name], "`"+d.Kind+"`")
		}
	}
	var b strings.Builder
	b.WriteString("\n## Other names\n\nThese have the same cause and the same remedy as kinds above.\n\n" +
		"| name | is found as |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if slices.ContainsFunc(detectors, func(d diagnose.Detector) bool { return d.Kind == name || d.ID == name }) {
			t.Errorf("%s is a kind, and another name of %s", name, kinds[name])
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, strings.Join(kinds[name], ", "))
	}
	return b.String()
}

// needsInWords lists needs: each must be met, by any of its kinds.
func needsInWords(needs []diagnose.Need) string {
	var all []string
	for _, n := range needs {
		all = append(all, strings.Join(n.Kinds, " or "))
	}
	if len(all) == 0 {
		return "any"
	}
	return strings.Join(all, "; ")
}
