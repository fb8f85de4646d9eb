package report

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The difference shows the direction of a change in signs and words, not by colour alone.
func TestDifferenceInBrowser(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.openComparison(sampleComparison(t), 1280)
	status := func() string { return eval[string](b, `document.querySelector('.status').innerText`) }
	if got := status(); !strings.Contains(got, "before, ") || !strings.Contains(got, "−") ||
		!strings.Contains(got, "of total before") {
		t.Errorf("of the whole the status says %q, want both sides and the change", got)
	}
	if got := eval[string](b, `document.querySelector('.flame .legend').innerText`); !strings.Contains(got,
		"▲ more, above 5 %") || !strings.Contains(got, "▼ less") {
		t.Errorf("the legend says %q", got)
	}
	after := eval[string](b, `document.querySelector('.stage canvas').toDataURL()`)
	eval[bool](b,
		`(s => { s.value = '1'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('.types select'))`)
	if eval[string](b, `document.querySelector('.stage canvas').toDataURL()`) == after {
		t.Error("the side before looks like the side after: what was there before only cannot be seen")
	}
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.SendKeys(chromedp.CSS(".find input"), "appendIndent"))
	if got := status(); !strings.Contains(got, "Found ") || strings.Contains(got, "nothing") {
		t.Errorf("before, indenting cost something; the search says %q", got)
	}
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown))
	if got := status(); !strings.Contains(got, " before, ") {
		t.Errorf("of a frame the status says %q", got)
	}
	b.Shoot("comparison-search")
	b.quiet()
}
