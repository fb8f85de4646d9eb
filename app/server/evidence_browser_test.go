package server

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
)

// text is what a part of a page says.
func text(b *browsertest.Page, selector string) string {
	b.T.Helper()
	said := browsertest.Eval[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ''`, selector))
	return strings.ReplaceAll(said, "\u00a0", " ")
}

// wantText fails the test for each text that a part of a page has not.
func wantText(b *browsertest.Page, selector string, wants ...string) {
	b.T.Helper()
	got := text(b, selector)
	for _, want := range wants {
		if !strings.Contains(got, want) {
			b.T.Errorf("%s does not say %q:\n%.1500s", selector, want, got)
		}
	}
}

// look shows a page in both colours and widths, takes pictures of it, and fails the test where it is not accessible.
func look(b *browsertest.Page, address, name string) {
	b.T.Helper()
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{375, 1280} {
			openPage(b, address, width, scheme)
			narrow(b)
			b.Shoot(fmt.Sprintf("%s-%d-%s", name, width, scheme))
			b.Accessible(fmt.Sprintf("%s in %s colours, %d pixels wide", name, scheme, width))
		}
	}
}

// parked starts goroutines of a label that wait until stop is closed, and returns when total of them wait, with those
// of the calls before. They count as waiting when a dump says so: one that only is about to receive has another state.
func parked(t *testing.T, n, total int, label string, stop <-chan struct{}, all *sync.WaitGroup) {
	t.Helper()
	for range n {
		all.Go(func() {
			pprof.Do(context.Background(), pprof.Labels("tenant", label), func(context.Context) { <-stop })
		})
	}
	wait := regexp.MustCompile(`(?m)^goroutine \d+ .*\[chan receive.*\n.*server\.parked\.func1\.1`)
	buf := make([]byte, 8<<20)
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		waiting := len(wait.FindAll(buf[:runtime.Stack(buf, true)], -1))
		if waiting == total {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines wait, want %d", waiting, total)
		}
	}
}

// Two dumps and two profiles of this process, whose goroutines are known: counts, growth, who started them, labels.
func TestGoroutinesPage(t *testing.T) {
	s := newEvidenceSite(t)
	stop := make(chan struct{})
	var all sync.WaitGroup
	var files []file
	at := time.Date(2026, 11, 21, 13, 25, 14, 0, time.UTC)
	take := func(phase casefile.Phase, at time.Time) {
		dump := casefile.Evidence{Kind: casefile.GoroutineDump, File: string(phase) + "/dump.txt", Phase: phase, Taken: at}
		packed := casefile.Evidence{Kind: casefile.Goroutine, File: string(phase) + "/goroutine.pb.gz", Phase: phase,
			Taken: at, GoFormat: true}
		files = append(files, file{dump, profileOf(t, "goroutine", 2)}, file{packed, profileOf(t, "goroutine", 0)})
	}
	parked(t, 20, 20, "few", stop, &all)
	take(casefile.During, at)
	parked(t, 30, 50, "many", stop, &all)
	take(casefile.After, at.Add(20*time.Second))
	close(stop)
	all.Wait()
	c := s.put(t, casefile.Case{Target: casefile.Target{Name: "parked"}}, files...)
	b := browse(t)
	page := s.url + "/cases/" + c.ID + "/goroutines"
	openPage(b, page, 1280, "light")
	wantText(b, "h1", "goroutines", "in 20 s")
	// goroutines of the same function with another count of labels have the same stack
	wantText(b, ".stacks tbody tr", "50", "+30", "chan receive", "server.parked.func1.1", "started by")
	wantText(b, "#creators-h", "Who started them")
	wantText(b, "main", "a dump has no labels")
	browsertest.Eval[bool](b, `(document.querySelector('.stacks details').open = true)`)
	wantText(b, ".stacks details", "runtime/pprof.Do", "server.parked.func1")
	slash(b)
	b.Do(chromedp.KeyEvent("no such function"))
	wantText(b, "#found", "0 of ")
	b.Do(chromedp.KeyEvent("\x1b"))
	if got := browsertest.Eval[string](b, `location.search`); got != "" {
		t.Errorf("Escape leaves %q in the address", got)
	}
	openPage(b, page+"?q=parked.func1", 1280, "light")
	wantText(b, "#found", "1 of ")
	look(b, page, "goroutines")
	openPage(b, page+"?file=after/goroutine.pb.gz", 1280, "light")
	wantText(b, "main", "tenant: many", "30", "tenant: few", "20", "What they run", "receiving from a channel")
	b.Shoot("goroutines-profile")
	b.Accessible("goroutines of a profile")
	openPage(b, page+"?base=none", 1280, "light")
	if got := text(b, "main"); strings.Contains(got, "+30") {
		t.Error("without a base there is growth")
	}
	quiet(b, s.url)
}

// A recorded leak: how long goroutines wait, in the dump. The case's page leads there.
func TestGoroutinesPageOfALeak(t *testing.T) {
	s := newEvidenceSite(t)
	c, files := recorded(t, "foreign/nats-memory")
	c = s.put(t, c, files...)
	b := browse(t)
	openPage(b, s.url+"/cases/"+c.ID, 1280, "light")
	b.Shoot("case-served")
	b.Accessible("a case")
	look(b, s.url+"/cases/"+c.ID, "case")
	browsertest.Eval[bool](b, `([...document.querySelectorAll('.pages a')].find(a => a.innerText === 'Goroutines').click(),
		true)`)
	await(t, "the page of goroutines", func() bool {
		return browsertest.Eval[bool](b, `document.readyState === 'complete' && location.pathname.endsWith('/goroutines')`)
	})
	wantText(b, "main", "WaitForShutdown", "2 minutes", "IO wait")
	c, files = recorded(t, "goroutine_leak/faulty")
	c = s.put(t, c, files...)
	openPage(b, s.url+"/cases/"+c.ID+"/goroutines?file=goroutine-after.pb.gz", 1280, "light")
	wantText(b, ".stacks tbody tr", "goroutine_leak.(*Quotes).ask", "sending to a channel", "+80")
	b.Shoot("goroutines-leak")
	quiet(b, s.url)
}

// The trace page has the tables of `casebook trace`.
func TestTracePage(t *testing.T) {
	s := newEvidenceSite(t)
	data, err := os.ReadFile("../trace/testdata/go1.26.trace")
	if err != nil {
		t.Fatal(err)
	}
	c := s.put(t, casefile.Case{Target: casefile.Target{Name: "traced"}},
		file{casefile.Evidence{Kind: casefile.Trace, File: "during/trace.out", Phase: casefile.During}, data},
		file{casefile.Evidence{Kind: casefile.Trace, File: "after/trace.out", Phase: casefile.After},
			[]byte("no trace")})
	b := browse(t)
	page := s.url + "/cases/" + c.ID + "/trace"
	openPage(b, page, 1280, "light")
	wantText(b, "main", "Processors were busy", "Requests, calls and regions", "net/http server", "Slowest",
		"Waiting for a processor", "after a wake-up or preemption", "Stops of the world", "System calls")
	if n := browsertest.Eval[int](b, `document.querySelectorAll('svg.split rect, svg.strip rect').length`); n < 20 {
		t.Errorf("%d bars are drawn", n)
	}
	wantText(b, ".lanes", "P 0", "P 1", "0 s")
	for selector, want := range map[string]int{".lanes .lane path": 4, ".courses .lane path": 10,
		".courses tbody tr": 10, ".textures pattern": 10} {
		if n := browsertest.Eval[int](b, fmt.Sprintf(`document.querySelectorAll(%q).length`, selector)); n < want {
			t.Errorf("%d of %s, want %d", n, selector, want)
		}
	}
	texture := browsertest.Eval[string](b, `getComputedStyle(document.querySelector('.lanes path.l-collector')).fill`)
	if !strings.Contains(texture, "#lane-l-collector") {
		t.Errorf("the collector's texture is %q", texture)
	}
	browsertest.Eval[bool](b, `(document.querySelector('.lanes + details').open = true)`)
	wantText(b, ".lanes + details", "Processor", "P 1", "Ran most", "main.", "0 s to")
	b.Shoot("trace-numbers")
	look(b, page, "trace")
	foldInAddress(b, page, ".lanes + details")
	foldInAddress(b, page+"?q=http", "#slowest tr:nth-of-type(2) details")
	openPage(b, page+"?file=after/trace.out", 1280, "light")
	wantText(b, "main", "It cannot be read")
	quiet(b, s.url)
}

// The memory page has what adds up to the resident memory, and who holds it.
func TestMemoryPage(t *testing.T) {
	s := newEvidenceSite(t)
	c, files := recorded(t, "holders/storefront")
	bytes := int64(60 << 20)
	rest := int64(40 << 20)
	c.Picture = &casefile.Picture{Memory: &casefile.MemoryTable{What: "resident", Total: 100 << 20,
		Rows: []casefile.MemoryRow{{Name: "live objects", Bytes: &bytes}, {Name: "everything else", Bytes: &rest}}}}
	c = s.put(t, c, files...)
	b := browse(t)
	page := s.url + "/cases/" + c.ID + "/memory"
	openPage(b, page, 1280, "light")
	wantText(b, "main", "100 MiB", "live objects", "60 %", "Held", "Holders", "goroutine", "allocated by")
	look(b, page, "memory")
	quiet(b, s.url)
}

// What other processes wrote is text on the pages of evidence.
func TestHostileEvidence(t *testing.T) {
	const attack = `"></script><img src=x onerror="window.owned=1"><script>window.owned=1</script>{{.}}`
	s := newEvidenceSite(t)
	evil := &profile.Function{ID: 1, Name: "main." + attack, Filename: attack}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: evil, Line: 1}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "goroutine", Unit: "count"}},
		Function: []*profile.Function{evil}, Location: []*profile.Location{loc},
		Sample: []*profile.Sample{{Location: []*profile.Location{loc}, Value: []int64{7},
			Label: map[string][]string{attack: {attack}}}}}
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	dump := strings.ReplaceAll("goroutine 1 [EVIL, 3 minutes]:\nmain.EVIL()\n\t/EVIL:1 +0x1\n"+
		"created by main.EVIL in goroutine 2\n\t/EVIL:2 +0x1\n", "EVIL", attack)
	refs := fmt.Sprintf(`{"name":"x","bytes":10,"objects":1,"reached":{"bytes":10,"objects":1},"roots":[],
		"holders":[{"bytes":10,"objects":1,"share":1,"root":{"kind":"global","name":%q}}]}`, attack)
	c := s.put(t, casefile.Case{Target: casefile.Target{Name: attack}},
		file{casefile.Evidence{Kind: casefile.Goroutine, File: "goroutine.pb.gz", Phase: casefile.During, GoFormat: true,
			Note: attack}, packed.Bytes()},
		file{casefile.Evidence{Kind: casefile.GoroutineDump, File: "dump.txt", Phase: casefile.During}, []byte(dump)},
		file{casefile.Evidence{Kind: casefile.HeapRefs, File: "refs.json", Phase: casefile.During}, []byte(refs)},
		file{casefile.Evidence{Kind: casefile.Trace, File: "trace.out", Phase: casefile.During}, []byte(attack)})
	b := browse(t)
	tagged := "profile?file=goroutine.pb.gz&tagroot=" + url.QueryEscape(attack)
	for _, page := range []string{tagged, tagged + "&tagleaf=%3Cscript%3E",
		"profile?file=goroutine.pb.gz&focus=" + "%3Cscript%3E&fn=%3Cimg%20src=x%3E",
		"profile?file=goroutine.pb.gz", "goroutines?file=dump.txt", "goroutines?file=goroutine.pb.gz&q=%3Cscript%3E",
		"memory", "trace"} {
		openPage(b, s.url+"/cases/"+c.ID+"/"+page, 1280, "light")
		if !browsertest.Eval[bool](b, `document.documentElement.classList.contains('js')`) {
			t.Errorf("%s: the page's own script did not run: the test proves nothing", page)
		}
		if got := browsertest.Eval[string](b, `String(window.owned)`); got != "undefined" {
			t.Errorf("%s: the input executed code", page)
		}
		if n := browsertest.Eval[int](b, `document.querySelectorAll('img, iframe, object').length`); n != 0 {
			t.Errorf("%s: the input made %d elements", page, n)
		}
	}
	quiet(b, s.url)
}
