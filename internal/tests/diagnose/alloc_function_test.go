package diagnose_test

import (
	"bytes"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// besideCPU is liveHeap with the files of cpuProfile: of one build.
func besideCPU(t *testing.T, lines ...heapLine) diagnose.Evidence {
	t.Helper()
	p, err := profile.ParseData(liveHeap(t, lines...))
	if err != nil {
		t.Fatal(err)
	}
	for _, fn := range p.Function {
		fn.Filename = profiletest.File(fn.Name)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "heap.pb.gz", Data: b.Bytes()}
}

// TestAllocFunction: beside millions of live objects the function that makes most of the garbage is named, if it saves
// more than they do and no line of it makes most; a middleware and a start-up are not.
func TestAllocFunction(t *testing.T) {
	const bundle = " main.bundle net/http.(*conn).serve"
	lines := []heapLine{{"main.tag:10 main.bundle:20 net/http.(*conn).serve:1", 0, gib, 1e7},
		{"main.text:11 main.bundle:21 net/http.(*conn).serve:1", 0, gib, 1e7},
		{"main.attrs:12 main.bundle:22 net/http.(*conn).serve:1", 0, gib, 1e7}}
	kept := heapLine{"main.draft:5 main.main:3", 2_000_000, 100 * mib, 0}
	passedOn := make([]heapLine, 0, len(lines))
	for _, l := range []string{"main.tag:10 main.a:1", "main.text:11 main.b:1", "main.attrs:12 main.c:1"} {
		passedOn = append(passedOn, heapLine{l + " main.bundle:20 net/http.(*conn).serve:1", 0, gib, 1e7})
	}
	malloc := func(below string) string { return "runtime.mallocgc runtime.newobject main.tag" + below }
	busy := map[string]int64{gcStack: 400, malloc(bundle): 300, "main.write" + bundle: 300}
	for _, tt := range []struct {
		name  string
		cpu   map[string]int64
		heap  []heapLine
		named bool
	}{
		{"three lines of a function", busy, append([]heapLine{kept}, lines...), true},
		{"few live objects", busy, lines, false},
		{"one line makes most", busy, append([]heapLine{kept, {lines[0].stack, 0, 5 * gib, 1e7}}, lines...), false},
		{"a middleware passes calls on", busy, append([]heapLine{kept}, passedOn...), false},
		{"it allocated at the start", map[string]int64{gcStack: 400, malloc(" main.other main.main"): 300,
			"main.write" + bundle: 300}, append([]heapLine{kept}, lines...), false},
		{"the collector takes little", map[string]int64{gcStack: 80, malloc(bundle): 300, "main.write" + bundle: 620},
			append([]heapLine{kept}, lines...), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.cpu), besideCPU(t, tt.heap...)},
				Build: casefile.Build{Module: "example.com/app"}}
			f, score := scoreOf(t, in, "alloc-site")
			if named := score > 0 && f.Where[0].Function == "main.bundle"; named != tt.named {
				t.Errorf("alloc-site %d at %v, want main.bundle: %t", score, f.Where, tt.named)
			}
			fs := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings
			if tt.named && (len(fs) == 0 || fs[0].Kind != "alloc-site") {
				t.Errorf("first is %v, want alloc-site: it saves more than the live objects", kinds(fs))
			}
		})
	}
}
