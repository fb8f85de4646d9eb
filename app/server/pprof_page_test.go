package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
)

// boxes are the names in pprof's flame graph.
const boxes = `[...document.querySelectorAll('.boxtext')].map(e => e.innerText)`

// Google's pages of a profile work in a real browser under their policy, and show the profile that they are about.
func TestPprofPages(t *testing.T) {
	s := newEvidenceSite(t)
	c, data := gateway(t, s)
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=during/heap.pb.gz&focus=gcache", 1280, "light")
	href := browsertest.Eval[string](b.Page, `document.getElementById('pprof-pages').getAttribute('href')`)
	if !strings.Contains(href, "f=%28%3Fi%29gcache") || !strings.Contains(href, "si=inuse_space") {
		t.Errorf("the link has not what the page shows: %s", href)
	}
	b.Do(chromedp.Click(chromedp.CSS("#pprof-pages")))
	await(t, "pprof's flame graph", func() bool {
		return browsertest.Eval[bool](b.Page, `location.pathname.endsWith('/flamegraph') && `+boxes+`.length > 10`)
	})
	b.Shoot("pprof-flamegraph")
	if names := fmt.Sprint(browsertest.Eval[[]string](b.Page, boxes)); !strings.Contains(names, "gcache") {
		t.Errorf("the flame graph has the names %s", names)
	}
	b.Do(chromedp.Click(chromedp.CSS(".boxbg:nth-child(6)"))) // it shows callers and callees of the frame
	if p := b.query().Get("p"); p == "" {
		t.Error("a click on a frame is not in the address")
	}
	at := s.url + "/cases/" + c.ID + "/pprof/during/heap.pb.gz/"
	openPage(b.Page, at+"top?si=inuse_space", 1280, "light")
	flat, _ := totals(parse(t, data), 3)
	rows := browsertest.Eval[[][]string](b.Page, `[...document.querySelectorAll('#rows tr')].map(
		r => [...r.cells].map(c => c.innerText))`)
	if len(rows) < 5 {
		t.Fatalf("top has %d rows", len(rows))
	}
	for _, r := range rows[:5] {
		wantNumber(t, r[5], strings.NewReplacer("MB", " MiB", "kB", " KiB").Replace(r[0]), flat[r[5]])
	}
	b.Shoot("pprof-top")
	browsertest.Eval[bool](b.Page, `(document.getElementById('peek').click(), true)`)
	await(t, "the page behind a link of pprof's menu", func() bool {
		return browsertest.Eval[bool](b.Page, `document.readyState == 'complete' && location.pathname.endsWith('/peek')`)
	})
	wantText(b.Page, "body", "inuse_space")
	openPage(b.Page, at+"peek?f=gcache", 1280, "light")
	wantText(b.Page, "pre", "gcache.(*LRUCache)", "inuse_space")
	openPage(b.Page, s.url+"/cases/"+c.ID+"/pprof/during/cpu.pb.gz/", 1280, "light")
	if got := text(b.Page, "#detailsbox"); !browsertest.Eval[bool](b.Page, `location.pathname.endsWith('cpu.pb.gz/flamegraph')`) ||
		!strings.Contains(got, "Type: cpu") {
		t.Errorf("the other profile is %q", got)
	}
	quiet(b.Page, s.url)
	if got := browsertest.Eval[string](b.Page, `window.origin`); got != "null" {
		t.Errorf("pprof's pages have the origin %s, and could read what this server has", got)
	}
	if browsertest.Eval[bool](b.Page, `fetch('/api/v1/cases').then(() => true, () => false)`) {
		t.Error("pprof's pages can send requests")
	}
}

// The rest of pprof's web interface is not there.
func TestPprofForbidden(t *testing.T) {
	s := newEvidenceSite(t)
	c, _ := gateway(t, s)
	at := "/cases/" + c.ID + "/pprof/"
	for path, want := range map[string]int{
		at + "during/heap.pb.gz/flamegraph":                       http.StatusOK,
		at + "during/heap.pb.gz/":                                 http.StatusSeeOther,
		at + "during/heap.pb.gz/download":                         http.StatusSeeOther,
		at + "during/heap.pb.gz":                                  http.StatusNotFound,
		at + "flamegraph":                                         http.StatusNotFound,
		at + "during/heap.pb.gz/graph":                            http.StatusNotFound,
		at + "during/heap.pb.gz/source?f=.":                       http.StatusNotFound,
		at + "during/heap.pb.gz/disasm?f=.":                       http.StatusNotFound,
		at + "during/heap.pb.gz/weblist?f=.":                      http.StatusNotFound,
		at + "during/heap.pb.gz/saveconfig?config=x":              http.StatusNotFound,
		at + "during/heap.pb.gz/deleteconfig?config=x":            http.StatusNotFound,
		at + "during/none.pb.gz/top":                              http.StatusNotFound,
		at + "during/heap.pb.gz/top?f=[":                          http.StatusUnprocessableEntity,
		at + "http:%2F%2F127.0.0.1:1%2Fdebug%2Fpprof%2Fheap/top":  http.StatusNotFound,
		at + "%2Fetc%2Fpasswd/top":                                http.StatusNotFound,
		"/cases/20000101T000000Z-gc-cpu-0000/pprof/cpu.pb.gz/top": http.StatusNotFound,
	} {
		w := s.ask("GET", path, nil)
		if w.Code != want {
			t.Errorf("%s: %d, want %d: %.200s", path, w.Code, want, w.Body)
		}
		policy := w.Header().Get("Content-Security-Policy")
		if ok := w.Code == http.StatusOK; strings.Contains(policy, "unsafe-inline") != ok || strings.Contains(policy, "sandbox") != ok {
			t.Errorf("%s: %d comes with the policy %s", path, w.Code, policy)
		}
	}
	down := s.ask("GET", at+"during/heap.pb.gz/download", nil).Header().Get("Location")
	wantCode(t, s.ask("GET", down, nil), http.StatusOK)
	if log := s.log.String(); !strings.Contains(log, "page=pprof/flamegraph") {
		t.Errorf("the log does not say who read evidence:\n%s", log)
	}
}

// What a profile has for names is text in pprof's pages.
func TestPprofHostile(t *testing.T) {
	s := newEvidenceSite(t)
	c := s.put(t, casefile.Case{Target: casefile.Target{Name: "shop"}}, file{casefile.Evidence{Kind: casefile.CPU,
		File: "during/cpu.pb.gz", Phase: casefile.During, GoFormat: true}, hostileProfile(t)})
	b := browse(t)
	for _, page := range []string{"flamegraph", "top", "peek?f=.", "flamegraph?f=%3Cscript%3E&si=cpu",
		"top?f=main&i=%22%27%3E%3Cscript%3Ewindow.hacked=1%3C/script%3E"} {
		openPage(b, s.url+"/cases/"+c.ID+"/pprof/during/cpu.pb.gz/"+page, 1280, "light")
		if !strings.Contains(text(b, "#detailsbox"), "Type: cpu") {
			t.Errorf("%s is not pprof's page: the test proves nothing", page)
		}
		if browsertest.Eval[bool](b, `'hacked' in window`) {
			t.Errorf("%s ran a script of the attacker's", page)
		}
		if n := browsertest.Eval[int](b, `document.querySelectorAll('img, iframe, object').length`); n > 0 {
			t.Errorf("%s has %d elements of the attacker's", page, n)
		}
	}
	quiet(b, s.url)
}
