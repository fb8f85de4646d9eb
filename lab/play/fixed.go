package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/fix"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/lab/stage"
)

// fixTime is how long casebook fix and the builds around it may take, beside all else of a row.
const fixTime = 10 * time.Minute

// A Fixed is what casebook fix made of the sick form's source.
type Fixed struct {
	Kind    string   `json:"kind"` // of the finding
	Changes []Change `json:"changes"`
}

// A Change is one that was made.
type Change struct {
	By    string `json:"by"`   // the rewriter
	Text  string `json:"text"` // what it does
	Price string `json:"price,omitempty"`
	At    string `json:"at"` // file:line
	Diff  string `json:"diff"`
}

// fixed builds the service with the change that casebook fix makes for the finding of the sick form's case: the case,
// the source and the name of the kind are all that it gets. The change is laid over the source (go build -overlay), so
// that nothing is written there; other code than what ran is left alone, and casebook fix says so.
func (p *play) fixed(ctx context.Context) (binary string, err error) {
	wanted := wantedOf(p.row.Disease, p.sick.Case.Findings)
	if wanted == nil {
		return "", errors.New("casebook fix has nothing to do: the sick form's case has no wanted finding")
	}
	kind := wanted.Kind
	p.View.Say("casebook fix " + kind + " makes the cure")
	out, err := tool.Run(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/gocasebook/casebook/lab")
	lab := strings.TrimSpace(string(out))
	if err != nil || lab == "" {
		return "", fmt.Errorf("%w: the lab's source, which casebook fix changes: start it in the repository",
			stage.ErrLimited)
	}
	dir, err := filepath.Abs(filepath.Join(p.Dir, p.folder("fix")))
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return "", err
	}
	casebook := p.Casebook
	if casebook == "" {
		casebook = filepath.Join(dir, "casebook")
		if _, err := tool.Run(ctx, filepath.Join(lab, "..", "app"), "go", "build", "-o", casebook,
			"./cmd/casebook"); err != nil {
			return "", fmt.Errorf("building casebook: %w", err)
		}
	}
	if casebook, err = filepath.Abs(casebook); err != nil { // it runs in the lab's folder
		return "", err
	}
	sick, err := filepath.Abs(p.sick.Path)
	if err != nil {
		return "", err
	}
	out, err = tool.Run(ctx, lab, casebook, "fix", kind, "--case", sick, "--quiet", "--json")
	if err != nil && len(out) == 0 {
		return "", fmt.Errorf("casebook fix %s: %w", kind, err)
	}
	if p.result.Fixed, err = readFixed(kind, lab, out); err != nil {
		return "", err
	}
	overlay, err := p.result.Fixed.overlay(ctx, lab, dir)
	if err != nil {
		return "", err
	}
	binary = filepath.Join(dir, "lab")
	if _, err := tool.Run(ctx, lab, "go", "build", "-overlay", overlay, "-o", binary, "./cmd/lab"); err != nil {
		return "", fmt.Errorf("building the lab with the change: %w", err)
	}
	p.View.Say(p.result.Fixed.text())
	return binary, nil
}

// overlay applies the changes to copies of the files, and writes what go's -overlay takes.
func (f *Fixed) overlay(ctx context.Context, lab, dir string) (name string, err error) {
	replace := make(map[string]string)
	var all strings.Builder
	for _, c := range f.Changes {
		all.WriteString(c.Diff)
		for line := range strings.Lines(c.Diff) {
			rel, ok := strings.CutPrefix(strings.TrimSpace(line), "+++ b/")
			if !ok {
				continue
			}
			from, to := filepath.Join(lab, filepath.FromSlash(rel)), filepath.Join(dir, "changed", filepath.FromSlash(rel))
			data, err := os.ReadFile(from)
			if err == nil {
				err = os.MkdirAll(filepath.Dir(to), 0o700)
			}
			if err == nil {
				err = os.WriteFile(to, data, 0o600)
			}
			if err != nil {
				return "", err
			}
			replace[from] = to
		}
	}
	diff := filepath.Join(dir, "change.diff")
	if err := os.WriteFile(diff, []byte(all.String()), 0o600); err != nil {
		return "", err
	}
	if _, err := tool.Run(ctx, filepath.Join(dir, "changed"), "git", "apply", diff); err != nil {
		return "", fmt.Errorf("applying what casebook fix printed: %w", err)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name = filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o600)
}

// readFixed reads what casebook fix --json says; that nothing was changed is an error, with the reasons.
func readFixed(kind, dir string, out []byte) (*Fixed, error) {
	var res fix.Result
	if err := json.Unmarshal(out, &res); err != nil {
		return nil, fmt.Errorf("what casebook fix says cannot be read: %w", err)
	}
	f := &Fixed{Kind: kind}
	var alone []string
	for _, c := range res.Proposals {
		if c.Refused != "" {
			alone = append(alone, c.Refused)
			continue
		}
		at := c.File
		if rel, err := filepath.Rel(dir, c.File); err == nil && filepath.IsLocal(rel) {
			at = filepath.ToSlash(rel)
		}
		f.Changes = append(f.Changes, Change{c.By, c.Text, c.Price, fmt.Sprintf("%s:%d", at, c.Line), c.Diff})
	}
	if len(f.Changes) == 0 {
		return nil, fmt.Errorf("casebook fix %s changes nothing: %s", kind, strings.Join(alone, "; "))
	}
	return f, nil
}

// text is the changes in a line.
func (f *Fixed) text() string {
	parts := make([]string, len(f.Changes))
	for i, c := range f.Changes {
		parts[i] = fmt.Sprintf("%s at %s: %s", c.By, c.At, c.Text)
	}
	return strings.Join(parts, "; ")
}

// madeBy says whose the cure is.
func (r *Result) madeBy() string {
	if r.Fixed == nil {
		return "hand"
	}
	return "`casebook fix`"
}
