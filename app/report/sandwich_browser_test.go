package report

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/vitals"
)

// held is what a function has in a profile, counting a stack once, by google/pprof: in total, and by line.
func held(t testing.TB, file, function, sampleType string) (total, whole int64, self, all map[int64]int64, callers,
	callees map[string]int64) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == sampleType })
	self, all, callers, callees = map[int64]int64{}, map[int64]int64{}, map[string]int64{}, map[string]int64{}
	for _, s := range p.Sample {
		var frames []profile.Line // the leaf first
		for _, l := range s.Location {
			frames = append(frames, l.Line...)
		}
		whole += s.Value[k]
		lines := map[int64]bool{}
		outermost := -1
		for i, f := range frames {
			if f.Function.Name == function {
				lines[f.Line], outermost = true, i
				if i == 0 {
					self[f.Line] += s.Value[k]
				}
			}
		}
		for line := range lines {
			all[line] += s.Value[k]
		}
		if outermost < 0 {
			continue
		}
		total += s.Value[k]
		if outermost+1 < len(frames) {
			callers[frames[outermost+1].Function.Name] += s.Value[k]
		}
		if outermost > 0 {
			callees[frames[outermost-1].Function.Name] += s.Value[k]
		}
	}
	return total, whole, self, all, callers, callees
}

func heaviestOf(m map[string]int64) (best string) {
	for name, v := range m {
		if best == "" || v > m[best] || v == m[best] && name < best {
			best = name
		}
	}
	return best
}

// Frames whose code the compiler inlined say so, in the legend and where they are selected; what calls them does not.
func TestInlinedFramesSayIt(t *testing.T) {
	in := sampleInput(t)
	b := browse(t)
	b.Prefer("light")
	b.open(in, 1280)
	if legend := eval[string](b, `document.querySelector('.legend').innerText`); !strings.Contains(legend,
		"↳ inlined by the compiler") {
		t.Errorf("the legend says %q", legend)
	}
	status := func() string { return eval[string](b, `document.querySelector('.status').innerText`) }
	b.Do(chromedp.Focus(chromedp.CSS(".stage")))
	inlined, called := "", ""
	for range 60 { // down the heaviest stack
		b.Do(chromedp.KeyEvent(kb.ArrowDown))
		if text := status(); strings.Contains(text, " · inlined") {
			inlined = text
		} else {
			called = text
		}
	}
	if inlined == "" || called == "" {
		t.Errorf("inlined: %q, called: %q", inlined, called)
	}
}

