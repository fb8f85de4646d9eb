package render

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// Remarks are what analyzers say of lines, for SARIF.
type Remarks struct {
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
}

// remarkKey names how the fingerprint is made: v1 is of file, check, the line's text, and a number among equals.
const remarkKey = "casebookLint/v1"

// RemarksSARIF writes remarks as SARIF 2.1.0, as SARIF writes findings. The rank is the share.
func RemarksSARIF(w io.Writer, d Remarks) error {
	run := sarifRun{Tool: sarifTool{Driver: sarifDriver{Name: "Casebook lint", Version: d.Version, Rules: []sarifRule{}}},
		Results: []sarifResult{}, ColumnKind: "unicodeCodePoints",
		Bases: map[string]sarifArtifact{sourceRoot: {URI: folderURI(d.Root)}}}
	index := make(map[string]int)
	for i, r := range d.Rules {
		index[r.ID] = i
		title, _, _ := strings.Cut(r.Text, "\n")
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: r.ID, Name: r.ID,
			Short: sarifText{Text: title}, Full: sarifText{Text: first(r.Text, maxDescription)}, Help: sarifText{Text: r.Text},
			Default: sarifConfig{Level: "warning"},
			Props:   map[string]any{"tags": []string{"performance"}, "source": r.Source}})
	}
	seen := make(map[string]int)
	for _, r := range d.Remarks {
		uri, base := fileURI(d.Root, r.File)
		id := uri + "\x00" + r.Identity
		i := index[r.Rule]
		run.Results = append(run.Results, sarifResult{RuleID: r.Rule, RuleIndex: &i, Level: "warning",
			Rank: min(100*r.Share, 100), Message: sarifText{Text: strings.ReplaceAll(Plain(r.Text), "](", "] (")},
			Locations: []sarifLocation{{Physical: &sarifPhysical{Artifact: sarifArtifact{URI: uri, Base: base},
				Region: &sarifRegion{Line: max(r.Line, 1), Column: r.Column}}}},
			Fingerprints: map[string]string{remarkKey: fingerprint(id, seen[id])},
			Props:        map[string]any{"share": r.Share}})
		seen[id]++
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

// fileURI is a file relative to the root if it is below.
func fileURI(root, file string) (uri, base string) {
	if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
		return (&url.URL{Path: filepath.ToSlash(rel)}).String(), sourceRoot
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String(), ""
}
