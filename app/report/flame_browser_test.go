package report

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gocasebook/casebook/casefile"
)

// A flame graph of 50,000 distinct frames is complete.
func TestLargeFlameGraph(t *testing.T) { largeFlameGraph(t) }

// BenchmarkLargeFlameGraph measures how long drawing one takes. The design asks for less than the bound, which is
// generous.
func BenchmarkLargeFlameGraph(b *testing.B) {
	const bound = 2 * time.Second
	for b.Loop() {
		for name, d := range largeFlameGraph(b) {
			b.ReportMetric(float64(d.Milliseconds()), name+"-ms")
			if d > bound {
				b.Errorf("drawing %s took %v, want less than %v", name, d, bound)
			}
		}
	}
	b.ReportMetric(0, "ns/op") // of starting a browser
}

func largeFlameGraph(t testing.TB) map[string]time.Duration {
	const n = 50_000
	in := Input{Case: casefile.Case{ID: "large"}, Profiles: []Profile{{File: "cpu.pb.gz", Kind: "cpu",
		Data: forest(t, n)}}}
	b := browse(t)
	begin := time.Now()
	page := render(t, in)
	t.Logf("%d frames: a page of %d bytes, written in %v", n, len(page), time.Since(begin).Round(time.Millisecond))
	b.open(in, 1280)
	b.Shoot("large")
	if got := eval[string](b, `document.querySelector('.status').innerText`); !strings.Contains(got,
		"50\u00a0k frames") {
		t.Errorf("the graph says %q, want 50 k frames: nothing is left out below the page's bound", got)
	}
	drawing := func() time.Duration {
		return time.Duration(eval[float64](b,
			`performance.getEntriesByName('flame')[0].duration`) * float64(time.Millisecond))
	}
	first := drawing()
	paint := eval[float64](b, `performance.getEntriesByName('first-contentful-paint')[0].startTime`)
	scrolled := time.Duration(eval[float64](b, scrollFrames) * float64(time.Millisecond))
	t.Logf("scrolled for 120 frames of the screen: %.1f a second", float64(time.Second)/float64(scrolled))
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+kb.ArrowDown+kb.Enter))
	zoom := drawing()
	b.Do(chromedp.SendKeys(chromedp.CSS(".find input"), "p42"))
	search := drawing()
	before := eval[string](b, `document.querySelector('.stage canvas').toDataURL()`)
	eval[bool](b, `(document.querySelector('.stage').scrollTop = 1e6, true)`)
	b.settle()
	if eval[string](b, `document.querySelector('.stage canvas').toDataURL()`) == before {
		t.Error("scrolling down to the leaves draws nothing new")
	}
	t.Logf("first contentful paint %.0f ms after navigation; drawing: whole %v, zoomed %v, searched %v", paint, first,
		zoom, search)
	sandwich := time.Duration(eval[float64](b,
		`(t => { document.querySelector('[data-mode=sandwich]').click(); return performance.now() - t })(performance.now())`) * 1e6)
	lines := time.Duration(eval[float64](b,
		`(t => { document.querySelector('[data-mode=lines]').click(); return performance.now() - t })(performance.now())`) * 1e6)
	t.Logf("sandwich %v, lines %v", sandwich, lines)
	b.quiet()
	return map[string]time.Duration{"whole": first, "zoomed": zoom, "searched": search, "sandwich": sandwich,
		"lines": lines, "scrolled": scrolled}
}

// scrollFrames scrolls the whole graph, which is drawn anew at each place, and says how long a frame of the screen took
// in milliseconds: 16.7 where none was missed, as Chromium draws 60 a second.
const scrollFrames = `new Promise(done => {
	const stage = document.querySelector('.stage');
	let n = 0, begin;
	const step = now => {
		begin ??= now;
		stage.scrollTop = n * 37 % Math.max(stage.scrollHeight - stage.clientHeight, 1);
		if (n++ < 120) requestAnimationFrame(step);
		else {
			stage.scrollTop = 0;
			done((now - begin) / 120);
		}
	};
	requestAnimationFrame(step);
})`

