package diagnose

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
)

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
