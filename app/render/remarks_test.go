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
	if err := RemarksSARIF(&b, Remarks{Tool: "Casebook lint", Key: LintKey, Version: "v1", Root: "/home/me/shop", Rules: []Rule{{"other", "us", "Other."},
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
	if rs[0].Fingerprints[LintKey] == rs[1].Fingerprints[LintKey] {
		t.Error("two lines have one fingerprint")
	}
	if at := rs[2].Locations[0].Physical.Artifact; at.URI != "file:///usr/lib/go/x.go" || at.Base != "" {
		t.Errorf("a file outside of the root is %+v", at)
	}
	if !strings.Contains(b.String(), "./x: broken") {
		t.Error("what was not analyzed is not said")
	}
}

// gateRemarks are what a gate says: one failure with a related place.
func gateRemarks() Remarks {
	return Remarks{Tool: "Casebook gate", Key: GateKey, Version: "v1", Root: "/home/me/shop",
		Rules: []Rule{{"gate-time", "casebook gate", "Time is beyond its limit"}},
		Remarks: []Remark{{Rule: "gate-time", File: "/home/me/shop/codec/mix.go", Line: 9, Text: "time +12 %",
			Identity: "shop/codec.mix\x00time\x00shop/codec BenchmarkMix", Share: .12, Fails: true,
			Related: []Remark{{File: "/home/me/shop/codec/mix_test.go", Line: 30, Text: "BenchmarkMix"}}}}}
}

// A failure keeps its fingerprint when its line moves or its numbers change, and GitHub's own is the same; another
// function, figure or benchmark has another.
func TestGateFingerprint(t *testing.T) {
	print := func(change func(*Remark)) string {
		t.Helper()
		d := gateRemarks()
		change(&d.Remarks[0])
		var b strings.Builder
		if err := RemarksSARIF(&b, d); err != nil {
			t.Fatal(err)
		}
		var log struct {
			Runs []struct{ Results []sarifResult }
		}
		if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
			t.Fatal(err)
		}
		r := log.Runs[0].Results[0]
		if r.Level != "error" || r.Fingerprints[GateKey] == "" || r.Fingerprints[GateKey] != r.Fingerprints[githubKey] {
			t.Errorf("level %q, fingerprints %v; want an error and two that are equal", r.Level, r.Fingerprints)
		}
		return r.Fingerprints[githubKey]
	}
	first := print(func(*Remark) {})
	if moved := print(func(r *Remark) { r.Line, r.Text, r.Share = 90, "time +14 %", .14 }); moved != first {
		t.Errorf("%s after the line moved, want %s", moved, first)
	}
	if other := print(func(r *Remark) { r.Identity = "shop/codec.mix\x00allocs\x00shop/codec BenchmarkMix" }); other == first {
		t.Error("two figures have one fingerprint")
	}
}

// GitLab's report has the path from the top of the repository, and what is outside is left out.
func TestRemarksQuality(t *testing.T) {
	d := gateRemarks()
	d.Remarks = append(d.Remarks, Remark{Rule: "gate-time", File: "/usr/lib/go/x.go", Text: "elsewhere"})
	var b strings.Builder
	if err := RemarksQuality(&b, d); err != nil {
		t.Fatal(err)
	}
	var issues []map[string]any
	if err := json.Unmarshal([]byte(b.String()), &issues); err != nil {
		t.Fatal(err)
	}
	if len(issues) != 1 || dig(t, issues[0], "location", "path") != "codec/mix.go" ||
		dig(t, issues[0], "location", "lines", "begin") != 9. || issues[0]["severity"] != "major" ||
		issues[0]["check_name"] != "gate-time" || issues[0]["description"] != "time +12 %" ||
		issues[0]["fingerprint"] == "" {
		t.Errorf("%s", b.String())
	}
}
