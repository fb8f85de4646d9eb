package server

import (
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gocasebook/casebook/app/browsertest"
)

// The first page with its ranking, the detectors, a comparison and a proof in a real browser: wide and on a telephone,
// in light and dark, without an error, a foreign request or a sideways scroll.
func TestTeamPagesInABrowser(t *testing.T) {
	b := browse(t)
	sv := newServed(t, withPages)
	before := putRecorded(t, sv.store, "etcd-healthy", 30*time.Hour)
	after := putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	if _, err := sv.store.AddProof(t.Context(), after.ID, aProof(after.Opened, "A quarter less CPU."), "ci"); err != nil {
		t.Fatal(err)
	}
	rank(t, sv.store, "registry-catalogue", "caddy-list", "etcd-watches", "coredns-dnssec")
	web := httptest.NewServer(sv.Handler())
	defer web.Close()
	const overflow = `document.documentElement.scrollWidth - document.documentElement.clientWidth`
	for name, path := range map[string]string{
		"overview": "/", "detectors": "/detectors?q=gc", "detector": "/detectors?kind=gc-cpu",
		"choose": "/compare", "compare": "/compare?a=" + before.ID + "&b=" + after.ID,
		"proof": "/cases/" + after.ID + "/proofs/1",
	} {
		for _, width := range []int64{1280, 375} {
			for _, scheme := range []string{"light", "dark"} {
				openPage(b, web.URL+path, width, scheme)
				if over := browsertest.Eval[int](b, overflow); over > 0 {
					t.Errorf("%s at %d px in %s colours is %d px too wide", path, width, scheme, over)
				}
				b.Shoot(name + "-" + map[int64]string{1280: "1280", 375: "375"}[width] + "-" + scheme)
			}
		}
	}
	walkByKeys(t, b, web.URL)
	quiet(b, web.URL)
}

// walkByKeys goes from the first page to a detector by the keyboard alone, and back.
func walkByKeys(t *testing.T, b *browsertest.Page, url string) {
	t.Helper()
	openPage(b, url+"/", 1280, "light")
	const focus = `(document.querySelector('.ranking a[href^="/detectors?kind="]').focus(), document.activeElement.href)`
	link := browsertest.Eval[string](b, focus)
	b.Do(chromedp.KeyEvent(kb.Enter))
	await(t, "the detector of the first finding", func() bool {
		return browsertest.Eval[bool](b, `document.readyState == 'complete' && location.href == `+strconv.Quote(link)+
			` && !!document.querySelector('details.detector[open]')`)
	})
	browsertest.Eval[bool](b, `(history.back(), true)`)
	await(t, "the first page again", func() bool {
		return browsertest.Eval[bool](b, `document.readyState == 'complete' && location.pathname == '/'`)
	})
}
