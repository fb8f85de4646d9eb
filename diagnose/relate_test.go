package diagnose

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func finding(id, kind string, score int, fn string, line int) casefile.Finding {
	return casefile.Finding{ID: id, Kind: kind, Score: score, Summary: id + ".", Where: []casefile.Frame{{Function: fn, Line: line}},
		Impact: casefile.Impact{Text: "80 % of the garbage"}, Evidence: []casefile.Basis{{File: id}}}
}

func TestRelate(t *testing.T) {
	tests := []struct {
		name   string
		in     []casefile.Finding
		want   []string // IDs in order
		causes []string // of GC001
	}{
		{"the cause comes before the symptom, whatever the scores",
			[]casefile.Finding{finding("GC001", "gc-cpu", 90, "main.a", 1), finding("LK001", "lock-contention", 80, "main.l", 1), finding("GC003", "gc-pointer-heap", 40, "main.b", 2)},
			[]string{"GC003", "GC001", "LK001"}, []string{"GC003"}},
		{"two causes, the larger first",
			[]casefile.Finding{finding("GC001", "gc-cpu", 90, "main.a", 1), finding("AL001", "alloc-site", 30, "main.c", 3), finding("GC003", "gc-pointer-heap", 40, "main.b", 2)},
			[]string{"GC003", "AL001", "GC001"}, []string{"GC003", "AL001"}},
		{"one line, one finding: the allocation goes into the CPU's",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1), finding("AL001", "alloc-site", 50, "main.a", 1)},
			[]string{"CPU001"}, nil},
		{"or the CPU's into the allocation's, when that scores higher",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1), finding("AL001", "alloc-site", 90, "main.a", 1)},
			[]string{"AL001"}, nil},
		{"never a structure's into its entries'",
			[]casefile.Finding{finding("GC003", "gc-pointer-heap", 60, "main.a", 1), finding("AL001", "alloc-site", 90, "main.a", 1)},
			[]string{"GC003"}, nil},
		{"a hot line that also allocates most explains the collector",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1), finding("GC001", "gc-cpu", 90, "main.a", 1)},
			[]string{"CPU001", "GC001"}, []string{"CPU001"}},
		{"a hot line elsewhere does not",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.z", 1), finding("GC001", "gc-cpu", 90, "main.a", 1)},
			[]string{"GC001", "CPU001"}, nil},
		{"none", nil, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := relate(tt.in)
			var ids []string
			for _, f := range got {
				ids = append(ids, f.ID)
				if f.ID == "GC001" && !slices.Equal(f.CausedBy, tt.causes) {
					t.Errorf("causes %v, want %v", f.CausedBy, tt.causes)
				}
			}
			if !slices.Equal(ids, tt.want) {
				t.Errorf("order %v, want %v", ids, tt.want)
			}
		})
	}
}

func TestAbsorbKeepsTheEvidence(t *testing.T) {
	got := relate([]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1), finding("AL001", "alloc-site", 50, "main.a", 1)})
	if f := got[0]; len(f.Evidence) != 2 || !strings.Contains(f.Summary, "80 % of the garbage") {
		t.Errorf("summary %q on %v, want the garbage in it and both pieces of evidence", f.Summary, f.Evidence)
	}
}
