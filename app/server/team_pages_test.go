package server

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
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
		return Release{Report: c, Page: func(w io.Writer) error { return report.WriteComparison(w, c.Page()) }}, nil
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
	const badFilter = "/?score=x"
	for name, path := range map[string]string{
		"overview": "/", "detectors": "/detectors?q=gc", "detector": "/detectors?kind=gc-cpu",
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
	b.Quiet(func(url string) bool { return strings.HasPrefix(url, web.URL+"/") || strings.HasPrefix(url, "data:") },
		func(e string) bool {
			return strings.HasSuffix(e, "/favicon.ico") || strings.HasSuffix(e, " "+web.URL+badFilter)
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
