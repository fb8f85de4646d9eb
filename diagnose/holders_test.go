package diagnose

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/internal/checkout"
)

// heldFinding is the finding of a kind, with what holds it.
func heldFinding(t *testing.T, in Input, kind string) casefile.Finding {
	t.Helper()
	rep := Run(t.Context(), in, Options{})
	i := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.Kind == kind })
	if i < 0 {
		t.Fatalf("no %s; undecided: %+v, problems %+v", kind, slices.DeleteFunc(rep.Undecided,
			func(u casefile.Undecided) bool { return u.Kind != kind }), rep.Problems)
	}
	return rep.Findings[i]
}

// TestHolderRemedies: whose holder is known is not told to look for it.
func TestHolderRemedies(t *testing.T) {
	checkout.Need(t)
	f := heldFinding(t, loadCase(t, "holders/rollcall"), "mem-leak")
	if f.Remedies[0].Name != boundRemedy || !strings.Contains(f.Remedies[0].Text, "main.(*hub).events-fm") ||
		slices.ContainsFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Name == whoRemedy }) {
		t.Errorf("remedies %+v", f.Remedies)
	}
}

// TestNoHolders: without the summary nobody is named, and the finding is the same otherwise.
func TestNoHolders(t *testing.T) {
	checkout.Need(t)
	in := loadCase(t, "holders/rollcall")
	in.Evidence = slices.DeleteFunc(in.Evidence, func(e Evidence) bool { return e.Kind == casefile.HeapRefs })
	f := heldFinding(t, in, "mem-leak")
	asks := slices.ContainsFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Name == whoRemedy })
	if len(f.Held) > 0 || strings.Contains(f.Explanation, "held by") || !asks {
		t.Errorf("held %+v, %q, %+v", f.Held, f.Explanation, f.Remedies)
	}
}

// TestHeldByChance: holders of too few samples, of too little, and that nobody can look at are not named.
func TestHeldByChance(t *testing.T) {
	at := casefile.Frame{Function: "main.fill", File: "/src/main.go", Line: 12}
	site := refs.Site{Function: "main.fill", File: "/src/main.go", Line: 12}
	global := refs.Root{Kind: refs.Global, Name: "main.cache"}
	held := func(samples int, roots ...refs.HeldByRoot) *refs.Summary {
		return &refs.Summary{Stacks: []refs.StackHeld{{Frames: []refs.Site{{Function: "bytes.Clone"}, site}, Bytes: 1 << 20,
			Samples: samples, Held: roots}}}
	}
	for name, c := range map[string]struct {
		s    *refs.Summary
		want string
	}{
		"sure":           {held(9, refs.HeldByRoot{Share: 1, Root: global}), "main.cache"},
		"few samples":    {held(2, refs.HeldByRoot{Share: 1, Root: global}), ""},
		"divided":        {held(9, refs.HeldByRoot{Share: 0.4, Root: global}), ""},
		"small ones":     {held(9, refs.HeldByRoot{Share: 1, Root: refs.Root{Kind: refs.Global, Name: refs.SmallHolders}}), ""},
		"garbage":        {held(9, refs.HeldByRoot{Share: 1, Root: refs.Root{Kind: refs.Garbage}}), ""},
		"the runtime":    {held(9, refs.HeldByRoot{Share: 1, Root: refs.Root{Kind: refs.Runtime, Name: "runtime.allp"}}), ""},
		"nothing at all": {&refs.Summary{}, ""},
	} {
		f := casefile.Finding{Where: []casefile.Frame{at}}
		nameHolder(&Reading{heap: func() *heapView { return nil }}, &f, c.s, view.Made{Name: "refs.json"})
		got := ""
		if len(f.Held) > 0 {
			got = f.Held[0].Name
		}
		if got != c.want {
			t.Errorf("%s: held by %+v, want %q", name, f.Held, c.want)
		}
	}
}

