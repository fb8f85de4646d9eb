package render

import (
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// sarifForm is the part of the standard's schema (SARIF 2.1.0 with the errata of 2023) about the objects that are
// written: the properties that each may have, the required ones marked with !. What GitHub requires in addition is
// checked by hand below. The SARIF output of every faulty program was once validated against the whole schema with
// github.com/santhosh-tekuri/jsonschema.
var sarifForm = map[string]map[string]string{ // object → property → object of its value; "": a plain value
	"run": {"tool!": "tool", "invocations": "invocation", "originalUriBaseIds": "bases", "columnKind": "",
		"results!": "result"},
	"tool": {"driver!": "driver"}, "driver": {"name!": "", "version": "", "rules": "rule"},
	"rule": {"id!": "", "name": "", "shortDescription!": "text", "fullDescription!": "text", "help!": "text",
		"defaultConfiguration": "configuration", "properties": "any"},
	"configuration": {"level": ""}, "text": {"text!": "", "markdown": ""},
	"invocation":   {"executionSuccessful!": "", "toolExecutionNotifications": "notification"},
	"notification": {"message!": "text", "level": "", "associatedRule": "reference"}, "reference": {"id": ""},
	"result": {"message!": "text", "ruleId": "", "ruleIndex": "", "level": "", "rank": "", "locations!": "location",
		"relatedLocations":     "location",
		"partialFingerprints!": "any", "properties": "any"},
	"location": {"physicalLocation!": "physicalLocation", "id": "", "logicalLocations": "logical",
		"message": "text"},
	"physicalLocation": {"artifactLocation!": "artifact", "region!": "region"},
	"artifact":         {"uri!": "", "uriBaseId": ""}, "region": {"startLine!": "", "startColumn": ""},
	"logical": {"fullyQualifiedName": "", "kind": ""}, "bases": {"%SRCROOT%!": "base"},
	"base": {"uri": "", "description": "text"},
}

// checkForm compares a value with sarifForm.
func checkForm(t *testing.T, object string, v any) {
	t.Helper()
	if list, ok := v.([]any); ok {
		for _, one := range list {
			checkForm(t, object, one)
		}
		return
	}
	m, ok := v.(map[string]any)
	if object == "" || object == "any" {
		if _, isText := v.(string); object == "" && (ok || isText && v == "") {
			t.Errorf("%v where a plain value that is not empty belongs", v)
		}
		return
	}
	if !ok {
		t.Errorf("%v is no %s", v, object)
		return
	}
	form := sarifForm[object]
	for name := range form {
		if must, ok := strings.CutSuffix(name, "!"); ok && m[must] == nil {
			t.Errorf("a %s without %s: %v", object, must, m)
		}
	}
	for name, value := range m {
		of, may := form[name]
		if !may {
			of, may = form[name+"!"]
		}
		if !may {
			t.Errorf("a %s has no property %s", object, name)
			continue
		}
		checkForm(t, of, value)
	}
}

// recordedFindings diagnoses recorded evidence of the proving ground.
func recordedFindings(t *testing.T, name string) casefile.Diagnosis {
	t.Helper()
	files := checkout.Case(t, name)
	var in diagnose.Input
	for _, file := range files.Names() {
		if strings.HasSuffix(file, ".gz") {
			in.Evidence = append(in.Evidence, diagnose.Evidence{Name: file, Data: files[file]})
		}
	}
	return diagnose.Run(t.Context(), in, diagnose.Options{}).Diagnosis
}

// TestSARIFForm: the output for recorded evidence and for findings with gaps is what the standard and GitHub accept.
func TestSARIFForm(t *testing.T) {
	repo := t.TempDir()
	if err := os.CopyFS(repo, fstest.MapFS{"svc/pay/a.go": {}}); err != nil {
		t.Fatal(err)
	}
	const module = "example.com/shop"
	src := source.Tree{Root: repo, Dir: filepath.Join(repo, "svc"), Module: module, Main: module}
	placeless, lineless := finding("x", "main.f", ""), finding("x", "example.com/shop/pay.F", "/build/pay/a.go")
	placeless.Where, lineless.Where[0].Line = placeless.Where[:1], 0
	gaps := casefile.Diagnosis{Findings: []casefile.Finding{placeless, lineless, placeless}}
	for _, c := range []struct {
		name    string
		d       Document
		results int
	}{
		{"alloc-fmt", Document{Diagnosis: recordedFindings(t, "alloc_fmt/faulty"), Version: "v1"}, -1},
		{"cpu-json", Document{Diagnosis: recordedFindings(t, "cpu_json/faulty")}, -1},
		{"gc-forced", Document{Diagnosis: recordedFindings(t, "gc_forced/faulty"), Source: src}, -1},
		{"nothing found", Document{}, 0},
		{"gaps, with the source", Document{Diagnosis: gaps, Source: src}, 3},
		{"gaps, without", Document{Diagnosis: gaps}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.results
			if want < 0 {
				want = len(c.d.Diagnosis.Findings)
			}
			run := sarifOf(t, c.d)
			checkForm(t, "run", run)
			checkRules(t, run)
			results := dig(t, run, "results").([]any)
			if len(results) != want || c.results < 0 && want == 0 {
				t.Errorf("%d results, want %d", len(results), want)
			}
			seen := make(map[any]bool)
			for _, r := range results {
				checkResult(t, run, r)
				print := dig(t, r, "partialFingerprints", identityKey)
				if seen[print] {
					t.Errorf("two results have the fingerprint %v", print)
				}
				seen[print] = true
			}
		})
	}
}

