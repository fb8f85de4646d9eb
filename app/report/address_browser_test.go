package report

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gocasebook/casebook/vitals"
)

// brush drags over a part of the first chart, from one share of its width to another.
const brush = `((chart, from, to) => {
	const over = chart.querySelector('.u-over'), r = over.getBoundingClientRect();
	const send = (target, type, share) => target.dispatchEvent(new MouseEvent(type, { bubbles: true, button: 0,
		clientX: r.left + share * r.width, clientY: r.top + 20, movementX: 9, movementY: 0 }));
	send(over, 'mousemove', from); send(over, 'mousedown', from); send(over, 'mousemove', to); send(document, 'mouseup', to);
	return new Promise(f => setTimeout(() => f(true)));
})(document.querySelector('.chart'), 0.25, 0.5)`

// goBack goes back, and waits until the page has followed.
const goBack = `new Promise(f => { addEventListener('popstate', () => setTimeout(() => f(true)), { once: true }); history.back() })`

const charted = `[...document.querySelectorAll('.charts:not(details *) canvas')].map(c => c.toDataURL()).join()`

// What is chosen in the flame graph and the charts of a case is in its address: somebody else sees the same by it, and
// the back button undoes each step.
func TestCaseStateInAddress(t *testing.T) {
	b := browse(t)
	in := sampleInput(t)
	b.Prefer("light")
	b.open(in, 1280)
	if hash := eval[string](b, `location.hash`); hash != "" {
		t.Errorf("a page that was just opened has the hash %q", hash)
	}
	said := func() string { return eval[string](b, `document.querySelector('.status').innerText`) }
	whole := said()
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+kb.Enter))
	zoomed := eval[string](b, `location.hash`)
	if !strings.HasPrefix(zoomed, "#~") || !strings.Contains(zoomed, "zoom=") {
		t.Fatalf("after a zoom the hash is %q", zoomed)
	}
	unbrushed := eval[string](b, charted)
	eval[bool](b, brush)
	b.settle()
	all := eval[string](b, `location.hash`)
	if !strings.Contains(all, "from=") || !strings.Contains(all, "zoom=") {
		t.Fatalf("after brushing the hash is %q", all)
	}
	frame, charts := said(), eval[string](b, charted)
	if charts == unbrushed || frame == whole {
		t.Error("zooming and brushing show nothing new")
	}
	b.urls = append(b.urls, b.urls[0]+all, "about:blank")
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.urls[0]+all))
	b.settle()
	if got := said(); got != frame {
		t.Errorf("by the address the graph says %q, want %q", got, frame)
	}
	if eval[string](b, charted) != charts {
		t.Error("by the address the charts look other than before")
	}
	if got := eval[string](b, `location.hash`); got != all {
		t.Errorf("the address became %q, want %q", got, all)
	}
	b.open(in, 1280)
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+kb.Enter))
	eval[bool](b, brush)
	for _, want := range []string{zoomed, ""} {
		eval[bool](b, goBack)
		if got := eval[string](b, `location.hash`); want == "" && strings.Contains(got, "zoom=") || want != "" && got != want {
			t.Errorf("after going back the hash is %q, want %q", got, want)
		}
	}
	b.settle()
	if eval[string](b, charted) != unbrushed {
		t.Error("after going back the charts are not as at first")
	}
	b.quiet()
}

// A click on a finding's place in the flame graph is one step, and anchors stay what they are.
func TestFindingInAddress(t *testing.T) {
	b := browse(t)
	b.open(sampleInput(t), 1280)
	before := eval[int](b, `history.length`)
	eval[bool](b, `(document.querySelector('[data-mark]').click(), new Promise(f => setTimeout(() => f(true))))`)
	hash := eval[string](b, `location.hash`)
	if n := eval[int](b, `history.length`); n != before+1 || !strings.Contains(hash, "at=") {
		t.Errorf("the click made %d steps and the hash %q, want one step to a frame", n-before, hash)
	}
	said := eval[string](b, `document.querySelector('.status').innerText`)
	eval[bool](b, `(location.hash = '#findings', new Promise(f => setTimeout(() => f(true))))`)
	if got := eval[string](b, `document.querySelector('.status').innerText`); got != said {
		t.Errorf("an anchor changed the graph from %q to %q", said, got)
	}
	b.quiet()
}

// afterToggle clicks on a fold, and waits until the address has followed: the browser tells of it later.
const afterToggle = `(fold, before) => (fold.querySelector('summary').click(), new Promise(f => {
	const look = () => location.href != before ? f(true) : setTimeout(look, 5);
	look();
}))`

