package terminal

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestVerdictFirst: the verdict is what is printed first, then the chain behind it; the reasons only where all is asked
// for.
func TestVerdictFirst(t *testing.T) {
	d := casefile.Diagnosis{
		Verdict: &casefile.CaseVerdict{Text: "Requests are late.", Settle: "curl it"},
		Causes: []casefile.Cause{{Links: []casefile.Link{{ID: "LK004", Kind: "lock-held-io", Text: "A lock is held"},
			{Signal: "goroutines", Text: "goroutines 900, 20 at first", Why: "each that waits is a goroutine"}}}},
	}
	var short, full strings.Builder
	Diagnosis(&short, d, "more")
	Diagnosis(&full, d, "")
	want := "Verdict  Requests are late.\nsettle   curl it\n\nchain    LK004 lock-held-io\n" +
		"      →  goroutines 900, 20 at first\n\n"
	if !strings.HasPrefix(short.String(), want) {
		t.Errorf("printed\n%s\nwant first\n%s", &short, want)
	}
	if strings.Contains(short.String(), nothingFound) {
		t.Errorf("printed\n%s\nwhile requests are late", &short)
	}
	if !strings.Contains(full.String(), "because each that waits is a goroutine") {
		t.Errorf("printed in full\n%s\nwant the reasons of the links", &full)
	}
}
