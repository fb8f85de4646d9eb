package server

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
)

// A profilePage is the page of a profile in a browser.
type profilePage struct {
	*browsertest.Page
}

func (p profilePage) status() string {
	return browsertest.Eval[string](p.Page, `document.querySelector('.status').innerText`)
}

func (p profilePage) query() url.Values {
	at, err := url.Parse(browsertest.Eval[string](p.Page, `location.href`))
	if err != nil {
		p.T.Fatal(err)
	}
	return at.Query()
}

// press sends keys to whatever has the focus.
func (p profilePage) press(keys string) { p.Do(chromedp.KeyEvent(keys)) }

// slash presses the key /. A key press of chromedp is a press and then, whatever the page has done with it, a character.
func slash(b *browsertest.Page) {
	b.T.Helper()
	b.Do(func(ctx context.Context, tab *chromedp.Target) (none chromedp.Void, err error) {
		for _, typ := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			p := input.DispatchKeyEventParams{Type: typ, Key: "/", Code: "Slash", Text: "/"}
			if _, err = cdp.Call(ctx, tab, input.DispatchKeyEvent, p); err != nil {
				return none, err
			}
		}
		return none, nil
	})
}

// write writes into a field and commits it.
func (p profilePage) write(selector, text string) {
	p.T.Helper()
	browsertest.Eval[bool](p.Page, fmt.Sprintf(`(f => { f.value = %q; f.dispatchEvent(new Event('input'));
		f.dispatchEvent(new Event('change')); return true })(document.querySelector(%q))`, text, selector))
}

// functions are the rows of the table of functions: name, flat, share, cum, share.
func (p profilePage) functions() [][]string {
	return browsertest.Eval[[][]string](p.Page, `[...document.querySelectorAll('#function-table tbody tr')].map(
		r => [r.querySelector('button').innerText, ...[...r.cells].slice(1).map(c => c.innerText)])`)
}

// back goes back, and waits until the page shows the address before.
func (p profilePage) back(name, want string) {
	p.T.Helper()
	browsertest.Eval[bool](p.Page, `new Promise(f => {
		addEventListener('popstate', () => setTimeout(() => f(true)), { once: true });
		history.back() })`)
	if got := p.query().Get(name); got != want {
		p.T.Errorf("after going back %s is %q, want %q", name, got, want)
	}
}

// totals are what functions hold in a profile, by google/pprof: in themselves and with what they call.
func totals(p *profile.Profile, k int) (flat, cum map[string]int64) {
	flat, cum = map[string]int64{}, map[string]int64{}
	for _, s := range p.Sample {
		seen := map[string]bool{}
		leaf := true
		for _, l := range s.Location {
			for _, line := range l.Line {
				name := line.Function.Name
				if leaf {
					flat[name] += s.Value[k]
				}
				leaf = false
				if !seen[name] {
					seen[name] = true
					cum[name] += s.Value[k]
				}
			}
		}
	}
	return flat, cum
}