// TestSameSite: a dump names the function that inlined another one, with the line of that one.
func TestSameSite(t *testing.T) {
	at := casefile.Frame{Function: "main.(*shop).count", File: "/src/shop.go", Line: 58}
	for _, c := range []struct {
		f    refs.Site
		want bool
	}{
		{refs.Site{Function: "main.(*shop).count", File: "/src/shop.go", Line: 58}, true},
		{refs.Site{Function: "main.serve", File: "/src/shop.go", Line: 58}, true},          // count is inlined in serve
		{refs.Site{Function: "main.(*shop).count", File: "/mod/prom.go", Line: 7}, true},   // prom's is inlined in count
		{refs.Site{Function: "main.(*shop).count", File: "/src/shop.go", Line: 59}, false}, // another line of it
		{refs.Site{Function: "main.(*shop).counts", File: "/mod/prom.go", Line: 58}, false},
		{refs.Site{Function: "main.other", File: "/src/other.go", Line: 58}, false},
	} {
		if got := sameSite(c.f, at); got != c.want {
			t.Errorf("%+v: got %v", c.f, got)
		}
	}
}

func FuzzHolders(f *testing.F) {
	for _, seed := range []string{`{"objects":1,"reached":{},"stacks":[{"frames":[{}],"samples":9,"held":[{"share":1}]}]}`,
		`{"objects":1,"reached":{},"holders":[{"bytes":9,"root":{"kind":"global","name":"a.b"},"parts":[{"chain":[{}]}]}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := new(refs.Summary)
		if json.Unmarshal(data, s) != nil {
			return
		}
		f := casefile.Finding{Where: []casefile.Frame{{Function: "", File: "", Line: 0}}}
		nameHolder(&Reading{heap: func() *heapView { return nil }}, &f, s, view.Made{})
	})
}

// gorefProfile is a profile as grf writes it, of paths of names, the leaf first.
func gorefProfile(t *testing.T, paths map[string]int64) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "inuse_objects", Unit: "count"},
		{Type: "inuse_space", Unit: "bytes"}}, Mapping: []*profile.Mapping{{ID: 1, Limit: 0xff, File: "-"}}}
	for path, bytes := range paths {
		s := &profile.Sample{Value: []int64{1, bytes}}
		for name := range strings.SplitSeq(path, " < ") {
			fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name}
			l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: fn}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGorefRoots: roots of a goref profile, with the fields below them. The runtime's variables tell that it is of Go.
func TestGorefRoots(t *testing.T) {
	for path, want := range map[string]string{
		"$mapval. (*main.order) < main.orders":                                  "global main.orders, a map",
		"[3]. (main.row) < rows. ([]main.row) < shop/store.db":                  "global store.db.rows, a slice",
		"Title. ([]uint8) < [3]. (main.row) < rows. ([]main.row) < shop/st.db":  "global st.db.rows, a slice",
		"$mapval. (*main.x) < cache. (map[string]*main.x) < s. (*s) < main.app": "global main.app.s.cache, a map",
		"[1]. (t) < [2]. ([]t) < main.grid":                                     "global main.grid[], a slice",
		"a. (t) < b. (t) < c. (t) < d. (t) < e. (t) < f. (t) < main.deep":       "global main.deep…d.c.b.a",
		"buf. ([]uint8) < main.(*session).loop.s":                               "goroutine of main.(*session).loop, in s.buf, a slice",
		"main.work < runtime.goexit":                                            "goroutine of main.work",
		"net. (*net.conn) < runtime.SetFinalizer.obj":                           "finalizer runtime.SetFinalizer.obj.net",
	} {
		in := Input{Evidence: []Evidence{{Name: "grf.out", Data: gorefProfile(t, map[string]int64{path: 1 << 20,
			"y. (*runtime.g) < runtime.allgs": 1})}}}
		rep := Run(t.Context(), in, Options{})
		if len(rep.Problems) > 0 || len(rep.Findings) > 0 || len(rep.Read) != 1 || rep.Read[0].Kind != casefile.HeapRefs {
			t.Fatalf("%s: read %+v, problems %+v, findings %+v", path, rep.Read, rep.Problems, rep.Findings)
		}
		r, _ := read(t.Context(), in)
		s, _ := holders(r)
		if got := s.Describe(s.Holders[0].Root); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestNotGoref: other profiles of objects in use stay what they were.
func TestNotGoref(t *testing.T) {
	heap, err := checkout.Evidence(t).ReadFile("mem_leak/faulty/heap.pb.gz")
	checkout.Need(t)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := read(t.Context(), Input{Evidence: []Evidence{{Name: "heap.pb.gz", Data: heap},
		{Name: "c.pb.gz", Data: gorefProfile(t, map[string]int64{"malloc < main": 1 << 20})}}})
	if s, _ := holders(r); s != nil {
		t.Errorf("read as references: %+v", s)
	}
}
