package assess_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// compared is what differs between two files or folders of evidence.
func compared(t *testing.T, base, now string) *difference.Difference {
	t.Helper()
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{now}, Base: []string{base}})
	if err != nil || got.Comparison == nil {
		t.Fatalf("%s against %s: %v, %v", now, base, err, got)
	}
	return got.Comparison
}

// total is a figure of the whole process on both sides.
func total(t *testing.T, d *difference.Difference, name string) (base, now float64) {
	t.Helper()
	for _, x := range d.Totals {
		if x.Name == name && x.Base != nil && x.Now != nil {
			return *x.Base, *x.Now
		}
	}
	t.Fatalf("no %s on both sides in %+v", name, d.Totals)
	return 0, 0
}

// stateOf is what became of a function.
func stateOf(d *difference.Difference, resource, function string) string {
	for _, p := range d.Places {
		if p.Resource == resource && strings.HasSuffix(p.Function, function) {
			return p.State
		}
	}
	return ""
}

// TestDifferenceOfRecordings: what an expert would say of two moments of a service, or of it before and after a change.
func TestDifferenceOfRecordings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, base, now string
		worse           bool   // something scores as a warning, or more, that is new or worse
		resource, place string // that must be told
		state           string
		total           string // that rises or falls
		rises           bool
	}{
		{"a goroutine leak, 20 s later", "goroutine_leak/faulty/goroutine.pb.gz",
			"goroutine_leak/faulty/goroutine-later.pb.gz", true, difference.Goroutines, "(*Quotes).ask",
			difference.Grew, "goroutines", true},
		{"and back", "goroutine_leak/faulty/goroutine-later.pb.gz", "goroutine_leak/faulty/goroutine.pb.gz",
			false, difference.Goroutines, "(*Quotes).ask", difference.Fell, "goroutines", false},
		{"a leak of memory, a minute later", "mem_leak/faulty/heap.pb.gz", "mem_leak/faulty/heap-later.pb.gz",
			true, difference.Memory, "(*Audit).remember", difference.Grew, "heap", true},
		{"and back", "mem_leak/faulty/heap-later.pb.gz", "mem_leak/faulty/heap.pb.gz",
			false, difference.Memory, "(*Audit).remember", difference.Fell, "heap", false},
		{"requests that hang", "foreign/caddy-healthy", "foreign/caddy-hangs",
			true, difference.Goroutines, "(*HTTPTransport).RoundTrip", difference.Came, "goroutines", true},
		{"a release that keeps series", "real/promhttp-1.11.1", "real/promhttp-1.11.0",
			true, difference.Memory, "InstrumentHandlerDuration.func1", difference.Came, "heap", true},
		{"a leak repaired", "goroutine_leak/faulty", "goroutine_leak/repaired",
			false, difference.Goroutines, "(*Quotes).ask", difference.Went, "goroutines", false},
		{"a burst that has passed", "unseen-leaks/burst-during", "unseen-leaks/burst",
			false, difference.Memory, "main.collect", difference.Went, "heap", false},
		{"the first load", "healthy/registry-idle", "healthy/registry-warm",
			false, difference.CPU, "(*Router).ServeHTTP", difference.Came, "CPU", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := compared(t, ofRecording(t, c.base), ofRecording(t, c.now))
			if got := d.Worst() >= assess.Warning; got != c.worse {
				t.Errorf("worse: %v, want %v: %+v", got, c.worse, d.Changes)
			}
			if got := stateOf(d, c.resource, c.place); got != c.state {
				t.Errorf("%s %s %q, want %q: %+v", c.place, c.resource, got, c.state, d.Places)
			}
			if base, now := total(t, d, c.total); now > base != c.rises {
				t.Errorf("%s went from %g to %g", c.total, base, now)
			}
			noneTwice(t, d)
			agrees(t, d)
		})
	}
}

// ofRecording is a case of the recordings, or a file of one.
func ofRecording(t *testing.T, path string) string {
	t.Helper()
	parts := strings.SplitN(path, "/", 3)
	return filepath.Join(append([]string{checkout.Folder(t, parts[0]+"/"+parts[1])}, parts[2:]...)...)
}