// TestSARIFSettled: what the source says of a finding is in its message, and the lines that it was read at are related
// places with it.
func TestSARIFSettled(t *testing.T) {
	f := finding("x", "example.com/shop/pay.F", "/build/pay/a.go")
	f.Source = []casefile.Settled{
		{Verdict: casefile.Confirms, Text: "the lock taken at :41 is held",
			Lines: []casefile.SourceLine{{File: "/build/pay/a.go", Line: 41}, {File: "/elsewhere.go", Line: 1}}},
		{Verdict: casefile.Contradicts, Text: "nobody waits"},
		{Verdict: casefile.Adds, Text: "3 callers."}}
	r := dig(t, sarifOf(t, Document{Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{f}}}), "results", 0)
	checkForm(t, "result", r)
	const want = "The source confirms it: the lock taken at :41 is held. The source contradicts it: nobody waits. " +
		"The source: 3 callers. Remedy"
	if text := dig(t, r, "message", "text").(string); !strings.Contains(text, want) {
		t.Errorf("the message is %q, want %q in it", text, want)
	}
	related := dig(t, r, "relatedLocations").([]any)
	last := related[len(related)-1]
	if len(related) != 2 || dig(t, last, "physicalLocation", "region", "startLine") != 41. ||
		dig(t, last, "message", "text") != "the lock taken at :41 is held" || dig(t, last, "id") != 2. {
		t.Errorf("the related places are %v, want fmt's and line 41", related)
	}
}

// checkRules: GitHub shows 1024 characters of a description, and 255 of a name.
func checkRules(t *testing.T, run any) {
	t.Helper()
	for _, r := range dig(t, run, "tool", "driver", "rules").([]any) {
		for _, c := range []struct {
			most int
			path []any
		}{{255, []any{"name"}}, {1024, []any{"shortDescription", "text"}}, {1024, []any{"fullDescription", "text"}}} {
			if text := dig(t, r, c.path...).(string); len([]rune(text)) > c.most || strings.Contains(text, "](") {
				t.Errorf("%v of rule %v has %d characters, want at most %d and no link", c.path, dig(t, r, "id"),
					len([]rune(text)), c.most)
			}
		}
	}
}

