// Package browsertest opens pages in a real Chromium. Only tests import it.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const chromium = "/usr/bin/chromium"

// startTime is how long Chromium may take to start: half a minute on a busy machine.
const startTime = 10 * time.Minute

// shared is the Chromium of all tests, started by the first that opens a page: a start costs a second or two of CPU.
// Each test has a browser context of its own in it, with its own cache and storage, as in a private window.
var shared struct {
	once sync.Once
	ctx  context.Context
	err  error
	end  func()
}

func start() {
	dir, err := os.MkdirTemp("", "casebook-chromium")
	if err != nil {
		shared.err = err
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(dir),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("no-first-run", true), chromedp.Flag("disable-quic", true), chromedp.WSURLReadTimeout(startTime))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	first, cancelFirst := chromedp.NewContext(alloc)
	shared.ctx = first
	shared.end = func() {
		_ = chromedp.Cancel(first) // it may have ended
		cancelFirst()
		cancel()
		_ = os.RemoveAll(dir)
	}
	shared.err = chromedp.Do(first)
}

// End ends the Chromium, when all tests of a package have.
func End() {
	if shared.end != nil {
		shared.end()
	}
}

// A Page is one tab, and what it reported and requested.
type Page struct {
	T   testing.TB // which fails when a step does
	Ctx context.Context

	mu       sync.Mutex
	errors   []string // guarded by mu
	requests []string // guarded by mu
}

// Open opens a tab for at most so long. Without Chromium the test is skipped, but never in CI: there, a missing Chromium
// is a fault of the machine.
func Open(t testing.TB, limit time.Duration) *Page {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v: install Debian's package chromium", err)
		}
		t.Skipf("%v: install Debian's package chromium to run this test", err)
	}
	if shared.once.Do(start); shared.err != nil {
		t.Fatalf("starting Chromium: %v", shared.err)
	}
	ctx, cancel := context.WithTimeout(shared.ctx, limit)
	tab, cancelTab := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	p := &Page{T: t, Ctx: tab}
	t.Cleanup(func() {
		if err := chromedp.Cancel(tab); err != nil {
			t.Logf("closing the tab: %v", err)
		}
		cancelTab()
		cancel()
	})
	p.Do(enable)
	if err := chromedp.Listen(tab, p.hear); err != nil {
		t.Fatal(err)
	}
	return p
}

// enable asks the browser for the events that hear reads.
func enable(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
	if _, err = cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return none, err
	}
	if _, err = cdp.Call(ctx, t, log.Enable, cdp.Empty{}); err != nil {
		return none, err
	}
	_, err = cdp.Call(ctx, t, runtime.Enable, cdp.Empty{})
	return none, err
}

func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors,
			"exception: "+(&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *runtime.EventConsoleAPICalled:
		p.errors = append(p.errors, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		p.errors = append(p.errors, "log: "+e.Entry.Text+" "+e.Entry.URL)
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

// Quiet fails the test if the page logged an error or requested anything that is not allowed. An error that is expected
// makes no noise; nil: none is.
func (p *Page) Quiet(allowed, expected func(string) bool) {
	p.T.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.errors {
		if expected == nil || !expected(e) {
			p.T.Errorf("the browser reports: %s", e)
		}
	}
	for _, r := range p.requests {
		if !allowed(r) {
			p.T.Errorf("the page requested %s", r)
		}
	}
}

// Do takes steps.
func (p *Page) Do(steps ...chromedp.Action[chromedp.Void]) {
	p.T.Helper()
	if err := chromedp.Do(p.Ctx, steps...); err != nil {
		p.T.Fatal(err)
	}
}

// Emulate sets a medium, or what the user prefers.
func (p *Page) Emulate(media emulation.SetEmulatedMediaParams) {
	p.T.Helper()
	p.Do(func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return none, err
	})
}

// Prefer emulates a system in light or dark colours.
func (p *Page) Prefer(scheme string) {
	p.T.Helper()
	p.Emulate(emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// Eval returns the value of a JavaScript expression, or of its promise.
func Eval[V any](p *Page, js string) V {
	p.T.Helper()
	v, err := chromedp.Run(p.Ctx, chromedp.Evaluate[V](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.T.Fatalf("%s: %v", js, err)
	}
	return v
}

// Picture is what the window shows now, as PNG.
func (p *Page) Picture() []byte {
	p.T.Helper()
	png, err := chromedp.Run(p.Ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.T.Fatal(err)
	}
	return png
}

// Shoot saves a picture of the whole page when CASEBOOK_SHOTS names a folder.
func (p *Page) Shoot(name string) {
	p.T.Helper()
	dir := os.Getenv("CASEBOOK_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.Ctx, chromedp.FullScreenshot(100))
	if err != nil {
		p.T.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		p.T.Fatal(err)
	}
}
