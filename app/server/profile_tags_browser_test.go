package server

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/browsertest"
	"github.com/gocasebook/casebook/casefile"
)

// byLabel is what google/pprof's form of a profile has by the values of a label; what has none is under "".
func byLabel(p *profile.Profile, k int, key string) map[string]int64 {
	out := make(map[string]int64)
	for _, s := range p.Sample {
		out[strings.Join(s.Label[key], ",")] += s.Value[k]
	}
	return out
}

// follow goes to where a link leads, by a click.
func (p profilePage) follow(t *testing.T, selector, text string) {
	t.Helper()
	to := browsertest.Eval[string](p.Page, fmt.Sprintf(`(() => {
		const a = [...document.querySelectorAll(%q)].find(a => a.textContent === %q);
		a?.click();
		return a?.href ?? '' })()`, selector, text))
	if to == "" {
		t.Fatalf("there is no link %q", text)
	}
	p.arrived(t, func() bool { return browsertest.Eval[string](p.Page, `location.href`) == to })
}

// arrived waits until another page is there.
func (p profilePage) arrived(t *testing.T, there func() bool) {
	t.Helper()
	await(t, "another page", func() bool {
		return there() && browsertest.Eval[bool](p.Page, `document.readyState === 'complete' &&
			!!document.querySelector('.status')?.innerText`)
	})
}

// wantLabels compares what the table has of a label's values with what they hold: nanoseconds.
func wantLabels(t *testing.T, rows [][]string, want map[string]int64) {
	t.Helper()
	cum := make(map[string]string)
	for _, r := range rows {
		cum[r[0]] = r[3]
	}
	if cum["(no pebble)"] == "" {
		t.Errorf("there is no row of what has no label: %q", cum)
	}
	for name, ns := range want {
		if name == "" { // the page leaves the profiler's own time out
			continue
		}
		var v float64
		var unit string
		if _, err := fmt.Sscanf(strings.ReplaceAll(cum[name], "\u00a0", " "), "%g %s", &v, &unit); err != nil {
			t.Errorf("%s is %q: %v", name, cum[name], err)
			continue
		}
		v *= map[string]float64{"ms": 1e6, "s": 1e9}[unit]
		if math.Abs(v-float64(ns)) > 0.006*float64(ns) {
			t.Errorf("%s is %s, want %d ns", name, cum[name], ns)
		}
	}
}

// The values of a label are frames: in the table with pprof's numbers, in the command, with filters, with a base, and
// until somebody goes back. The profile is of the lab's store of messages, whose compactions label themselves.
func TestProfileLabels(t *testing.T) {
	s := newEvidenceSite(t)
	c, files := recorded(t, "compaction/lab-messages-sick")
	_, cured := recorded(t, "compaction/lab-messages-cured")
	var data []byte
	for _, f := range files {
		if f.Kind == casefile.CPU {
			data = f.data
		}
	}
	for _, f := range cured {
		if f.Kind == casefile.CPU {
			f.File = "cured.pb.gz"
			files = append(files, f)
		}
	}
	c = s.put(t, c, files...)
	b := profilePage{browse(t)}
	at := s.url + "/cases/" + c.ID + "/profile?file=cpu.pb.gz&sort=cum"
	openPage(b.Page, at, 1280, "light")
	p := parse(t, data)
	want := byLabel(p, 1, "pebble")
	if len(want) < 3 || want[""] == 0 {
		t.Fatalf("the label has the values %v: the test proves nothing", want)
	}
	browsertest.Eval[bool](b.Page, `(document.getElementById('labels').open = true)`)
	wantText(b.Page, "#labels", "At the root", "pebble", "% of cpu", "At the leaves")
	b.Shoot("profile-labels-offered")
	whole := b.status()
	b.follow(t, ".tags a", "pebble")
	if got := b.query(); got.Get("tagroot") != "pebble" || len(got) != 3 {
		t.Errorf("the address has %s", got)
	}
	more := `(document.querySelector('#function-table .more').click(), true)`
	browsertest.Eval[bool](b.Page, more)
	wantLabels(t, b.functions(), want)
	b.Shoot("profile-labels")
	b.Accessible("a profile with labels as frames")

	command := browsertest.Eval[string](b.Page, `document.getElementById('pprof').textContent`)
	if !strings.Contains(command, " -tagroot=pebble ") {
		t.Errorf("the command is %s", command)
	}
	all := strings.Replace(command, "-http=:", "-http=: -cum -nodecount=500 -nodefraction=0", 1)
	out := top(t, all)
	for name := range want {
		if name != "" && !strings.Contains(out, " "+name+"\n") {
			t.Errorf("go tool pprof has no frame %q:\n%s", name, out)
		}
	}

	// A filter goes with the reader to another label.
	b.write("[data-filter=focus]", "compact")
	b.follow(t, ".tags:last-child a", "output-level")
	if got := b.query(); got.Get("focus") != "compact" || got.Get("tagroot") != "pebble" ||
		got.Get("tagleaf") != "output-level" {
		t.Errorf("another label leads to %s", got)
	}
	b.Shoot("profile-labels-both")
	browsertest.Eval[bool](b.Page, `(history.back(), true)`)
	b.arrived(t, func() bool { return b.query().Get("tagleaf") == "" })
	if got := b.query(); got.Get("tagleaf") != "" || got.Get("tagroot") != "pebble" || got.Get("focus") != "compact" {
		t.Errorf("going back leads to %s", got)
	}
	quiet(b.Page, s.url)

	openPage(b.Page, at+"&tagroot=pebble&base="+url.QueryEscape(c.ID+"/cured.pb.gz"), 1280, "light")
	browsertest.Eval[bool](b.Page, more)
	browsertest.Eval[bool](b.Page, more)
	rows := fmt.Sprint(b.functions())
	for name := range want {
		if !strings.Contains(rows, "["+cmp.Or(name, "(no pebble)")+" ") {
			t.Errorf("the difference has no %q:\n%s", name, rows)
		}
	}
	b.Shoot("profile-labels-difference")
	openPage(b.Page, at, 1280, "light")
	if got := b.status(); got != whole {
		t.Errorf("without labels it is %q, want %q", got, whole)
	}
	quiet(b.Page, s.url)
	look(b.Page, at+"&tagroot=pebble", "profile-labels")
}