func checkResult(t *testing.T, run, r any) {
	t.Helper()
	rules := dig(t, run, "tool", "driver", "rules").([]any)
	if at := int(dig(t, r, "ruleIndex").(float64)); at < 0 || at >= len(rules) ||
		dig(t, rules, at, "id") != dig(t, r, "ruleId") {
		t.Errorf("ruleIndex %d is not rule %v", at, dig(t, r, "ruleId"))
	}
	if level := dig(t, r, "level").(string); !slices.Contains([]string{"none", "note", "warning", "error"}, level) {
		t.Errorf("level %q", level)
	}
	if rank := dig(t, r, "rank").(float64); rank < 0 || rank > 100 {
		t.Errorf("rank %v", rank)
	}
	places := slices.Clone(dig(t, r, "locations").([]any))
	if len(places) != 1 {
		t.Errorf("%d locations: GitHub takes the first", len(places))
	}
	ids := make(map[any]bool)
	if related, ok := r.(map[string]any)["relatedLocations"].([]any); ok {
		for _, l := range related {
			if id := dig(t, l, "id"); ids[id] {
				t.Errorf("two related locations have the id %v", id)
			} else {
				ids[id] = true
			}
		}
		places = append(places, related...)
	}
	for _, l := range places {
		checkPlace(t, run, dig(t, l, "physicalLocation"))
	}
}

// checkPlace: a file below a base is relative and stays below it; a line is 1 or more.
func checkPlace(t *testing.T, run, p any) {
	t.Helper()
	if line := dig(t, p, "region", "startLine").(float64); line < 1 {
		t.Errorf("startLine %v", line)
	}
	text := dig(t, p, "artifactLocation", "uri").(string)
	uri, err := url.Parse(text)
	if err != nil || strings.ContainsAny(text, ` \`) {
		t.Errorf("%q is no URI: %v", text, err)
		return
	}
	base, ok := dig(t, p, "artifactLocation").(map[string]any)["uriBaseId"].(string)
	if !ok {
		return
	}
	if uri.IsAbs() || strings.HasPrefix(uri.Path, "/") || strings.HasPrefix(uri.Path, "..") {
		t.Errorf("%q is not below %s", text, base)
	}
	root, ok := dig(t, run, "originalUriBaseIds", base).(map[string]any)["uri"].(string)
	if ok && !strings.HasSuffix(root, "/") { // of remarks there is none: they leave the machine
		t.Errorf("%s is %q, want a slash at its end", base, root)
	}
}

// TestSARIFTellsWhatIsLeftOut: a finding without a file is not lost.
func TestSARIFTellsWhatIsLeftOut(t *testing.T) {
	f := finding("goroutines wait", "main.f", "")
	f.Where = nil
	run := sarifOf(t, Document{Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{f}}})
	told := dig(t, run, "invocations", 0, "toolExecutionNotifications", 0)
	if text := dig(t, told, "message", "text").(string); !strings.Contains(text, "goroutines wait") ||
		dig(t, told, "level") != "warning" || dig(t, told, "associatedRule", "id") != f.ID {
		t.Errorf("notification %v, want a warning with the finding", told)
	}
}

// TestFingerprints: they stay when the same finding is captured again, with other numbers and on a line that moved.
func TestFingerprints(t *testing.T) {
	again := finding("x", "main.f", "/src/a.go")
	again.Score, again.Summary, again.Impact.Share = 60, "other numbers", 0.3
	again.Where[0].Line, again.Where[0].File = 9, "/build/2/a.go"
	other := finding("x", "main.g", "/src/a.go")
	var prints []any
	for _, f := range []casefile.Finding{finding("x", "main.f", "/src/a.go"), again, other} {
		f.ID, f.Kind = "CP001", "cpu-hot-function" // of a function, which gc-cpu is not
		run := sarifOf(t, Document{Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{f}}})
		prints = append(prints, dig(t, run, "results", 0, "partialFingerprints", identityKey))
	}
	if prints[0] != prints[1] || prints[0] == prints[2] {
		t.Errorf("fingerprints %v: want the first two equal and the third another", prints)
	}
}
