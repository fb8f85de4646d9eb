package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gocasebook/casebook/app/access"
	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/app/store"
)

// shown is the text of a page that is there.
func shown(b *browsertest.Page) string {
	b.T.Helper()
	return browsertest.Eval[string](b, `document.readyState == 'complete' ? document.body.innerText : ''`)
}

// A browser on this machine opens the link, and then reads, asks for a capture and removes a case, with no token typed.
// Another one is told of the link, on a telephone and in the dark, too; pages of another port change nothing.
func TestLinkInABrowser(t *testing.T) {
	told := make(chan string, 10)
	desk := access.NewDesk(ours, func(code string) { told <- code })
	lv := goLive(t, func(c *Config) { c.Desk = desk }, watched(t, "shop"))
	c, packed := newCase(t, "shop")
	if resp, text := lv.do(t, "PUT", "/api/v1/cases/"+c.ID, string(packed)); resp.StatusCode != http.StatusCreated {
		t.Fatal(resp.Status, text)
	}
	lv.awaitWatched(t, 1)
	link := lv.url + "/login/" + desk.Code()

	b := browsertest.Open(t, 8*patience)
	look(b, lv.url+"/cases/"+c.ID, "sign-in")
	wantText(b, "main", "Open the link that casebook serve printed last")

	openPage(b, link, 1280, "light")
	await(t, "the first page", func() bool { return strings.Contains(shown(b), "<script>alert(1)</script>") })
	if at := browsertest.Eval[string](b, `location.pathname`); at != "/" {
		t.Errorf("the link leads to %s", at)
	}
	if cookies := browsertest.Eval[string](b, `document.cookie`); cookies != "" {
		t.Errorf("scripts see the cookie: %s", cookies)
	}
	b.Shoot("signed-in")
	openPage(b, lv.url+"/service?name=shop", 1280, "light")
	browsertest.Eval[bool](b, `(() => { document.querySelector('input[name=reason]').value = 'by a browser';
		document.querySelector('details form').requestSubmit(); return true })()`)
	await(t, "the capture on the page", func() bool { return strings.Contains(shown(b), "by a browser") })
	const remove = `fetch('/api/v1/cases/%s', { method: 'DELETE' }).then(r => r.status)`
	if code := browsertest.Eval[int](b, fmt.Sprintf(remove, c.ID)); code != http.StatusNoContent {
		t.Errorf("removing the case: %d", code)
	}

	other := browsertest.Open(t, 8*patience)
	openPage(other, link, 1280, "light")
	wantText(other, "main", "This browser is not signed in")
	openPage(other, lv.url+"/login/"+<-told, 1280, "light")
	await(t, "the first page in another browser", func() bool { return strings.Contains(shown(other), "Watched") })
	openPage(b, link, 1280, "light") // of history, in a browser that is signed in
	await(t, "the first page again", func() bool { return strings.Contains(shown(b), "Watched") })

	page := listen(t) // what listens at another port of 127.0.0.1 is the same site for a browser
	go func() {
		_ = http.Serve(page, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<title>another</title>"))
		}))
	}()
	t.Cleanup(func() { _ = page.Close() })
	b.Do(chromedp.Navigate("http://" + page.Addr().String() + "/"))
	id := lv.awaitWatched(t, 1)[0].ID
	captures := func() int {
		t.Helper()
		var list struct{ Captures []store.Capture }
		lv.get(t, "/api/v1/captures", &list)
		return len(list.Captures)
	}
	before := captures()
	browsertest.Eval[string](b, `fetch('`+lv.url+`/targets/`+id+`/capture', { method: 'POST', mode: 'no-cors',
		credentials: 'include', body: new URLSearchParams({ reason: 'x' }) }).then(r => r.type, e => String(e))`)
	if after := captures(); after != before {
		t.Errorf("a page of another port asked for a capture: %d, before it %d", after, before)
	}
}
