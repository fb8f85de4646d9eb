package browsertest

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
)

//go:embed third_party/axe/axe.min.js.gz
var axePacked []byte

// axe is axe-core, which tests a page against the rules of WCAG.
var axe = sync.OnceValues(func() (string, error) {
	r, err := gzip.NewReader(bytes.NewReader(axePacked))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
})

// axeTags choose the rules: WCAG 2.0 to 2.2, A and AA, and what axe-core's authors call best practice.
var axeTags = []string{"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"}

// A violation is a rule of axe-core that elements of a page break.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Target  []any  `json:"target"` // selectors
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// Accessible fails the test for each violation that axe-core finds in the page as it is shown, with all folds open: in
// the colours and the width that it has now. The page's content policy does not bind what the DevTools protocol
// evaluates, so that pages are tested under the policy that they have.
func (p *Page) Accessible(name string) {
	p.T.Helper()
	tags, err := json.Marshal(axeTags)
	if err != nil {
		p.T.Fatal(err)
	}
	Eval[bool](p, `(document.querySelectorAll('details').forEach(d => { d.open = true }), true)`)
	if !Eval[bool](p, `'axe' in window`) {
		text, err := axe()
		if err != nil {
			p.T.Fatal(err)
		}
		if _, err := chromedp.Run(p.Ctx, chromedp.Evaluate[any](text+"\n;null")); err != nil {
			p.T.Fatalf("loading axe-core: %v", err)
		}
	}
	found := Eval[struct {
		Violations []violation `json:"violations"`
		Passes     int         `json:"passes"`
	}](p, `axe.run(document, { runOnly: { type: 'tag', values: `+string(tags)+` }, preload: false,
		resultTypes: ['violations'] }).then(r => ({ violations: r.violations, passes: r.passes.length }))`)
	if found.Passes == 0 {
		p.T.Errorf("%s: no rule applied: the test proves nothing", name)
	}
	for _, v := range found.Violations {
		p.T.Errorf("%s: %s", name, v.text())
	}
}

// text is what is wrong, and where: the first elements.
func (v *violation) text() string {
	const most = 4
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s (%d elements)", v.ID, v.Help, len(v.Nodes))
	for i, n := range v.Nodes {
		if i == most {
			break
		}
		fmt.Fprintf(&b, "\n  %v %.200s\n    %s", n.Target, n.HTML, strings.ReplaceAll(n.Summary, "\n", " "))
	}
	return b.String()
}