// The sandwich's and the lines' numbers are those of google/pprof. Keys walk from the function to callers and callees.
func TestSandwichAndLines(t *testing.T) {
	in := sampleInput(t)
	b := browse(t)
	b.Prefer("light")
	b.open(in, 1280)
	name := eval[string](b,
		`(document.querySelector("[data-mark='0']").click(), document.querySelector('.status b').innerText)`)
	total, whole, self, all, callers, callees := held(t, "testdata/gateway/heap.pb.gz", name, "inuse_space")
	if total == 0 || len(callers) == 0 {
		t.Fatalf("the profile has no %s with callers: the test proves nothing", name)
	}
	status := func() string { return eval[string](b, `document.querySelector('.status').innerText`) }
	strong := func() string { return eval[string](b, `document.querySelector('.status b').innerText`) }

	b.Do(chromedp.Click(chromedp.CSS("[data-mode=sandwich]")))
	b.settle()
	b.Shoot("sandwich")
	want := quantity(float64(total), vitals.Bytes) + " total, " + percent(float64(total)/float64(whole))
	if got := status(); !strings.Contains(got, want) || strong() != name {
		t.Errorf("the sandwich says %q, want %q of %s", got, want, name)
	}
	if n := eval[int](b, pixels+`(document.querySelector('.stage canvas')).length`); n < 10 {
		t.Errorf("the sandwich shows %d colours, want frames and text", n)
	}
	caller := heaviestOf(callers)
	b.Do(chromedp.Focus(chromedp.CSS(".stage")), chromedp.KeyEvent(kb.ArrowUp))
	want = quantity(float64(callers[caller]), vitals.Bytes) + " total"
	if strong() != caller || !strings.Contains(status(), want) {
		t.Errorf("above it is %q, want %s with %s", status(), caller, want)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowDown))
	if strong() != name {
		t.Errorf("back down is %q, want the function", strong())
	}
	if callee := heaviestOf(callees); callee != "" {
		b.Do(chromedp.KeyEvent(kb.ArrowDown))
		want := quantity(float64(callees[callee]), vitals.Bytes) + " total"
		if strong() != callee || !strings.Contains(status(), want) {
			t.Errorf("below it is %q, want %s with %s", status(), callee, want)
		}
		b.Do(chromedp.KeyEvent(kb.ArrowUp))
	}
	b.Do(chromedp.KeyEvent(kb.ArrowUp + kb.Enter))
	if got := eval[string](b,
		`document.querySelector('.function select').selectedOptions[0].text`); !strings.Contains(got,
		shortFuncName(caller)) || strong() != caller {
		t.Errorf("Enter on the caller shows %q, want its own sandwich", got)
	}
	b.Do(chromedp.KeyEvent(kb.Escape))
	if strong() != name {
		t.Errorf("Escape leads to %q, want the function before", strong())
	}

	b.Do(chromedp.Click(chromedp.CSS("[data-mode=lines]")))
	b.settle()
	b.Shoot("lines")
	b.Accessible("the lines of a function")
	rows := eval[[]string](b,
		`[...document.querySelectorAll('.lines tbody tr')].map(r => [...r.children].slice(0, 4).map(c => c.innerText).join('|'))`)
	var wants []string
	for line, v := range all {
		wants = append(wants, fmt.Sprintf("%d|%s|%s|%s", line, quantity(float64(self[line]), vitals.Bytes),
			percent(float64(self[line])/float64(whole)), quantity(float64(v), vitals.Bytes)))
	}
	slices.Sort(wants)
	slices.Sort(rows)
	if !slices.Equal(rows, wants) {
		t.Errorf("the lines are\n%q, want\n%q", rows, wants)
	}
	b.Do(chromedp.SendKeys(chromedp.CSS(".find input"), "parseQuery"), chromedp.KeyEvent(kb.Enter))
	if got := status(); !strings.Contains(got, "net/url.ParseQuery") { // the heavier of two
		t.Errorf("Enter in the search shows %q, want net/url.ParseQuery", got)
	}
	b.Do(chromedp.Click(chromedp.CSS("[data-mode=graph]")))
	if eval[bool](b, `document.querySelector('.stage').hidden`) {
		t.Error("the graph stays hidden behind the lines")
	}
	b.quiet()
}

func shortFuncName(name string) string { return splitSymbol(name).Name }

// Before and during of one case: the graph of the difference, and the places that grew, per second for CPU.
func TestWhatGrew(t *testing.T) {
	in := phasesInput(t)
	page := text(render(t, in))
	for _, want := range []string{
		"What grew", "cpu: before → during 0.5 cores before, 1 core during (×2)",
		"are divided by the seconds that it ran",
		"goroutine: before → during 10 before, 40 during (×4)",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	g := newPhases(t, in)[0]
	if len(g.Grown) != 1 || g.Grown[0].Function != "example.com/shop.sum" ||
		g.Grown[0].Change != spaced("+0.5_cores") || !g.Grown[0].Sure || g.Grown[0].Line != 7 {
		t.Errorf("grown: %+v, want example.com/shop.sum:7 alone by 0.5 cores", g.Grown)
	}
	b := browse(t)
	b.Prefer("light")
	b.open(in, 1280)
	if got := eval[[]string](b,
		`[...document.querySelectorAll('.tabs button')].map(b => b.innerText)`); !slices.Contains(got,
		"cpu: before → during") {
		t.Fatalf("tabs %q, want one of the difference", got)
	}
	eval[bool](b,
		`([...document.querySelectorAll('.tabs button')].find(b => b.innerText === 'cpu: before → during').click(), true)`)
	if got := eval[string](b, `document.querySelector('.status').innerText`); !strings.Contains(got,
		"0.5\u00a0cores before, 1\u00a0core during") {
		t.Errorf("the graph says %q", got)
	}
	b.Do(chromedp.Click(chromedp.CSS("[data-mode=sandwich]")))
	b.settle()
	b.Shoot("sandwich-difference")
	if got := eval[string](b, `document.querySelector('.status').innerText`); !strings.Contains(got, "before") ||
		!strings.Contains(got, "during") {
		t.Errorf("the sandwich of a difference says %q, want both sides", got)
	}
	b.quiet()
}
