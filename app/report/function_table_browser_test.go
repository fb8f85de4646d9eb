package report

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The page of a case has the table of functions in a fold below the flame graph. It shows what the graph does, and is
// walked by keys.
func TestFunctionTableInReport(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.open(sampleInput(t), 1280)
	rows := func() int { return eval[int](b, `document.querySelectorAll('[role=treegrid] tbody tr').length`) }
	if n := rows(); n != 0 {
		t.Errorf("%d rows are made before anybody opens the fold", n)
	}
	b.Do(chromedp.Focus(chromedp.CSS("#functions summary")), chromedp.KeyEvent(kb.Enter))
	b.settle()
	before := rows()
	if before < 3 {
		t.Fatalf("%d rows", before)
	}
	b.Do(chromedp.Focus(chromedp.CSS("[data-sort=cum]")), chromedp.KeyEvent(kb.Enter+kb.Tab+kb.ArrowRight+kb.ArrowRight))
	if n := rows(); n <= before {
		t.Errorf("Right opens nothing: %d rows", n)
	}
	said := eval[string](b, `document.getElementById('row-said').innerText`)
	if !strings.Contains(said, ", called by ") || !strings.Contains(said, "with what it calls") {
		t.Errorf("of a callee the page says %q", said)
	}
	b.Shoot("function-table")
	name, _, _ := strings.Cut(said, ", called by ")
	b.Do(chromedp.KeyEvent(kb.Enter))
	if got := eval[string](b, `document.querySelector('.status b').innerText`); got != name {
		t.Errorf("Enter shows %q in the graph, want %q", got, name)
	}
	first := eval[string](b, `document.querySelector('[role=treegrid] tbody').innerText`)
	b.Do(chromedp.Click(chromedp.CSS(".tabs button:first-child")))
	if eval[string](b, `document.querySelector('[role=treegrid] tbody').innerText`) == first {
		t.Error("another profile leaves the table as it was")
	}
	b.quiet()
}