func parse(t *testing.T, data []byte) *profile.Profile {
	t.Helper()
	p, err := profile.Parse(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// gateway is the heap profile of a service whose cache is expensive, with a case of it.
func gateway(t *testing.T, s *evidenceSite) (casefile.Case, []byte) {
	t.Helper()
	var files []file
	for _, f := range []struct{ name, kind string }{{"cpu.pb.gz", casefile.CPU}, {"heap.pb.gz", casefile.Heap}} {
		data, err := os.ReadFile(filepath.Join("../report/testdata/gateway", f.name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{casefile.Evidence{Kind: f.kind, File: "during/" + f.name, Phase: casefile.During,
			GoFormat: true, Taken: time.Date(2026, 11, 21, 13, 25, 14, 0, time.UTC)}, data})
	}
	c := casefile.Case{Target: casefile.Target{Name: "gateway"}}
	c.Findings = []casefile.Finding{{ID: "GC003", Kind: "gc-pointer-heap", Score: 70, Confidence: 1, Title: "Small objects",
		Summary: "s", Where: []casefile.Frame{{Function: "github.com/bluele/gcache.(*LRUCache).set", Share: 0.2}},
		Evidence: []casefile.Basis{{File: "during/heap.pb.gz", Text: "t"}}}}
	return s.put(t, c, files...), files[1].data
}

// The table has google/pprof's numbers, for the whole profile and for each filter.
func TestProfileFilters(t *testing.T) {
	s := newEvidenceSite(t)
	c, data := gateway(t, s)
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=during/heap.pb.gz", 1280, "light")
	const cache, literal = "gcache.(*LRUCache)", `(?i)gcache\.\(\*LRUCache\)`
	k := 3 // inuse_space
	for name, tc := range map[string]struct {
		focus, ignore, from string
		filter              func(p *profile.Profile)
	}{
		"all": {"", "", "", func(*profile.Profile) {}},
		"focus": {cache, "", "", func(p *profile.Profile) {
			p.FilterSamplesByName(regexp.MustCompile(literal), nil, nil, nil)
		}},
		"ignore": {"", cache + " | http2", "", func(p *profile.Profile) {
			p.FilterSamplesByName(nil, regexp.MustCompile(literal+`|(?i)http2`), nil, nil)
		}},
		"from": {"", "", cache, func(p *profile.Profile) { p.ShowFrom(regexp.MustCompile(literal)) }},
	} {
		b.write("[data-filter=focus]", tc.focus)
		b.write("[data-filter=ignore]", tc.ignore)
		b.write("[data-filter=from]", tc.from)
		p := parse(t, data)
		tc.filter(p)
		flat, cum := totals(p, k)
		rows := b.functions()
		if len(rows) < 3 {
			t.Errorf("%s: %d rows: the test proves nothing", name, len(rows))
		}
		for _, r := range rows {
			wantNumber(t, name+": "+r[0]+" flat", r[1], flat[r[0]])
			wantNumber(t, name+": "+r[0]+" cum", r[3], cum[r[0]])
		}
	}
	quiet(b.Page, s.url)
}

// wantNumber compares bytes with what the page has of them in three digits.
func wantNumber(t *testing.T, what, got string, want int64) {
	t.Helper()
	var v float64
	var unit string
	text := strings.ReplaceAll(strings.ReplaceAll(got, "\u00a0", " "), ",", "")
	if _, err := fmt.Sscanf(text, "%g %s", &v, &unit); err != nil {
		t.Errorf("%s is %q: %v", what, got, err)
		return
	}
	v *= map[string]float64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[unit]
	if d := v - float64(want); d > 0.006*float64(want)+1 || d < -0.006*float64(want)-1 {
		t.Errorf("%s is %s, want %d bytes", what, got, want)
	}
}

// What a reader chooses is in the address: the back button undoes it, and another browser shows the same.
func TestProfileAddress(t *testing.T) {
	s := newEvidenceSite(t)
	c, _ := gateway(t, s)
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=during/heap.pb.gz", 1280, "light")
	whole := b.status()
	b.press(kb.ArrowDown + kb.ArrowDown + kb.ArrowDown) // the graph takes them, although it has no focus yet
	if b.query().Get("at") == "" {
		t.Errorf("arrows select nothing: %s", b.query())
	}
	b.press(kb.Enter)
	zoom := b.query().Get("zoom")
	if zoom == "" {
		t.Fatalf("Enter does not zoom: %s", b.query())
	}
	slash(b.Page)
	b.press("gcache")
	if q := b.query(); q.Get("q") != "gcache" {
		t.Errorf("the search is not in the address: %s", q)
	}
	b.write("[data-filter=focus]", "gcache")
	b.Do(chromedp.Click(chromedp.CSS("[data-mode=sandwich]")))
	b.Do(chromedp.Click(chromedp.CSS("[data-sort=cum]")))
	if q := b.query(); q.Get("view") != "sandwich" || q.Get("fn") == "" || q.Get("sort") != "cum" ||
		q.Get("focus") != "gcache" {
		t.Errorf("choices are missing in the address: %s", q)
	}
	b.Shoot("profile-sandwich")
	at := browsertest.Eval[string](b.Page, `location.href`)
	again := profilePage{browse(t)}
	openPage(again.Page, at, 1280, "light")
	if a, was := again.status(), b.status(); a != was {
		t.Errorf("another browser says %q, want %q", a, was)
	}
	if a, was := fmt.Sprint(again.functions()), fmt.Sprint(b.functions()); a != was {
		t.Errorf("another browser has the functions\n%s, want\n%s", a, was)
	}
	if a := again.query().Encode(); a != b.query().Encode() {
		t.Errorf("the address becomes %s, want it unchanged", a)
	}
	quiet(again.Page, s.url)

	b.back("sort", "")
	b.back("view", "")
	b.press("u")
	if b.query().Get("up") != "1" {
		t.Errorf("u does not turn the graph: %s", b.query())
	}
	b.back("up", "")
	b.back("focus", "")
	if got := b.query().Get("zoom"); got != zoom {
		t.Errorf("going back three times leads to the zoom %q, want %q", got, zoom)
	}
	b.back("zoom", "")
	b.press(kb.Escape)
	if got := b.status(); got != whole || len(b.query()) != 1 {
		t.Errorf("Escape leads to %q at %s, want the beginning", got, b.query())
	}
	quiet(b.Page, s.url)
}

// Keys work wherever the focus is.
func TestProfileKeys(t *testing.T) {
	s := newEvidenceSite(t)
	c, _ := gateway(t, s)
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=during/heap.pb.gz", 1280, "light")
	b.press("?")
	if !browsertest.Eval[bool](b.Page, `document.getElementById('keys').open`) {
		t.Error("? shows no list of keys")
	}
	b.Shoot("profile-keys")
	b.Accessible("the list of keys")
	b.press(kb.Escape)
	if browsertest.Eval[bool](b.Page, `document.getElementById('keys').open`) {
		t.Error("Escape does not close the list of keys")
	}
	b.press(kb.ArrowDown + kb.ArrowDown + kb.Enter)
	if b.query().Get("zoom") == "" {
		t.Fatal("Enter does not zoom")
	}
	b.press("c")
	await(t, "the copy", func() bool {
		return browsertest.Eval[string](b.Page, `document.getElementById('said').textContent`) != ""
	})
	browsertest.Eval[bool](b.Page, `(addEventListener('popstate', () => { window.gone = true }), true)`)
	b.press(kb.Backspace)
	await(t, "the step back", func() bool { return browsertest.Eval[bool](b.Page, `window.gone === true`) })
	if b.query().Get("zoom") != "" {
		t.Error("Backspace does not undo the zoom")
	}
	if got := browsertest.Eval[string](b.Page, `document.querySelector('.marks a').getAttribute('href')`); got !=
		"/cases/"+c.ID+"#finding-0" {
		t.Errorf("a finding's mark leads to %q", got)
	}
	quiet(b.Page, s.url)
}

// Two profiles: what the difference rests on is stated, d switches, and the command is one that pprof takes.
func TestProfileDifference(t *testing.T) {
	s := newEvidenceSite(t)
	c, files := recorded(t, "foreign/nats-memory")
	c = s.put(t, c, files...)
	b := profilePage{browse(t)}
	openPage(b.Page, s.url+"/cases/"+c.ID+"/profile?file=heap.pb.gz", 1280, "light")
	browsertest.Eval[bool](b.Page, `new Promise(f => { document.querySelector('#compare').open = true; f(true) })`)
	links := browsertest.Eval[[]string](b.Page, `[...document.querySelectorAll('#compare a')].map(a => a.href)`)
	if len(links) != 2 || !strings.Contains(links[0], "base="+c.ID) {
		t.Fatalf("to compare with there are %q, want the two other heap profiles", links)
	}
	openPage(b.Page, links[0], 1280, "light")
	basis := browsertest.Eval[string](b.Page, `document.querySelector('.basis-of').innerText`)
	for _, want := range []string{"Base: heap-before.pb.gz, taken", "This profile: heap.pb.gz, taken",
		"not divided by time", "In all:"} {
		if !strings.Contains(basis, want) {
			t.Errorf("the basis does not say %q:\n%s", want, basis)
		}
	}
	b.Shoot("profile-difference")
	command := func() string { return browsertest.Eval[string](b.Page, `document.getElementById('pprof').textContent`) }
	if !strings.Contains(command(), "-diff_base=") {
		t.Errorf("the command %q has no base", command())
	}
	top(t, command())
	both := b.status()
	b.press("d")
	if b.query().Get("diff") != "off" || b.status() == both || strings.Contains(command(), "diff_base") {
		t.Errorf("d does not switch: %s, %q, %s", b.query(), b.status(), command())
	}
	b.press("d")
	if b.query().Get("diff") != "" || b.status() != both {
		t.Errorf("d does not switch back: %s, %q", b.query(), b.status())
	}
	filtered := s.url + "/cases/" + c.ID + "/profile?file=heap.pb.gz&type=alloc_space&focus=server|x&ignore=o'clock"
	openPage(b.Page, filtered, 1280, "light")
	if got := command(); !strings.Contains(got, "-sample_index=alloc_space") ||
		!strings.Contains(got, `-focus=(?i)server|x`) || !strings.Contains(got, `o'\''clock`) {
		t.Errorf("the command %q has not what the page shows", got)
	}
	if out := top(t, command()); !strings.Contains(out, "alloc_space") {
		t.Errorf("go tool pprof says\n%s", out)
	}
	foldInAddress(b.Page, filtered, "#compare")
	quiet(b.Page, s.url)
}

// top runs the command of the page, with a table instead of pprof's pages, and with a token as the page says.
func top(t *testing.T, command string) string {
	t.Helper()
	text := strings.Replace(command, "-http=:", "-top -nodecount=5", 1)
	text = strings.ReplaceAll(text, "http://", "http://x:"+ours.Token()+"@")
	cmd := exec.Command("sh", "-c", text)
	cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "flat%") {
		t.Errorf("%s: %v\n%s", text, err, out)
	}
	return string(out)
}

// On a telephone and in the dark.
func TestProfileOnAPhone(t *testing.T) {
	s := newEvidenceSite(t)
	c, _ := gateway(t, s)
	b := profilePage{browse(t)}
	look(b.Page, s.url+"/cases/"+c.ID+"/profile?file=during/heap.pb.gz", "profile")
	quiet(b.Page, s.url)
}

// narrow fails the test if the page is wider than its window.
func narrow(b *browsertest.Page) {
	b.T.Helper()
	over := browsertest.Eval[[]string](b, `document.documentElement.scrollWidth <= innerWidth ? [] :
		[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1).
		map(e => e.tagName + '.' + e.className).slice(0, 5)`)
	if len(over) > 0 {
		b.T.Errorf("the page is too wide: %q", over)
	}
}
