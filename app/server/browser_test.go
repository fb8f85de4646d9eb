package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// browse opens a tab that is signed in: browsers do not tell the ports of 127.0.0.1 apart.
func browse(t *testing.T) *browsertest.Page {
	t.Helper()
	b := browsertest.Open(t, 8*patience)
	desk, r := access.NewDesk(ours, func(string) {}), httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr, r.Host = "127.0.0.1:1", "127.0.0.1"
	c, ok := desk.SignIn(r, desk.Code(), time.Now())
	if !ok {
		t.Fatal("a code of the desk does not sign in")
	}
	b.Do(func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{Name: c.Name, Value: c.Value, Path: c.Path,
			Domain: "127.0.0.1", HTTPOnly: &c.HttpOnly, SameSite: network.CookieSameSiteLax})
		return none, err
	})
	return b
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
	b.Quiet(func(url string) bool {
		return strings.HasPrefix(url, ours+"/") || strings.HasPrefix(url, "data:") || url == "about:blank"
	},
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
		b.Accessible("service in " + scheme + " colours, 375 pixels wide")
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
	foldInAddress(b, at, "details.target")
	foldInAddress(b, lv.url+"/detectors", "details.detector:nth-of-type(3)")
	quiet(b, lv.url)
}

// foldInAddress opens a fold of a page. Somebody else sees it open by the address, and the back button closes it.
func foldInAddress(b *browsertest.Page, page, fold string) {
	b.T.Helper()
	openPage(b, page, 1280, "light")
	is := fmt.Sprintf(`String(document.querySelector(%q)?.open ?? 'missing')`, fold)
	state := func(js string) string { b.T.Helper(); return browsertest.Eval[string](b, js) }
	begun := state(is)
	address := state(fmt.Sprintf(`(document.querySelector(%q).querySelector('summary').click(), new Promise(f => {
		const before = location.href, look = () => location.href != before ? f(location.href) : setTimeout(look, 5);
		look();
	}))`, fold))
	toggled := state(is)
	openPage(b, "about:blank", 1280, "light")
	openPage(b, address, 1280, "light")
	if got := state(is); got != toggled || got == begun {
		b.T.Errorf("by %s the fold is open: %s, want %s and not %s", address, got, toggled, begun)
	}
	openPage(b, page, 1280, "light")
	state(fmt.Sprintf(`(document.querySelector(%q).querySelector('summary').click(), new Promise(f => {
		addEventListener('popstate', () => setTimeout(() => f('')), { once: true });
		const before = location.href, look = () => location.href != before ? history.back() : setTimeout(look, 5);
		look();
	}))`, fold))
	if got := state(is); got != begun {
		b.T.Errorf("%s: after going back the fold %s is open: %s, want %s", page, fold, got, begun)
	}
}

// A halfRead folder is one of which cases are being read.
type halfRead struct{ *store.Shelf }

func (halfRead) Progress() (read, all int, err error) { return 1200, 10_000, nil }

// While a folder is read the first page says of what its counts are, on a telephone and in the dark, too.
func TestFolderThatIsBeingRead(t *testing.T) {
	dir := t.TempDir()
	shelf, err := store.OpenShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w, err := casefile.Dir(dir).Create(casefile.Case{Opened: time.Now(), Target: casefile.Target{Name: "shop"}})
		if err == nil {
			_, err = w.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sv := newServed(t, func(c *Config) { c.Cases, c.Keeper = halfRead{shelf}, nil })
	web := httptest.NewServer(sv.Handler())
	defer web.Close()
	b := browse(t)
	openPage(b, web.URL+"/", 1280, "light")
	wantText(b, "main", "1200 of 10000 cases of this folder have been read", "shop")
	look(b, web.URL+"/", "folder-being-read")
	quiet(b, web.URL)
}
