package server

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/app/release"
	"github.com/gocasebook/casebook/app/report"
)

// releases are two versions of a service in an engine, of which the second spends more in half of its stacks.
func releases(t *testing.T) func(context.Context, string) (Release, error) {
	t.Helper()
	e := enginetest.NewPyroscope(t)
	for version, ended := range map[string]time.Duration{"v1": 3 * time.Hour, "v2": -time.Minute} {
		p := enginetest.Recorded(t, "caddy-list", "cpu.pb.gz")
		for i, s := range p.Sample {
			for k := range s.Value {
				if version == "v2" && i%2 == 0 {
					s.Value[k] *= 3
				}
			}
		}
		for i := range 40 {
			e.Add(map[string]string{"service_name": "shop", "service_version": version}, "process_cpu",
				time.Now().Add(-ended-time.Duration(i)*15*time.Second), p)
		}
	}
	d, err := engine.NewDirectory("pyroscope://"+e.Host, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, service string) (Release, error) {
		c, err := release.Compare(ctx, d, service, "")
		if err != nil {
			return Release{}, err
		}
		return Release{Report: c, Page: func(w io.Writer) error {
			page := c.Page()
			page.Served = "/release"
			return report.WriteComparison(w, page)
		}}, nil
	}
}

// The first page with its ranking, the detectors, the lab, a comparison, a release and a proof in a real browser: wide
// and on a telephone, in light and dark, without an error, a foreign request, a sideways scroll, or what keeps somebody
// from reading them.
func TestTeamPagesInABrowser(t *testing.T) {
	b := browse(t)
	sv := newServed(t, func(c *Config) {
		withPages(c)
		c.Release = releases(t)
	})
	before := putRecorded(t, sv.store, "etcd-healthy", 30*time.Hour)
	after := putRecorded(t, sv.store, "registry-catalogue", time.Hour)
	if _, err := sv.store.AddProof(t.Context(), after.ID, aProof(after.Opened, "A quarter less CPU."), "ci"); err != nil {
		t.Fatal(err)
	}
	rank(t, sv.store, "registry-catalogue", "caddy-list", "etcd-watches", "coredns-dnssec")
	web := httptest.NewServer(sv.Handler())
	defer web.Close()
	const badFilter, gone, nobody = "/?score=x", "/cases/20260101T000000Z-x-000000", "/service?name=nobody"
	for name, path := range map[string]string{
		"overview": "/", "findings": "/findings?range=30d", "cases": "/cases?kind=cpu-json&function=main.f",
		"service": "/service?name=" + url.QueryEscape(after.Target.Name), "case": "/cases/" + after.ID,
		"retention": "/retention", "gone": gone, "nobody": nobody, "no-findings": "/findings?q=nothing",
		"detectors": "/detectors?q=gc", "detector": "/detectors?kind=gc-cpu",
		"choose": "/compare", "compare": "/compare?a=" + before.ID + "&b=" + after.ID,
		"proof": "/cases/" + after.ID + "/proofs/1", "lab": "/lab", "release": "/release?service=shop",
		"searched": "/?q=nothing", "bad-filter": badFilter,
	} {
		for _, width := range []int64{1280, 375} {
			for _, scheme := range []string{"light", "dark"} {
				openPage(b, web.URL+path, width, scheme)
				narrow(b)
				b.Shoot(name + "-" + map[int64]string{1280: "1280", 375: "375"}[width] + "-" + scheme)
				b.Accessible(fmt.Sprintf("%s in %s colours, %d pixels wide", name, scheme, width))
			}
		}
	}
	walkByKeys(t, b, web.URL)
	siteByKeys(t, b, web.URL, after.ID)
	b.Quiet(func(url string) bool { return strings.HasPrefix(url, web.URL+"/") || strings.HasPrefix(url, "data:") },
		func(e string) bool {
			return slices.ContainsFunc([]string{badFilter, gone, nobody}, func(at string) bool {
				return strings.HasSuffix(e, " "+web.URL+at)
			})
		})
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

// siteByKeys goes from page to page and reads what a link holds by the keyboard, until the keys are turned off.
func siteByKeys(t *testing.T, b *browsertest.Page, url, id string) {
	t.Helper()
	at := func(path string) {
		t.Helper()
		await(t, path, func() bool {
			return browsertest.Eval[bool](b, `document.readyState == 'complete' && location.pathname == `+strconv.Quote(path))
		})
	}
	shown := func(dialog, want string) {
		t.Helper()
		text := browsertest.Eval[string](b, `document.querySelector('dialog[open]#`+dialog+`')?.innerText ?? 'closed'`)
		if !strings.Contains(text, want) {
			t.Errorf("%s says %q, want %q", dialog, text, want)
		}
		b.Accessible("the dialog " + dialog)
		b.Do(chromedp.KeyEvent(kb.Escape))
	}
	openPage(b, url+"/", 1280, "light")
	b.Do(chromedp.KeyEvent("g"), chromedp.KeyEvent("f"))
	at("/findings")
	b.Do(chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"), chromedp.KeyEvent(kb.Enter))
	await(t, "the case of the first row", func() bool {
		return browsertest.Eval[bool](b, `document.readyState == 'complete' && location.pathname.startsWith('/cases/2')`)
	})
	openPage(b, url+"/cases/"+id, 1280, "light")
	b.Do(chromedp.KeyEvent("s"))
	shown("share", "retention may remove it")
	b.Do(chromedp.KeyEvent("?"))
	shown("sitekeys", "what hurts now")
	openPage(b, url+"/cases?q=cpu", 1280, "dark")
	b.Do(chromedp.KeyEvent("s"))
	shown("share", "q cpu")
	browsertest.Eval[bool](b, `(document.getElementById('single').click(), true)`)
	b.Do(chromedp.KeyEvent("s"))
	if browsertest.Eval[bool](b, `!!document.querySelector('dialog[open]')`) {
		t.Error("a key that was turned off opens a dialog")
	}
	browsertest.Eval[bool](b, `(document.getElementById('single').click(), true)`)
}
