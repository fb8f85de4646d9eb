package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sourceRoot   = "%SRCROOT%"

	// identityKey names how the fingerprint is made: v1 is diagnose.Identity and a number among equals.
	identityKey = "casebookFinding/v1"

	// maxDescription is how many characters of a rule's description GitHub reads; its help may be longer.
	maxDescription = 1000
)

// SARIF writes the findings as SARIF 2.1.0 (OASIS standard of 2020, with the errata of 2023), which GitHub, GitLab and
// editors read. Every detector is a rule; the level follows the severity, the rank is the score.
func SARIF(w io.Writer, d Document) error {
	run := sarifRun{Tool: sarifTool{Driver: driver(d.Version)}, Results: []sarifResult{},
		ColumnKind: "unicodeCodePoints"}
	notes := notifications(d.Diagnosis.Undecided)
	if d.Source.Root != "" {
		run.Bases = map[string]sarifArtifact{sourceRoot: {URI: folderURI(d.Source.Root)}}
	}
	index := make(map[string]int)
	for i, r := range run.Tool.Driver.Rules {
		index[r.ID] = i
	}
	seen := make(map[string]int)
	for _, f := range d.Diagnosis.Findings {
		r, ok := result(f, d.Source)
		if !ok {
			notes = append(notes, leftOut(f))
			continue
		}
		if i, ok := index[f.ID]; ok {
			r.RuleIndex = &i
		}
		id := diagnose.Identity(f)
		r.Fingerprints = map[string]string{identityKey: fingerprint(id, seen[id])}
		seen[id]++
		run.Results = append(run.Results, r)
	}
	run.Invocations = []sarifInvocation{{Successful: true, Notifications: notes}}
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
			ID: det.ID, Name: det.Kind, Short: sarifText{Text: det.Title},
			Full:    sarifText{Text: first(paragraphs(det.Text), maxDescription)},
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

// result returns a finding at its first place that has a file. GitHub takes the first location alone, and refuses the
// whole log when that has no file and line (it answers "expected a physical location"). So a finding without any file
// is put on the module's go.mod; ok is false if that is unknown, too.
func result(f casefile.Finding, src source.Tree) (r sarifResult, ok bool) {
	r = sarifResult{
		RuleID: f.ID, Level: level(f), Rank: float64(min(max(f.Score, 0), 100)), Message: sarifText{Text: message(f)},
		Props: map[string]any{"kind": f.Kind, "score": f.Score, "confidence": f.Confidence, "title": f.Title,
			"impact": f.Impact},
	}
	for i, w := range f.Where {
		l := location(w, src)
		switch {
		case l.Physical == nil:
		case r.Locations == nil:
			r.Locations = []sarifLocation{l}
		default:
			id := i
			l.ID = &id
			r.Related = append(r.Related, l)
		}
	}
	r.Related = append(r.Related, settledLines(f, src)...)
	if r.Locations == nil {
		l, ok := module(src, f)
		if !ok {
			return r, false
		}
		r.Locations = []sarifLocation{l}
	}
	return r, true
}

// module returns the module's go.mod as the place of a finding that has none.
func module(s source.Tree, f casefile.Finding) (sarifLocation, bool) {
	up, err := filepath.Rel(s.Root, s.Dir)
	if s.Root == "" || err != nil {
		return sarifLocation{}, false
	}
	l := sarifLocation{Physical: &sarifPhysical{
		Artifact: sarifArtifact{URI: (&url.URL{Path: path.Join(filepath.ToSlash(up), "go.mod")}).String(),
			Base: sourceRoot},
		Region: &sarifRegion{Line: 1},
	}}
	for _, w := range f.Where {
		l.Logical = append(l.Logical, sarifLogical{Name: Plain(w.Function), Kind: "function"})
	}
	return l, true
}

// leftOut reports a finding that has no place in a file.
func leftOut(f casefile.Finding) sarifNotification {
	return sarifNotification{Level: "warning", Rule: &sarifRuleRef{ID: f.ID},
		Message: sarifText{Text: "Found, but the file is unknown; --source DIR sets the program's folder. " +
			message(f)}}
}

// message returns what a reviewer reads next to the line. "](" would make a link of it (SARIF 3.11.6).
func message(f casefile.Finding) string {
	text := f.Title + ". " + f.Summary
	if said := settled(f); said != "" {
		text += " " + said
	}
	if len(f.Remedies) > 0 {
		text += " Remedy: " + f.Remedies[0].Title + ". " + f.Remedies[0].Text
	}
	return strings.ReplaceAll(Plain(text), "](", "] (")
}

// settled is what the program's source says of a finding: "The source confirms it: the lock taken at :41 is held …".
func settled(f casefile.Finding) string {
	var parts []string
	for _, s := range f.Source {
		begin := map[string]string{casefile.Confirms: "The source confirms it: ",
			casefile.Contradicts: "The source contradicts it: "}[s.Verdict]
		if begin == "" {
			begin = "The source: "
		}
		parts = append(parts, begin+strings.TrimSuffix(s.Text, ".")+".")
	}
	return strings.Join(parts, " ")
}

// settledLines are the lines that the source was read at. Their numbers go on behind those of the finding's places.
func settledLines(f casefile.Finding, src source.Tree) (out []sarifLocation) {
	for _, s := range f.Source {
		for _, at := range s.Lines {
			i := slices.IndexFunc(f.Where, func(w casefile.Frame) bool { return w.File == at.File })
			if i < 0 {
				continue // only with a function of its file a name is found in the tree
			}
			l := location(casefile.Frame{Function: f.Where[i].Function, File: at.File, Line: at.Line}, src)
			if l.Physical == nil {
				continue
			}
			id := len(f.Where) + len(out)
			l.ID, l.Logical, l.Message = &id, nil, &sarifText{Text: Plain(s.Text)}
			out = append(out, l)
		}
	}
	return out
}

func location(f casefile.Frame, src source.Tree) sarifLocation {
	l := sarifLocation{Logical: []sarifLogical{{Name: Plain(f.Function), Kind: "function"}}}
	if f.Role != "" {
		l.Message = &sarifText{Text: Plain(f.Role)}
	}
	uri, inRoot := src.URI(f)
	if uri == "" {
		return l
	}
	l.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: uri}}
	if inRoot {
		l.Physical.Artifact.Base = sourceRoot
	}
	l.Physical.Region = &sarifRegion{Line: max(f.Line, 1)} // lines count from 1 (SARIF 3.30.5), and GitHub demands one
	return l
}

// notifications say what could not be judged: a rule without a result does not mean that all is well.
func notifications(us []casefile.Undecided) []sarifNotification {
	var out []sarifNotification
	for _, u := range us {
		out = append(out, sarifNotification{
			Level: "note", Message: sarifText{Text: Plain(fmt.Sprintf("%s not judged: %s. Next: %s",
				u.Kind, u.Reason, u.CaptureNext))},
			Rule: &sarifRuleRef{ID: u.ID},
		})
	}
	return out
}

func fingerprint(identity string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", identity, n))
	return hex.EncodeToString(sum[:16])
}

// first returns the beginning of a text, up to the end of a sentence within n characters.
func first(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	cut := string(runes[:n])
	if end := strings.LastIndex(cut, ". "); end > 0 {
		return cut[:end+1]
	}
	return cut
}

func folderURI(dir string) string {
	dir = filepath.ToSlash(dir)
	if !strings.HasPrefix(dir, "/") {
		dir = "/" + dir
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(dir, "/") + "/"}).String()
}