// noneTwice: the same pile at the same line is not gone and new at once.
func noneTwice(t *testing.T, d *difference.Difference) {
	t.Helper()
	at := make(map[string]string)
	for _, c := range d.Changes {
		f := c.Finding()
		if f.Impact.Resource == difference.CPU || len(f.Where) == 0 {
			continue
		}
		place := f.Impact.Resource + " " + f.Where[0].Function
		if other := at[place]; other != "" && other != c.State {
			t.Errorf("%s is %s and %s at once", place, other, c.State)
		}
		at[place] = c.State
	}
}

// agrees: no state contradicts the figures that are printed beside it.
func agrees(t *testing.T, d *difference.Difference) {
	t.Helper()
	for _, c := range d.Changes {
		if c.Base == nil || c.Now == nil {
			continue
		}
		if c.Amount == nil && (c.State == diagnose.StateBetter && c.Share > 0 ||
			c.State == diagnose.StateWorse && c.Share < 0) {
			t.Errorf("%s is %s, its share moved by %g", c.Finding().Title, c.State, c.Share)
		}
		if a := c.Amount; a != nil && (c.State == diagnose.StateBetter && *a.Now > *a.Base ||
			c.State == diagnose.StateWorse && *a.Now < *a.Base) {
			t.Errorf("%s is %s, with %s", c.Finding().Title, c.State, a.Text())
		}
	}
}

// TestDifferenceOfOne: evidence beside itself differs in nothing.
func TestDifferenceOfOne(t *testing.T) {
	t.Parallel()
	names := []string{"gc_cpu/faulty", "goroutine_leak/faulty", "mem_leak/faulty", "lock_contention/faulty"}
	for _, name := range names {
		at := checkout.Folder(t, name)
		d := compared(t, at, at)
		if len(d.Places) > 0 || d.Worst() > 0 || slices.ContainsFunc(d.Changes, func(c difference.Change) bool {
			return c.State != diagnose.StateSame
		}) {
			t.Errorf("%s beside itself: %+v, %+v", name, d.Places, d.Changes)
		}
		for _, x := range d.Totals {
			if x.Base == nil || x.Now == nil || *x.Base != *x.Now {
				t.Errorf("%s beside itself: %s %s", name, x.Name, x.Text())
			}
		}
	}
}

// TestDifferenceOfCPU: six times the CPU, of which the collector has a larger part, and two functions that were not
// there. The score of the collector may fall, because more cores were idle: it is worse all the same.
func TestDifferenceOfCPU(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	base := write(t, dir, "base.pb.gz", profiletest.Ticks(t, 60, map[string]int64{
		"main.pay main.serve": 2400, "runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker": 300}))
	now := write(t, dir, "now.pb.gz", profiletest.Ticks(t, 60, map[string]int64{
		"main.pay main.serve":                                       7000,
		"main.(*tx).worse main.(*pool).add main.serve":              800,
		"main.(*tx).price main.(*pool).add main.serve":              800,
		"main.(*cache).flush main.serve":                            1400,
		"runtime.scanobject runtime.gcDrain runtime.gcBgMarkWorker": 3500}))
	d := compared(t, base, now)
	for name, want := range map[string][2]float64{"CPU": {0.45, 2.25}, "collector": {0.05, 3500. / 6000}} {
		if b, n := total(t, d, name); !near(b, want[0]) || !near(n, want[1]) {
			t.Errorf("%s: %g and %g, want %v", name, b, n, want)
		}
	}
	for function, want := range map[string]string{"main.(*pool).add": difference.Came,
		"main.(*cache).flush": difference.Came, "main.(*tx).worse": "", "main.pay": ""} {
		if got := stateOf(d, difference.CPU, function); got != want {
			t.Errorf("%s %q, want %q: %+v", function, got, want, d.Places)
		}
	}
	i := slices.IndexFunc(d.Changes, func(c difference.Change) bool { return c.Finding().Kind == "gc-cpu" })
	if i < 0 || d.Changes[i].State == diagnose.StateBetter || d.Changes[i].State == diagnose.StateSame {
		t.Errorf("the collector: %+v", d.Changes)
	}
	agrees(t, d)
	back := compared(t, now, base)
	if got := stateOf(back, difference.CPU, "main.(*pool).add"); got != difference.Went || back.Worst() > 0 {
		t.Errorf("the other way: %q, %+v", got, back.Changes)
	}
}

