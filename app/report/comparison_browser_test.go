package report

import (
	"bytes"
	"strconv"
	"testing"
)

func renderComparison(t testing.TB, c Comparison) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteComparison(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (b *browser) openComparison(c Comparison, width int64) {
	b.T.Helper()
	b.show(renderComparison(b.T, c), width)
	b.settle()
}

func sampleOfLoad(t testing.TB) Comparison {
	t.Helper()
	c, err := OfLoad(sampleLoad(t, "a.json"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every page in each of the ways in which people look at it: nothing overflows the window, and nothing logs an error.
func TestComparisonInBrowser(t *testing.T) {
	for _, page := range []struct {
		name string
		c    Comparison
	}{{"proof", sampleComparison(t)}, {"load", sampleOfLoad(t)}, {"captures", sampleCaptures(t)}} {
		b := browse(t)
		for _, look := range []struct {
			name, scheme string
			width        int64
			open         bool
		}{{"light", "light", 1280, false}, {"dark", "dark", 1280, false}, {"phone", "light", 360, true}} {
			t.Run(page.name+"/"+look.name, func(t *testing.T) {
				b.T = t
				b.Prefer(look.scheme)
				b.openComparison(page.c, look.width)
				b.Shoot("comparison-" + page.name + "-" + look.name)
				if look.open {
					eval[bool](b, `document.querySelectorAll('details').forEach(d => d.open = true), true`)
					b.settle()
				}
				if look.name != "dark" {
					b.Prefer(map[bool]string{true: "dark", false: "light"}[look.open])
					b.Accessible(page.name + " in a window of " + strconv.FormatInt(look.width, 10))
				}
				if w := eval[int64](b, `document.documentElement.scrollWidth`); w > look.width {
					wide := eval[[]string](b,
						`[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className + ' ' + e.tagName).slice(0, 5)`)
					t.Errorf("the page is %d px wide in a window of %d: %q", w, look.width, wide)
				}
				b.quiet()
			})
		}
		t.Run(page.name+"/print", func(t *testing.T) {
			b.T = t
			b.Prefer("dark")
			b.openComparison(page.c, 760)
			eval[bool](b, `dispatchEvent(new Event('beforeprint')), true`)
			b.media("print")
			b.settle()
			b.Shoot("comparison-" + page.name + "-print")
			if got := eval[string](b, `getComputedStyle(document.body).backgroundColor`); got != "rgb(255, 255, 255)" {
				t.Errorf("the paper is %s, want white", got)
			}
			if w := eval[int](b, `document.documentElement.scrollWidth`); w > 760 {
				wide := eval[[]string](b,
					`[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > 761).map(e => e.getAttribute('class') + ' ' + e.tagName).slice(0, 5)`)
				t.Errorf("the printed page is %d px wide on 760: %q", w, wide)
			}
			if n := eval[int](b,
				`[...document.querySelectorAll('button, select, input')].filter(e => e.checkVisibility()).length`); n != 0 {
				t.Errorf("%d controls are printed", n)
			}
			b.media("screen")
			b.quiet()
		})
	}
}