// Which folds are open is in the address, also of those without a name and of rows of the table of functions; the back
// button closes them again, and a link within the page changes none of it.
func TestFoldsInAddress(t *testing.T) {
	b := browse(t)
	b.open(sampleInput(t), 1280)
	const opened = `[...document.querySelectorAll('details')].map((d, i) => d.open ? i : '').join(' ').trim()`
	begun := eval[string](b, opened)
	click := func(fold string) {
		t.Helper()
		eval[bool](b, `(`+afterToggle+`)(document.querySelector(`+"`"+fold+"`"+`), location.href)`)
	}
	click("#vitals details:last-of-type")
	click("#finding-0")
	click("#functions")
	eval[bool](b, `(document.querySelector('#function-table [data-sort=cum]').click(),
		document.querySelector('#function-table .twist').click(), new Promise(f => setTimeout(() => f(true))))`)
	const table = `document.querySelector('#function-table tbody').textContent`
	all, folds, rows := eval[string](b, `location.hash`), eval[string](b, opened), eval[string](b, table)
	for _, want := range []string{"unfold=", "vitals.", "functions", "fold=finding-0", "sort=cum", "rows="} {
		if !strings.Contains(all, want) {
			t.Errorf("the address has %q, and not %s", all, want)
		}
	}
	eval[bool](b, `(location.hash = '#vitals', new Promise(f => setTimeout(() => f(true))))`)
	if got := eval[string](b, opened); got != folds {
		t.Errorf("a link within the page left %q open of %q", got, folds)
	}
	b.urls = append(b.urls, b.urls[0]+all, "about:blank")
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.urls[0]+all))
	b.settle()
	if got := eval[string](b, opened); got != folds || folds == begun {
		t.Errorf("by the address %q are open, want %q; at first %q", got, folds, begun)
	}
	if got := eval[string](b, table); got != rows {
		t.Errorf("by the address the table of functions is\n%s\nwant\n%s", got, rows)
	}
	b.Do(chromedp.Navigate("about:blank"))
	b.open(sampleInput(t), 1280)
	click("#finding-1")
	eval[bool](b, `(location.hash = '#case', new Promise(f => setTimeout(() => f(true))))`)
	click("#functions")
	for _, want := range []string{"#case", "#~unfold=finding-1", ""} {
		eval[bool](b, goBack)
		hash := eval[string](b, `location.hash`)
		first := eval[bool](b, `document.querySelector('#finding-1').open`)
		second := eval[bool](b, `document.querySelector('#functions').open`)
		if hash != want || first != (want != "") || second {
			t.Errorf("after a step back: %q, a finding open: %t, the functions: %t; want %q", hash, first, second, want)
		}
	}
	if got := eval[string](b, opened); got != begun {
		t.Errorf("after all steps back %q are open, want %q", got, begun)
	}
	b.quiet()
}

// The charts can be walked and brushed by keys alone: a sentence says the moment and its values, and Enter does what the
// mouse does.
func TestBrushByKeys(t *testing.T) {
	b := browse(t)
	in := sampleInput(t)
	in.Starts = []Start{{Time: tripped.Add(-40 * time.Second), Version: "v1.5.0", Instance: "10.0.0.8:6060"}}
	for i := range in.Vitals { // a cycle every 7 samples
		in.Vitals[i].Set(vitals.GCRate, float64(btoi(i%7 == 0)))
	}
	b.open(in, 1280)
	said := func() string { return eval[string](b, `document.getElementById('moment').textContent`) }
	unbrushed := eval[string](b, charted)
	b.Do(chromedp.Focus(chromedp.CSS(".charts.first .plot[tabindex='0']")))
	if n := eval[int](b, `document.querySelectorAll('.plot[tabindex]').length`); n != 1 {
		t.Errorf("%d charts are stops of the Tab key, want 1", n)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowLeft))
	if got := said(); !strings.HasPrefix(got, "At 0:00: gc_cpu ") || !strings.Contains(got, "%") {
		t.Errorf("at first it says %q", got)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowRight + kb.ArrowRight))
	if got := said(); !strings.HasPrefix(got, "At +0:02: ") {
		t.Errorf("two to the right it says %q", got)
	}
	b.Do(chromedp.KeyEvent(kb.PageUp, chromedp.KeyModifiers(chromedp.ModifierShift)))
	if got := said(); !strings.HasPrefix(got, "From −0:18 to +0:02 is chosen") {
		t.Errorf("after choosing it says %q", got)
	}
	if width := eval[int](b, `document.querySelector('.u-select').clientWidth`); width < 5 {
		t.Errorf("the chosen part is %d pixels wide", width)
	}
	b.Do(chromedp.KeyEvent(kb.Enter))
	if hash := eval[string](b, `location.hash`); hash != "#~from=-18&to=2" {
		t.Errorf("after Enter the address has %q", hash)
	}
	b.settle()
	if eval[string](b, charted) == unbrushed {
		t.Error("Enter does not zoom")
	}
	b.Do(chromedp.KeyEvent(kb.Home))
	if got := said(); !strings.HasPrefix(got, "At −0:18: ") {
		t.Errorf("within what is shown Home leads to %q", got)
	}
	b.Shoot("case-timeline-keys")
	b.Do(chromedp.KeyEvent(kb.Escape))
	b.settle()
	if hash := eval[string](b, `location.hash`); hash != "" || eval[string](b, charted) != unbrushed {
		t.Errorf("after Escape the address has %q, or the charts are not as at first", hash)
	}
	events := eval[string](b, `document.querySelector('.events').textContent`)
	if !strings.Contains(events, "start of v1.5.0 at 10.0.0.8:6060") {
		t.Errorf("in words: %s", events)
	}
	b.quiet()
}
