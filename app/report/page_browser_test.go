package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pixels is JavaScript that counts the colours of a canvas, by falling frequency. It reads a copy: the page's own
// canvases are not made for reading back.
const pixels = `(c => {
	const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', {willReadFrequently: true});
	copy.drawImage(c, 0, 0);
	const seen = new Map();
	for (const p of new Uint32Array(copy.getImageData(0, 0, c.width, c.height).data.buffer)) seen.set(p, (seen.get(p) ?? 0) + 1);
	return [...seen].sort((a, b) => b[1] - a[1]);
})`

func TestPageInBrowser(t *testing.T) {
	b := browse(t)
	in := sampleInput(t)
	b.Prefer("light")
	b.open(in, 1280)
	b.Shoot("light-1280")
	if n := eval[int](b,
		`Math.min(...[...document.querySelectorAll('.charts:not(details *) canvas')].map(c => `+pixels+
			`(c).length))`); n < 8 {
		t.Errorf("a chart shows %d colours, want axes, a line and the trigger", n)
	}
	if n, want := eval[int](b, `document.querySelectorAll('.charts:not(details *) canvas').length`), 2; n != want {
		t.Errorf("%d charts are drawn, want %d", n, want)
	}
	if first := eval[string](b, `document.querySelector('.chart').innerText`); first != "gc_cpu 31\u00a0%\ntripped" {
		t.Errorf("the first chart is %q, want the trigger's signal with its value", first)
	}
	if n := eval[int](b, pixels+`(document.querySelector('.stage canvas')).length`); n < 20 {
		t.Errorf("the flame graph shows %d colours, want frames and text", n)
	}
	eval[bool](b, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
	b.settle()
	if n := eval[int](b,
		`[...document.querySelectorAll('.chart')].filter(f => !f.querySelector('canvas')).length`); n != 0 {
		t.Errorf("%d charts stay empty when their fold opens", n)
	}
	b.Accessible("a case in light colours")
	b.quiet()
}

// A person on call opens the page and sees, without scrolling, what tripped, where the first finding is and what to do
// about it.
func TestAboveTheFold(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	in := sampleInput(t)
	in.Links.Source = sourceTemplate(t)
	b.open(in, 1280)
	b.Do(chromedp.EmulateViewport(1280, 800))
	b.settle()
	for _, what := range []string{"#title", ".finding[open] h3", ".finding[open] .places .file",
		".finding[open] .impact", ".finding[open] .remedies strong", ".finding[open] .remedies .text"} {
		if bottom := eval[float64](b,
			`document.querySelector('`+what+`').getBoundingClientRect().bottom`); bottom > 800 {
			t.Errorf("%s ends %.0f px from the top, want at most 800", what, bottom)
		}
	}
	if got := eval[string](b,
		`document.getElementById('title').innerText`); got != "gc_cpu was 31.1 %, above 25 % for 5 s" {
		t.Errorf("the page opens with %q, want what tripped", got)
	}
	if got := eval[int](b, `document.querySelectorAll('.finding[open]').length`); got != 1 {
		t.Errorf("%d findings are open, want the first", got)
	}
	b.quiet()
}

// A link to a finding opens it. On paper all of them are open.
func TestFolds(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.open(sampleInput(t), 1280)
	open := func() int { return eval[int](b, `document.querySelectorAll('.finding[open]').length`) }
	eval[bool](b, `(location.hash = '#finding-2', new Promise(f => setTimeout(() => f(true))))`)
	if n := open(); n != 2 {
		t.Errorf("%d findings are open after a link to the third, want 2", n)
	}
	eval[bool](b, `dispatchEvent(new Event('beforeprint')), true`)
	if n := open(); n != 3 {
		t.Errorf("%d findings are printed open, want 3", n)
	}
	eval[bool](b, `dispatchEvent(new Event('afterprint')), true`)
	if n := open(); n != 2 {
		t.Errorf("%d findings are open after printing, want 2 as before", n)
	}
	b.Do(chromedp.Focus(chromedp.CSS("#finding-1 summary")), chromedp.KeyEvent(kb.Enter))
	if n := open(); n != 3 {
		t.Errorf("%d findings are open after Enter on the second, want 3", n)
	}
	b.Do(chromedp.Click(chromedp.CSS(".finding[open] a.chip[data-graph='0']")))
	if got := eval[string](b, `document.querySelector('.tabs [aria-selected=true]').innerText`); got != "cpu · during" {
		t.Errorf("the chip of the CPU profile opens %q", got)
	}
	b.quiet()
}

func TestThemes(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.open(sampleInput(t), 1280)
	look := func() string {
		return eval[string](b, `getComputedStyle(document.body).backgroundColor + ' ' +
			['.stage canvas', '.chart canvas'].map(s => `+pixels+`(document.querySelector(s)).slice(1, 3).map(p => p[0].toString(16)))`)
	}
	light := look()
	b.Prefer("dark")
	b.settle()
	dark := look()
	b.Shoot("dark-1280")
	if light == dark {
		t.Errorf("light and dark look the same: %s", light)
	}
	b.Do(chromedp.Click(chromedp.CSS("#theme")))
	b.settle()
	if got := look(); got != light {
		t.Errorf("in a dark system the button gives %s, want light %s", got, light)
	}
	b.Shoot("light-again")
	eval[bool](b,
		`dispatchEvent(new Event('afterprint')), document.getElementById('theme').click(), dispatchEvent(new Event('beforeprint')), true`)
	b.settle()
	if got := look(); got != light {
		t.Errorf("a dark page prints as %s, want light %s", got, light)
	}
	b.quiet()
}

func TestFlameGraphInBrowser(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.open(sampleInput(t), 1280)
	status := func() string { return eval[string](b, `document.querySelector('.status').innerText`) }
	picture := func() string { return eval[string](b, `document.querySelector('.stage canvas').toDataURL()`) }

	if got := eval[string](b,
		`document.querySelector('.tabs [aria-selected=true]').innerText`); got != "heap · during" {
		t.Errorf("the page opens with %q, want the profile of the first finding", got)
	}
	all, whole := status(), picture()
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+kb.Enter))
	if got := status(); got == all || picture() == whole {
		t.Errorf("walking down and Enter change nothing: %q", got)
	}
	b.Do(chromedp.KeyEvent(kb.Escape + kb.Escape + kb.Escape))
	if picture() != whole || status() != all {
		t.Errorf("after Escape the status is %q, want %q and the first picture", status(), all)
	}

	b.Do(chromedp.SendKeys(chromedp.CSS(".find input"), "gcache"))
	found := eval[string](b, `document.querySelector('.status b').innerText`)
	if picture() == whole || found == "nothing" {
		t.Errorf("a search for gcache finds %s", found)
	}
	b.Shoot("search")
	b.Do(chromedp.Click(chromedp.CSS(".reset")))
	if picture() != whole {
		t.Error("Reset does not bring the first picture back")
	}

	b.Do(chromedp.Click(chromedp.CSS("[data-mark='0']")))
	b.settle()
	if got := eval[string](b,
		`document.querySelector('.status b').innerText`); got != "github.com/bluele/gcache.(*LRUCache).set" {
		t.Errorf("the first place of the first finding leads to %q", got)
	}
	b.Shoot("jump")

	eval[bool](b,
		`(s => { s.value = '0'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('.types select'))`)
	if got := status(); got == all {
		t.Errorf("another measure leaves the status at %q", got)
	}
	b.Do(chromedp.Click(chromedp.CSS(".tabs button:first-child")))
	if got := eval[string](b, `document.querySelector('.status').innerText`); got == all {
		t.Errorf("another profile leaves the status at %q", got)
	}
	click(b, 0.1, 3)
	if zoomed := eval[string](b,
		`document.querySelector('.status b').innerText`); zoomed != "net/http.(*response).finishRequest" {
		t.Errorf("a click on the third row selects %q", zoomed)
	}
	b.quiet()
}