// number.go and web/format.ts must write the same. testdata/format.js is made of it.
func TestFormattersAgree(t *testing.T) {
	source, err := os.ReadFile("testdata/format.js")
	if err != nil {
		t.Fatal(err)
	}
	var args [][2]any
	for _, q := range quantities {
		if !finite(q.v) { // JSON has no such numbers; the page's data has null
			args = append(args, [2]any{nil, q.unit})
			continue
		}
		args = append(args, [2]any{q.v, q.unit})
	}
	table, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t)
	got := eval[[]string](b,
		"(() => {\n"+string(source)+"\nreturn "+string(table)+".map(([v, u]) => format.quantity(v, u)); })()")
	for i, q := range quantities {
		want := spaced(q.want)
		if !finite(q.v) { // it came as null
			want = "–"
		}
		if got[i] != want {
			t.Errorf("in the browser quantity(%v, %q) = %q, want %q", q.v, q.unit, got[i], want)
		}
	}
}

// Without JavaScript the prose, the findings and the tables are on the page, and no controls that would do nothing.
func TestWithoutJavaScript(t *testing.T) {
	b := browse(t)
	b.Do(func(ctx context.Context, tab *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: true})
		return none, err
	})
	b.navigate(sampleInput(t), 1280)
	b.Shoot("no-javascript")
	body, err := chromedp.Run(b.Ctx, chromedp.Text(chromedp.CSS("body")))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The cache's entries are small objects", "Keep the entries in pointer-free memory",
		"The charts need JavaScript", "−48.6"} {
		if !strings.Contains(body, want) {
			t.Errorf("without JavaScript the page does not show %q", want)
		}
	}
	for _, dead := range []string{"flame graph\n", "Copy", "Reset", "drag to zoom"} {
		if strings.Contains(body, dead) {
			t.Errorf("without JavaScript the page shows %q, which does nothing", dead)
		}
	}
}

// The flame graph stands on its root or hangs from it. Keys go the way that a reader sees, and the address says which.
func TestUprightFlameGraph(t *testing.T) {
	b := browse(t)
	b.open(sampleInput(t), 1280)
	said := func() string { return eval[string](b, `document.querySelector('.status').innerText`) }
	state := func() string { return eval[string](b, `location.hash`) }
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown+kb.ArrowDown))
	third, at := said(), strings.TrimPrefix(state(), "#~")
	hanging := eval[string](b, `document.querySelector('.stage canvas').toDataURL()`)
	b.Do(chromedp.KeyEvent("u"))
	if got := state(); got != "#~up=1&"+at || said() != third {
		t.Errorf("turned, the address has %q and the selected frame is %q, want up=1, %s and %q", got, said(), at, third)
	}
	b.settle()
	if eval[string](b, `document.querySelector('.stage canvas').toDataURL()`) == hanging ||
		!eval[bool](b, `document.querySelector('[data-up]').ariaPressed == 'true'`) {
		t.Error("turned, it looks as before")
	}
	b.Shoot("flame-upright")
	b.Do(chromedp.KeyEvent(kb.Home + kb.ArrowUp + kb.ArrowUp + kb.ArrowUp))
	if got := said(); got != third {
		t.Errorf("upright, three steps up lead to %q, want %q", got, third)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowDown))
	second := said()
	b.Do(chromedp.KeyEvent(kb.Home))
	box := eval[[]float64](b, `(r => [r.left, r.bottom])(document.querySelector('.stage canvas').getBoundingClientRect())`)
	// The root is at the foot, and above it at the left what is heaviest of it.
	b.Do(chromedp.MouseClickXY(box[0]+4, box[1]-19-9))
	if got := said(); got != second {
		t.Errorf("a click above the root leads to %q, want %q", got, second)
	}
	b.Do(chromedp.KeyEvent("u"))
	if strings.Contains(state(), "up=") {
		t.Errorf("turned twice the address has %q", state())
	}
	eval[bool](b, goBack)
	if !strings.Contains(state(), "up=1") || !eval[bool](b, `document.querySelector('[data-up]').ariaPressed == 'true'`) {
		t.Errorf("going back does not turn it: %q", state())
	}
	b.quiet()
}
