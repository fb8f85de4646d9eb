package diagnose_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestREADMESaysWhatIsFoundInHealthyServices: the figures in README.md, and on the page that it leads to, are those of
// the recorded evidence.
func TestREADMESaysWhatIsFoundInHealthyServices(t *testing.T) {
	modules, quiet := 0, 0
	for _, m := range moduleCases(t, "modules", "modules", 30) {
		if m.Healthy {
			modules++ // TestModules wants no finding of each, but of work that it tolerates
			if len(judged(t, "modules/"+m.Name).Findings) == 0 {
				quiet++
			}
		}
	}
	c := censusOfHealthy(t)
	want := fmt.Sprintf("%d of %d captures of healthy and repaired programs have no finding, %s have notices below "+
		"%d, and %s; %d of %d services that use the most imported modules under load have none",
		c.silent, c.captures, inWords(c.noticed), loud, warned(c.warnings), quiet, modules)
	t.Log(want)
	for _, page := range []string{"README.md", "docs/evidence/accuracy.md"} {
		b, err := os.ReadFile("../../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(string(b)), " "); !strings.Contains(got, want) {
			t.Errorf("%s does not say: %s", page, want)
		}
	}
}

// loud is the score of a warning.
const loud = 50

// A healthyCensus counts captures of programs that have nothing wrong with them.
type healthyCensus struct {
	captures, silent, noticed int
	warnings                  []int // the highest score of each capture with a warning
}

func censusOfHealthy(t *testing.T) (c healthyCensus) {
	for _, p := range provenCases(t) {
		if !p.healthy() {
			continue
		}
		c.captures++
		highest := 0
		for _, f := range p.findings {
			highest = max(highest, f.Score)
		}
		switch {
		case highest == 0:
			c.silent++
		case highest < loud:
			c.noticed++
		default:
			c.warnings = append(c.warnings, highest)
		}
	}
	return c
}

// warned says how many captures have warnings, and with what score.
func warned(scores []int) string {
	switch len(scores) {
	case 0:
		return "none has a warning"
	case 1:
		return fmt.Sprintf("one has a warning of %d", scores[0])
	}
	return fmt.Sprintf("%s have warnings of %s", inWords(len(scores)), strings.Trim(fmt.Sprint(scores), "[]"))
}

// inWords is a number as the README writes it: in words up to twelve.
func inWords(n int) string {
	words := strings.Fields("none one two three four five six seven eight nine ten eleven twelve")
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