// click clicks into the flame graph: a share of its width and a row from the top.
func click(b *browser, share float64, row int) {
	at := eval[[]float64](b, fmt.Sprintf(`(c => { c.scrollIntoView({block: 'center'}); const r = c.getBoundingClientRect();
		return [r.left + r.width * %g, r.top + 19 * (%d - 0.5)] })(document.querySelector('.stage canvas'))`, share, row))
	b.Do(chromedp.MouseClickXY(at[0], at[1]))
	b.settle()
}

func TestPhone(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.open(sampleInput(t), 390)
	b.Shoot("phone-390")
	b.open(sampleInput(t), 360)
	eval[bool](b, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
	b.settle()
	if w := eval[int](b, `document.documentElement.scrollWidth`); w > 360 {
		wide := eval[[]string](b,
			`[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 361).map(e => e.className + ' ' + e.tagName).slice(0, 5)`)
		t.Errorf("the page is %d px wide in a window of 360: %q", w, wide)
	}
	b.Prefer("dark")
	b.Accessible("a case on a telephone in dark colours")
	b.Prefer("light")
	b.Accessible("a case on a telephone in light colours")
	b.quiet()
}

// On paper the page is light, has no controls, and the canvases keep what they show.
func TestPrint(t *testing.T) {
	b := browse(t)
	b.Prefer("dark")
	b.open(sampleInput(t), 760)
	eval[bool](b, `dispatchEvent(new Event('beforeprint')), true`)
	b.media("print")
	b.settle()
	b.Shoot("print")
	if got := eval[string](b, `getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s, want white", got)
	}
	if n := eval[int](b,
		`[...document.querySelectorAll('button, select, input')].filter(e => e.checkVisibility()).length`); n != 0 {
		t.Errorf("%d controls are printed", n)
	}
	if n := eval[int](b, pixels+`(document.querySelector('.stage canvas')).length`); n < 20 {
		t.Errorf("the printed flame graph shows %d colours", n)
	}
	if w := eval[int](b, `document.documentElement.scrollWidth`); w > 760 {
		t.Errorf("the printed page is %d px wide on 760", w)
	}
	b.quiet()
}

func TestTip(t *testing.T) {
	b := browse(t)
	b.Prefer("light")
	b.open(sampleInput(t), 1280)
	tip := ""
	for range 20 { // on a busy machine the page may move once more below the pointer
		at := eval[[]float64](b, `(c => { c.scrollIntoView({block: 'center'}); const r = c.getBoundingClientRect();
			return [r.left + 40, r.top + 19 * 4.5] })(document.querySelector('.stage canvas'))`)
		b.settle()
		b.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
		b.settle()
		if tip = eval[string](b, `document.querySelector('.tip').innerText`); tip != "" {
			break
		}
	}
	b.Shoot("tip")
	for _, want := range []string{"github.com/bluele/gcache.(*LRUCache).set\n", "lru.go:49\n",
		"137\u00a0MiB total, 19.3\u00a0%", "76\u00a0MiB self", "GC003: The cache's entries"} {
		if !strings.Contains(tip, want) {
			t.Errorf("the tip does not say %q:\n%s", want, tip)
		}
	}
	b.quiet()
}
