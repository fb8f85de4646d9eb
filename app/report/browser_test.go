package report

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// A browser is one tab of a real Chromium with a page opened from disk, and what it logged or requested.
type browser struct {
	t    testing.TB
	ctx  context.Context
	urls []string // of the pages opened

	mu       sync.Mutex
	errors   []string // guarded by mu
	requests []string // guarded by mu
}

// patience limits a tab's whole time. On a busy machine Chromium alone takes half a minute to start.
const patience = 10 * time.Minute

// TestMain ends the Chromium that the tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	if shared.end != nil {
		shared.end()
	}
	os.Exit(code)
}

// shared is the Chromium of all tests, started by the first that opens a page: a start costs a second or two of CPU.
// Each test has a browser context of its own in it, with its own cache and storage, as in a private window.
var shared struct {
	once sync.Once
	ctx  context.Context
	err  error
	end  func()
}

func startChromium() {
	dir, err := os.MkdirTemp("", "casebook-chromium")
	if err != nil {
		shared.err = err
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(dir),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("no-first-run", true), chromedp.Flag("disable-quic", true), chromedp.WSURLReadTimeout(patience))
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

// browse opens a tab in Chromium. Without it the test is skipped, but never in CI: there, a missing Chromium is a fault
// of the machine.
func browse(t testing.TB) *browser {
	t.Helper()
	if _, err := os.Stat(chromium); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v: install Debian's package chromium", err)
		}
		t.Skipf("%v: install Debian's package chromium to run this test", err)
	}
	if shared.once.Do(startChromium); shared.err != nil {
		t.Fatalf("starting Chromium: %v", shared.err)
	}
	ctx, cancel := context.WithTimeout(shared.ctx, patience)
	tab, cancelTab := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	b := &browser{t: t, ctx: tab}
	t.Cleanup(func() {
		if err := chromedp.Cancel(tab); err != nil {
			t.Logf("closing the tab: %v", err)
		}
		cancelTab()
		cancel()
	})
	b.do(enable)
	if err := chromedp.Listen(tab, b.hear); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.errors = append(b.errors,
			"exception: "+(&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error())
	case *runtime.EventConsoleAPICalled:
		b.errors = append(b.errors, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		b.errors = append(b.errors, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
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

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// open writes the page to disk and opens it in a window of the given width.
func (b *browser) open(in Input, width int64) {
	b.t.Helper()
	b.navigate(in, width)
	b.settle()
}

func (b *browser) navigate(in Input, width int64) {
	b.t.Helper()
	b.show(render(b.t, in), width)
}

// show writes a page to disk and opens it in a window of the given width.
func (b *browser) show(page string, width int64) {
	b.t.Helper()
	name := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		b.t.Fatal(err)
	}
	url := "file://" + name
	b.urls = append(b.urls, url)
	b.do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(url))
}

// settle waits until the browser has drawn what the page asked for.
func (b *browser) settle() {
	b.t.Helper()
	eval[bool](b, `new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))`)
}

// prefer emulates a system in light or dark colours.
func (b *browser) prefer(scheme string) {
	b.t.Helper()
	b.emulate(emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// media emulates "screen" or "print".
func (b *browser) media(name string) {
	b.t.Helper()
	b.emulate(emulation.SetEmulatedMediaParams{Media: name})
}

func (b *browser) emulate(p emulation.SetEmulatedMediaParams) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, p)
		return none, err
	})
}

// eval returns the value of a JavaScript expression, or of its promise.
func eval[T any](b *browser, js string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", js, err)
	}
	return v
}

// quiet fails the test if the page logged an error or requested anything but itself.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.errors {
		b.t.Errorf("the browser reports: %s", e)
	}
	for _, r := range b.requests {
		if !slices.Contains(b.urls, r) && !strings.HasPrefix(r, "data:") {
			b.t.Errorf("the page requested %s", r)
		}
	}
}

// shoot saves a picture of the whole page when CASEBOOK_SHOTS names a folder.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("CASEBOOK_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
