package diagnose

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
)

// TestOwnFirst: the first place is the user's line, wherever the detector put it, but it is not what a dependency
// calls.
func TestOwnFirst(t *testing.T) {
	r := &Reading{View: view.View{Table: tableOf(t, "main.handler", "main.inner", "github.com/x/y.(*Cache).set",
		"net/http.(*conn).serve")}}
	at := func(function, role string) casefile.Frame { return casefile.Frame{Function: function, Role: role} }
	for _, tt := range []struct {
		name  string
		where []casefile.Frame
		want  string
	}{
		{"a dependency's line, then the caller", []casefile.Frame{at("github.com/x/y.(*Cache).set",
			"holds the pointers"), at("main.handler", "called from")}, "main.handler"},
		{"the user's own", []casefile.Frame{at("main.inner", "holds"), at("main.handler", "called from")},
			"main.inner"},
		{"a dependency that calls the user", []casefile.Frame{at("github.com/x/y.(*Cache).set", ""),
			as(insidePart, at("main.inner", ""))}, "github.com/x/y.(*Cache).set"},
		{"none of the user's", []casefile.Frame{at("net/http.(*conn).serve", ""),
			at("github.com/x/y.(*Cache).set", "")}, "net/http.(*conn).serve"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fs := []casefile.Finding{{Where: slices.Clone(tt.where)}}
			ownFirst(r, fs)
			if got := fs[0].Where; got[0].Function != tt.want || len(got) != len(tt.where) {
				t.Errorf("first of %d is %s, want %s of %d", len(got), got[0].Function, tt.want, len(tt.where))
			}
		})
	}
}

// tableOf is a table of functions, filled from evidence.
func tableOf(t *testing.T, names ...string) *stacks.Table {
	t.Helper()
	tab := stacks.NewTable("")
	if _, err := tab.Read(stacks.Source{Name: "heap"},
		heapOf(t, heapSite{strings.Join(names, " "), 1 << 20})); err != nil {
		t.Fatal(err)
	}
	return tab
}

// A heapSite is a stack and all the garbage that it made.
type heapSite struct {
	stack string // the leaf first
	bytes int64
}

// heapOf is a heap profile of sites, none of which holds anything.
func heapOf(t *testing.T, sites ...heapSite) []byte {
	t.Helper()
	p := &profile.Profile{PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 512 << 10,
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}}}
	locs := make(map[string]*profile.Location)
	for _, s := range sites {
		sample := &profile.Sample{Value: []int64{s.bytes >> 10, s.bytes, 0, 0}}
		for name := range strings.FieldsSeq(s.stack) {
			if locs[name] == nil {
				file := "/src/main.go"
				if !strings.HasPrefix(name, "main.") {
					file = "/usr/local/go/src/" + name[:strings.LastIndexByte(name, '/')+1] + "x/x.go"
				}
				if host, _, path := strings.Cut(name, "/"); path && strings.Contains(host, ".") {
					file = "/root/go/pkg/mod/" + strings.SplitN(name, ".(", 2)[0] + "@v1.0.0/x.go"
				}
				f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
				p.Function = append(p.Function, f)
				locs[name] = &profile.Location{ID: uint64(len(p.Location) + 1),
					Line: []profile.Line{{Function: f, Line: int64(10 * len(p.Function))}}}
				p.Location = append(p.Location, locs[name])
			}
			sample.Location = append(sample.Location, locs[name])
		}
		p.Sample = append(p.Sample, sample)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func kinds(fs []casefile.Finding) (out []string) {
	for _, f := range fs {
		out = append(out, f.Kind)
	}
	return out
}
