package server

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gocasebook/casebook/app/browsertest"
)

func browse(t *testing.T) *browsertest.Page {
	t.Helper()
	return browsertest.Open(t, 8*patience)
}

// openPage shows a page in a window of a width, in light or dark colours.
func openPage(b *browsertest.Page, address string, width int64, scheme string) {
	b.T.Helper()
	b.Prefer(scheme)
	b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(address))
}

// quiet fails the test if the browser reported an error, or asked another host.
func quiet(b *browsertest.Page, ours string) {
	b.T.Helper()
	b.Quiet(func(url string) bool { return strings.HasPrefix(url, ours+"/") || strings.HasPrefix(url, "data:") },
		func(e string) bool { return strings.Contains(e, "/favicon.ico") })
}

// The page of a service is live in a real browser, on a telephone and in the dark; its button opens a case.
func TestServicePageInABrowser(t *testing.T) {
	b := browse(t)
	lv := goLive(t, nil, watched(t, "example.org/shop"))
	lv.awaitWatched(t, 1)
	at := lv.url + "/service?name=example.org/shop"
	openPage(b, at, 1280, "light")
	const goroutines = `(document.querySelector('[data-name=goroutines] polyline')?.getAttribute('points') ?? '')
		.split(' ').length`
	await(t, "a line of three samples", func() bool { return browsertest.Eval[int](b, goroutines) >= 3 })
	await(t, "reasons", func() bool {
		return browsertest.Eval[bool](b, `[...document.querySelectorAll('[data-rules] td')].every(
			c => c.textContent && c.textContent != 'no sample yet')`)
	})
	b.Shoot("service-1280-light")
	b.Accessible("service in light colours")
	const overflow = `document.documentElement.scrollWidth - document.documentElement.clientWidth`
	for _, scheme := range []string{"light", "dark"} {
		openPage(b, at, 375, scheme)
		await(t, "a line", func() bool { return browsertest.Eval[int](b, goroutines) >= 3 })
		if over := browsertest.Eval[int](b, overflow); over > 0 {
			t.Errorf("at 375 px in %s colours the page is %d px too wide", scheme, over)
		}
		b.Shoot("service-375-" + scheme)
		if scheme == "dark" {
			b.Accessible("service in dark colours")
		}
	}
	if ink, paper := browsertest.Eval[string](b, `getComputedStyle(document.body).color`),
		browsertest.Eval[string](b, `getComputedStyle(document.body).backgroundColor`); ink == paper || paper == "rgb(255, 255, 255)" {
		t.Errorf("in the dark the page is %s on %s", ink, paper)
	}
	browsertest.Eval[bool](b, `(() => { document.querySelector('input[name=reason]').value = 'it is slow <script>'; return true })()`)
	browsertest.Eval[bool](b, `(() => { document.querySelector('details form').requestSubmit(); return true })()`)
	await(t, "the capture on the page", func() bool {
		return browsertest.Eval[bool](b, `document.readyState == 'complete' &&
			document.body.textContent.includes('it is slow <script>')`)
	})
	await(t, "its case", func() bool {
		openPage(b, at, 1280, "dark")
		return browsertest.Eval[bool](b, `!!document.querySelector('td a[href^="/cases/"]')`)
	})
	await(t, "a line", func() bool { return browsertest.Eval[int](b, goroutines) >= 3 })
	b.Shoot("service-1280-dark")
	b.Accessible("service in dark colours, wide")
	openPage(b, lv.url+"/", 375, "light")
	if over := browsertest.Eval[int](b, overflow); over > 0 {
		t.Errorf("at 375 px the overview is %d px too wide", over)
	}
	b.Shoot("overview-375-light")
	quiet(b, lv.url)
}