func near(a, b float64) bool { return a > 0.98*b && a < 1.02*b }

// TestDifferenceRelates: what the evidence shows of how both sides belong together is said.
func TestDifferenceRelates(t *testing.T) {
	t.Parallel()
	const day = int64(24 * 3600e9)
	dir := t.TempDir()
	a := write(t, dir, "a.pb.gz", builtAs(t, "/srv/shop", "x1", 100*day))
	recording := func(name string) string { return ofRecording(t, name) }
	for _, c := range []struct{ base, now, want string }{
		{a, write(t, dir, "b.pb.gz", builtAs(t, "/srv/shop", "x2", 100*day)), "two builds of shop"},
		{a, write(t, dir, "c.pb.gz", builtAs(t, "/srv/cart", "x1", 100*day)), "two programs"},
		{a, write(t, dir, "d.pb.gz", builtAs(t, "/srv/shop", "x1", 100*day-1e9)), "the later one"},
		{recording("mem_leak/faulty/heap.pb.gz"), recording("mem_leak/faulty/heap-later.pb.gz"),
			"one process, 64.9 s later"},
		{recording("trial/checkout"), recording("trial/checkout-again"), ""},
	} {
		if got := compared(t, c.base, c.now).Relation; got == "" != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s, %s: %q, want %q", c.base, c.now, got, c.want)
		}
	}
}

// TestDifferenceIsOne: the page and the JSON say what the comparison says.
func TestDifferenceIsOne(t *testing.T) {
	t.Parallel()
	base, now := checkout.Folder(t, "foreign/caddy-healthy"), checkout.Folder(t, "foreign/caddy-hangs")
	got, err := assess.Compare(t.Context(), assess.CompareRequest{Inputs: []string{base, now}})
	if err != nil || !got.Worse() {
		t.Fatalf("%v, worse %v", err, got.Worse())
	}
	d := got.Diagnosed.Comparison
	page, err := got.Page()
	if err != nil || len(page.Findings.List) != len(d.Changes) || len(page.Findings.Totals) != len(d.Totals) ||
		len(page.Findings.Places) != len(d.Places) {
		t.Fatalf("the page has %+v, %v; want what is in %+v", page.Findings, err, d)
	}
	for i, row := range page.Findings.List {
		if c := &d.Changes[i]; row.State != c.State || row.Note != c.Said() {
			t.Errorf("the page says %s, %s of %s, %s", row.State, row.Note, c.State, c.Said())
		}
	}
	data, err := json.Marshal(got)
	var read struct{ Comparison *difference.Difference }
	if err != nil || json.Unmarshal(data, &read) != nil || !reflect.DeepEqual(read.Comparison, d) {
		t.Errorf("as JSON: %v, %+v; want %+v", err, read.Comparison, d)
	}
}

// TestDifferenceOfTwoInOneCall: two leaks in one call are all judged, whatever they were in the earlier one.
func TestDifferenceOfTwoInOneCall(t *testing.T) {
	t.Parallel()
	const day = int64(24 * 3600e9)
	dir := t.TempDir()
	later := write(t, dir, "later.pb.gz", builtAs(t, "/srv/shop", "x2", 102*day))
	earlier := write(t, dir, "earlier.pb.gz", builtAs(t, "/srv/shop", "x1", 100*day))
	var two assess.Two
	got, err := assess.Diagnose(t.Context(), assess.DiagnoseRequest{What: []string{later, earlier},
		Mixed: func(x assess.Two) { two = x }})
	if err != nil || !got.Beside || !two.Compared || two.A != earlier || two.B != later ||
		got.Report.Read[0].Name != later {
		t.Errorf("%+v, %+v, %v; want the later one judged, and compared with the earlier", two, got, err)
	}
	got.Judgement.Findings = []casefile.Finding{{Score: 80}}
	if got.Worst() != 80 {
		t.Errorf("the worst is %d; want that of all findings: nobody asked for what is new alone", got.Worst())
	}
}
