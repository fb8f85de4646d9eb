package render

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// Remarks are what analyzers and gates say of lines, for SARIF and for GitLab's code quality.
type Remarks struct {
	Tool    string // "Casebook lint"
	Key     string // names how the fingerprints are made; a new way needs a new name
	Version string // of Casebook
	Root    string // absolute: %SRCROOT%
	Rules   []Rule
	Remarks []Remark
	Notes   []string // what was not analyzed
}

// A Rule is a check.
type Rule struct{ ID, Source, Text string }

// A Remark is what a check says of a line.
type Remark struct {
	Rule         string
	File         string // absolute
	Line, Column int
	Text         string
	Identity     string  // what it is known by, beside its file
	Share        float64 // of what it costs; 0 without heat
	Fails        bool    // it fails a build: an error, and not a warning
	Related      []Remark
}

// LintKey and GateKey name fingerprints of file, identity, and a number among equals. The identity of a linter's remark
// is its check and the line's text; that of a gate's is the function, the figure and what was measured.
const (
	LintKey = "casebookLint/v1"
	GateKey = "casebookGate/v1"
)

// githubKey is the only fingerprint that GitHub compares. Without it the action that uploads a log makes one of the
// text of the line, under which two remarks at one line are the same, and one whose function was edited is another
// (https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support).
const githubKey = "primaryLocationLineHash"

// RemarksSARIF writes remarks as SARIF 2.1.0, as SARIF writes findings. The rank is the share.
func RemarksSARIF(w io.Writer, d Remarks) error {
	run := sarifRun{Tool: sarifTool{Driver: sarifDriver{Name: d.Tool, Version: d.Version, Rules: []sarifRule{}}},
		Results: []sarifResult{}, ColumnKind: "unicodeCodePoints"}
	if d.Root != "" { // not where: the log leaves the machine, and who reads it has a checkout (SARIF 3.14.14)
		run.Bases = map[string]sarifArtifact{sourceRoot: {Description: &sarifText{Text: "the top of the checkout"}}}
	}
	index := make(map[string]int)
	for i, r := range d.Rules {
		index[r.ID] = i
		title, _, _ := strings.Cut(r.Text, "\n")
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: r.ID, Name: r.ID,
			Short: sarifText{Text: title}, Full: sarifText{Text: first(r.Text, maxDescription)}, Help: sarifText{Text: r.Text},
			Default: sarifConfig{Level: "warning"},
			Props:   map[string]any{"tags": []string{"performance"}, "source": r.Source}})
	}
	prints := d.fingerprints()
	for i := range d.Remarks {
		r := d.Remarks[i].result(d.Root, prints[i], d.Key)
		at := index[r.RuleID]
		r.RuleIndex = &at
		run.Results = append(run.Results, r)
	}
	invocation := sarifInvocation{Successful: true}
	for _, n := range d.Notes {
		invocation.Notifications = append(invocation.Notifications, sarifNotification{Level: "warning",
			Message: sarifText{Text: Plain(n)}})
	}
	run.Invocations = []sarifInvocation{invocation}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run}}); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// fingerprints are what remarks are known by: no number of a line is in them.
func (d *Remarks) fingerprints() []string {
	seen, out := make(map[string]int), make([]string, len(d.Remarks))
	for i, r := range d.Remarks {
		uri, _ := fileURI(d.Root, r.File)
		id := uri + "\x00" + r.Identity
		out[i] = fingerprint(id, seen[id])
		seen[id]++
	}
	return out
}

func (r *Remark) result(root, print, key string) sarifResult {
	out := sarifResult{RuleID: r.Rule, Level: "warning", Rank: min(100*r.Share, 100), Message: r.message(),
		Locations: []sarifLocation{r.location(root)}, Fingerprints: map[string]string{key: print},
		Props: map[string]any{"share": r.Share}}
	if r.Fails {
		out.Level = "error"
		out.Fingerprints[githubKey] = print
	}
	for i := range r.Related {
		l, text := r.Related[i].location(root), r.Related[i].message()
		l.ID, l.Message = &i, &text
		out.Related = append(out.Related, l)
	}
	return out
}

// message is what is said of the line. "](" would make a link of it (SARIF 3.11.6).
func (r *Remark) message() sarifText {
	return sarifText{Text: strings.ReplaceAll(Plain(r.Text), "](", "] (")}
}

func (r *Remark) location(root string) sarifLocation {
	uri, base := fileURI(root, r.File)
	return sarifLocation{Physical: &sarifPhysical{Artifact: sarifArtifact{URI: uri, Base: base},
		Region: &sarifRegion{Line: max(r.Line, 1), Column: r.Column}}}
}

// A qualityIssue is one of GitLab's code quality report
// (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
type qualityIssue struct {
	Description string          `json:"description"`
	Check       string          `json:"check_name"`
	Fingerprint string          `json:"fingerprint"`
	Severity    string          `json:"severity"`
	Location    qualityLocation `json:"location"`
}

type qualityLocation struct {
	Path  string       `json:"path"`
	Lines qualityLines `json:"lines"`
}

type qualityLines struct {
	Begin int `json:"begin"`
}

// RemarksQuality writes remarks as GitLab's code quality report. GitLab shows those of files of the repository alone:
// others are left out.
func RemarksQuality(w io.Writer, d Remarks) error {
	issues, prints := []qualityIssue{}, d.fingerprints()
	for i, r := range d.Remarks {
		rel, err := filepath.Rel(d.Root, r.File)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		severity := "minor"
		if r.Fails {
			severity = "major"
		}
		issues = append(issues, qualityIssue{Plain(r.Text), r.Rule, prints[i], severity,
			qualityLocation{filepath.ToSlash(rel), qualityLines{max(r.Line, 1)}}})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(issues); err != nil {
		return fmt.Errorf("writing the code quality report: %w", err)
	}
	return nil
}

// fileURI is a file relative to the root if it is below.
func fileURI(root, file string) (uri, base string) {
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		return (&url.URL{Path: filepath.ToSlash(rel)}).String(), sourceRoot
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String(), ""
}
