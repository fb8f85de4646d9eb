package render

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRemarksSARIF: remarks have the form of the standard, files are relative to the root where they are below it, equal
// lines have fingerprints of their own, and what was not analyzed is a notification.
func TestRemarksSARIF(t *testing.T) {
	remark := Remark{Rule: "splitone", File: "/home/me/shop/a b.go", Line: 7, Column: 3, Text: "use [Cut](http://evil)",
		Identity: "x", Share: .25}
	again, outside := remark, remark
	again.Line, outside.File = 9, "/usr/lib/go/x.go"
	var b strings.Builder
	if err := RemarksSARIF(&b, Remarks{Version: "v1", Root: "/home/me/shop", Rules: []Rule{{"other", "us", "Other."},
		{"splitone", "us", "Report.\n\nMore."}}, Remarks: []Remark{remark, again, outside},
		Notes: []string{"./x: broken"}}); err != nil {
		t.Fatal(err)
	}
	var log struct{ Runs []any }
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	checkForm(t, "run", log.Runs[0])
	var form struct {
		Runs []struct {
			Results []sarifResult
		}
	}
	if err := json.Unmarshal([]byte(b.String()), &form); err != nil {
		t.Fatal(err)
	}
	rs := form.Runs[0].Results
	at := rs[0].Locations[0].Physical
	if at.Artifact.URI != "a%20b.go" || at.Artifact.Base != sourceRoot || at.Region.Column != 3 || rs[0].Rank != 25 ||
		*rs[0].RuleIndex != 1 || strings.Contains(rs[0].Message.Text, "](") {
		t.Errorf("the first result is %+v at %+v", rs[0], at)
	}
	if rs[0].Fingerprints[remarkKey] == rs[1].Fingerprints[remarkKey] {
		t.Error("two lines have one fingerprint")
	}
	if at := rs[2].Locations[0].Physical.Artifact; at.URI != "file:///usr/lib/go/x.go" || at.Base != "" {
		t.Errorf("a file outside of the root is %+v", at)
	}
	if !strings.Contains(b.String(), "./x: broken") {
		t.Error("what was not analyzed is not said")
	}
}
