package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sourceRoot   = "%SRCROOT%"

	// identityKey names how the fingerprint is made: v1 is diagnose.Identity and a number among equals.
	identityKey = "casebookFinding/v1"
)

// SARIF writes the findings as SARIF 2.1.0 (OASIS standard of 2020, with the errata of 2023), which GitHub, GitLab and editors
// read. Every detector is a rule; the level follows the severity, the rank is the score.
func SARIF(w io.Writer, d Document) error {
	run := sarifRun{
		Tool:        sarifTool{Driver: driver(d.Version)},
		Results:     []sarifResult{},
		Invocations: []sarifInvocation{{Successful: true, Notifications: notifications(d.Diagnosis.Undecided)}},
		ColumnKind:  "unicodeCodePoints",
	}
	if d.Source.Root != "" {
		run.Bases = map[string]sarifArtifact{sourceRoot: {URI: folderURI(d.Source.Root)}}
	}
	index := make(map[string]int)
	for i, r := range run.Tool.Driver.Rules {
		index[r.ID] = i
	}
	seen := make(map[string]int)
	for _, f := range d.Diagnosis.Findings {
		r := result(f, d.Source)
		if i, ok := index[f.ID]; ok {
			r.RuleIndex = &i
		}
		id := diagnose.Identity(f)
		r.Fingerprints = map[string]string{identityKey: fingerprint(id, seen[id])}
		seen[id]++
		run.Results = append(run.Results, r)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(sarifLog{Schema: sarifSchema, Version: sarifVersion, Runs: []sarifRun{run}}); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

func driver(version string) sarifDriver {
	d := sarifDriver{Name: "Casebook", Version: version, Rules: []sarifRule{}}
	for _, det := range diagnose.Detectors() {
		d.Rules = append(d.Rules, sarifRule{
			ID: det.ID, Name: det.Kind, Short: sarifText{Text: det.Title}, Full: sarifText{Text: paragraphs(det.Text)},
			Help:    sarifText{Text: paragraphs(det.Text), Markdown: helpMarkdown(det)},
			Default: sarifConfig{Level: "warning"},
			Props:   map[string]any{"tags": []string{"performance"}, "kind": det.Kind},
		})
	}
	return d
}

// level maps a severity to SARIF's: error, warning, note.
func level(f casefile.Finding) string {
	switch f.Severity() {
	case casefile.Critical:
		return "error"
	case casefile.Warning:
		return "warning"
	}
	return "note"
}

func result(f casefile.Finding, src Source) sarifResult {
	r := sarifResult{
		RuleID: f.ID, Level: level(f), Rank: float64(min(max(f.Score, 0), 100)), Message: sarifText{Text: message(f)},
		Props: map[string]any{"kind": f.Kind, "score": f.Score, "confidence": f.Confidence, "title": f.Title, "impact": f.Impact},
	}
	for i, w := range f.Where {
		l := location(w, src)
		if i == 0 {
			r.Locations = []sarifLocation{l}
			continue
		}
		id := i
		l.ID = &id
		r.Related = append(r.Related, l)
	}
	return r
}

// message is what a reviewer reads beside the line. "](" would make a link of it (SARIF 3.11.6).
func message(f casefile.Finding) string {
	text := f.Title + ". " + f.Summary
	if len(f.Remedies) > 0 {
		text += " Remedy: " + f.Remedies[0].Title + ". " + f.Remedies[0].Text
	}
	return strings.ReplaceAll(Plain(text), "](", "] (")
}

func location(f casefile.Frame, src Source) sarifLocation {
	l := sarifLocation{Logical: []sarifLogical{{Name: Plain(f.Function), Kind: "function"}}}
	if f.Role != "" {
		l.Message = &sarifText{Text: Plain(f.Role)}
	}
	uri, inRoot := src.uri(f)
	if uri == "" {
		return l
	}
	l.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: uri}}
	if inRoot {
		l.Physical.Artifact.Base = sourceRoot
	}
	if f.Line > 0 {
		l.Physical.Region = &sarifRegion{Line: f.Line}
	}
	return l
}

// notifications tell what could not be judged: no result of a rule does not mean that all is well.
func notifications(us []casefile.Undecided) []sarifNotification {
	var out []sarifNotification
	for _, u := range us {
		out = append(out, sarifNotification{
			Level: "note", Message: sarifText{Text: Plain(fmt.Sprintf("%s not judged: %s. Next: %s", u.Kind, u.Reason, u.CaptureNext))},
			Rule: sarifRuleRef{ID: u.ID},
		})
	}
	return out
}

func fingerprint(identity string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", identity, n))
	return hex.EncodeToString(sum[:16])
}

func folderURI(dir string) string {
	dir = filepath.ToSlash(dir)
	if !strings.HasPrefix(dir, "/") {
		dir = "/" + dir
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(dir, "/") + "/"}).String()
}
