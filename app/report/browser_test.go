package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gocasebook/casebook/app/browsertest"
)

// A browser is one tab of a real Chromium with a page opened from disk.
type browser struct {
	*browsertest.Page
	urls []string // of the pages opened
}

// patience limits a tab's whole time. On a busy machine Chromium alone takes half a minute to start.
const patience = 10 * time.Minute

// TestMain ends the Chromium that the tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	browsertest.End()
	os.Exit(code)
}

func browse(t testing.TB) *browser {
	t.Helper()
	return &browser{Page: browsertest.Open(t, patience)}
}

// open writes the page to disk and opens it in a window of the given width.
func (b *browser) open(in Input, width int64) {
	b.T.Helper()
	b.navigate(in, width)
	b.settle()
}

func (b *browser) navigate(in Input, width int64) {
	b.T.Helper()
	b.show(render(b.T, in), width)
}

// show writes a page to disk and opens it in a window of the given width.
func (b *browser) show(page string, width int64) {
	b.T.Helper()
	name := filepath.Join(b.T.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(page), 0o600); err != nil {
		b.T.Fatal(err)
	}
	url := "file://" + name
	b.urls = append(b.urls, url)
	b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(url))
}

// settle waits until the browser has drawn what the page asked for.
func (b *browser) settle() {
	b.T.Helper()
	eval[bool](b, `new Promise(f => requestAnimationFrame(() => requestAnimationFrame(() => f(true))))`)
}

// media emulates "screen" or "print".
func (b *browser) media(name string) {
	b.T.Helper()
	b.Emulate(emulation.SetEmulatedMediaParams{Media: name})
}

func eval[V any](b *browser, js string) V {
	b.T.Helper()
	return browsertest.Eval[V](b.Page, js)
}

// quiet fails the test if the page logged an error or requested anything but itself.
func (b *browser) quiet() {
	b.T.Helper()
	b.Quiet(func(url string) bool { return slices.Contains(b.urls, url) || strings.HasPrefix(url, "data:") }, nil)
}
