package diagnose

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func finding(id, kind string, score int, fn string, line int) casefile.Finding {
	return casefile.Finding{ID: id, Kind: kind, Score: score, Summary: id + ".",
		Where:  []casefile.Frame{{Function: fn, Line: line}},
		Impact: casefile.Impact{Text: "80 % of the garbage"}, Evidence: []casefile.Basis{{File: id}}}
}

// TestSettle: a proven leak of goroutines answers the question whether memory leaks.
func TestSettle(t *testing.T) {
	us := func() []casefile.Undecided {
		return []casefile.Undecided{{Kind: "mem-leak"}, {Kind: "goroutine-stuck"}}
	}
	for _, tt := range []struct {
		score int
		want  int
	}{{90, 1}, {60, 2}} {
		if got := builtIn().settle(us(), []casefile.Finding{finding("GO002", "goroutine-leak", tt.score, "main.a",
			1)}); len(got) != tt.want {
			t.Errorf("beside a goroutine-leak of %d %v is undecided, want %d", tt.score, got, tt.want)
		}
	}
}

func TestRelate(t *testing.T) {
	tests := []struct {
		name   string
		in     []casefile.Finding
		want   []string // IDs in order
		causes []string // of GC001
	}{
		{"the cause comes before the symptom, whatever the scores",
			[]casefile.Finding{finding("GC001", "gc-cpu", 90, "main.a", 1),
				finding("LK001", "lock-contention", 80, "main.l", 1),
				finding("GC003", "gc-pointer-heap", 40, "main.b", 2)},
			[]string{"GC003", "GC001", "LK001"}, []string{"GC003"}},
		{"two causes, the larger first",
			[]casefile.Finding{finding("GC001", "gc-cpu", 90, "main.a", 1),
				finding("AL001", "alloc-site", 30, "main.c", 3), finding("GC003", "gc-pointer-heap", 40, "main.b", 2)},
			[]string{"GC003", "AL001", "GC001"}, []string{"GC003", "AL001"}},
		{"garbage that is little of the collector's rate stays behind it",
			[]casefile.Finding{finding("GC005", "gc-frequency", 79, "main.a", 1),
				finding("AL001", "alloc-site", 31, "main.c", 3)},
			[]string{"GC005", "AL001"}, nil},
		{"garbage that is much of it goes before",
			[]casefile.Finding{finding("GC005", "gc-frequency", 79, "main.a", 1),
				finding("AL001", "alloc-site", 40, "main.c", 3)},
			[]string{"AL001", "GC005"}, nil},
		{"one line, one finding: the allocation goes into the CPU's",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1),
				finding("AL001", "alloc-site", 50, "main.a", 1)},
			[]string{"CPU001"}, nil},
		{"or the CPU's into the allocation's, when that scores higher",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1),
				finding("AL001", "alloc-site", 90, "main.a", 1)},
			[]string{"AL001"}, nil},
		{"never a structure's into its entries'",
			[]casefile.Finding{finding("GC003", "gc-pointer-heap", 60, "main.a", 1),
				finding("AL001", "alloc-site", 90, "main.a", 1)},
			[]string{"GC003"}, nil},
		{"a hot line that also allocates most explains the collector",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1),
				finding("GC001", "gc-cpu", 90, "main.a", 1)},
			[]string{"CPU001", "GC001"}, []string{"CPU001"}},
		{"a hot line elsewhere does not",
			[]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.z", 1),
				finding("GC001", "gc-cpu", 90, "main.a", 1)},
			[]string{"GC001", "CPU001"}, nil},
		{"none", nil, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := builtIn().relate(tt.in)
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

// A specific finding that is part of a general one at the same line is reported there, and not again.
func TestAbsorbParts(t *testing.T) {
	of := func(id, kind string, score int, share, lineShare float64) casefile.Finding {
		f := finding(id, kind, score, "main.a", 1)
		f.Brief, f.Where[0].Share = "Sorting takes 30 % of the CPU", lineShare
		f.Impact = casefile.Impact{Resource: "cpu", Share: share}
		f.Remedies = []casefile.Remedy{{Title: "of " + id}}
		return f
	}
	for _, tt := range []struct {
		name string
		part casefile.Finding
		want int
	}{
		{"all of it at the line", of("CPU012", "cpu-sort", 50, 0.3, 0.3), 1},
		{"half of it elsewhere", of("CPU012", "cpu-sort", 50, 0.3, 0.15), 2},
		{"worse than the whole", of("CPU012", "cpu-sort", 80, 0.3, 0.3), 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := builtIn().relate([]casefile.Finding{of("CPU001", "cpu-hot-function", 74, 0.8, 0.8), tt.part})
			if len(got) != tt.want {
				t.Fatalf("%d findings, want %d", len(got), tt.want)
			}
			if f := got[0]; tt.want == 1 && (!strings.Contains(f.Summary, "sorting takes 30 % of the CPU (cpu-sort)") ||
				len(f.Remedies) != 2 || len(f.Evidence) != 2) {
				t.Errorf("got %q with %d remedies on %d pieces of evidence; want the part named and its remedy and "+
					"evidence added",
					f.Summary, len(f.Remedies), len(f.Evidence))
			}
		})
	}
}

// What uses the CPU is the cause of a queue if the queue's finding names it as what is waited for.
func TestQueueBehindCPU(t *testing.T) {
	queue := finding("CH001", "chan-bottleneck", 80, "main.ask", 3)
	queue.Where = append(queue.Where, casefile.Frame{Function: "main.a", Line: 1})
	got := builtIn().relate([]casefile.Finding{queue, finding("CPU001", "cpu-hot-function", 60, "main.a", 1),
		finding("CPU012", "cpu-sort", 30, "main.z", 1)})
	if got[0].ID != "CPU001" || !slices.Equal(got[1].CausedBy, []string{"CPU001"}) {
		t.Errorf("first %s, then %s caused by %v; want CPU001 first, as the only cause", got[0].ID, got[1].ID,
			got[1].CausedBy)
	}
}

// TestSaidOnce: of two general findings about a line only the one with the higher cost is reported.
func TestSaidOnce(t *testing.T) {
	hot, runtime := finding("CPU001", "cpu-hot-function", 60, "main.poll", 1),
		finding("CPU010", "cpu-runtime", 50, "main.poll", 1)
	poll := finding("GO009", "goroutine-busy-poll", 40, "main.poll", 1)
	hot.Impact, runtime.Impact, poll.Impact = casefile.Impact{Share: 0.7, Text: "70 %"},
		casefile.Impact{Share: 0.6, Text: "60 %"}, casefile.Impact{Share: 0.5, Text: "50 %"}
	got := builtIn().relate([]casefile.Finding{hot, runtime, poll})
	if want := "GO009. In all the line takes 70 %."; len(got) != 1 || got[0].Summary != want {
		t.Errorf("%d findings, the first says %q; want one that says %q", len(got), got[0].Summary, want)
	}
}

func TestAbsorbKeepsTheEvidence(t *testing.T) {
	got := builtIn().relate([]casefile.Finding{finding("CPU001", "cpu-hot-function", 60, "main.a", 1),
		finding("AL001", "alloc-site", 50, "main.a", 1)})
	if f := got[0]; len(f.Evidence) != 2 || !strings.Contains(f.Summary, "80 % of the garbage") {
		t.Errorf("summary %q on %v, want the garbage in it and both pieces of evidence", f.Summary, f.Evidence)
	}
}

// One change cures both, and who reads the JSON still sees both.
func TestAbsorbedStaysVisible(t *testing.T) {
	line := []casefile.Frame{{Function: "example.org/shop/cart.(*Cart).total", File: "/src/shop/cart/cart.go",
		Line: 29}}
	other := []casefile.Frame{{Function: line[0].Function, File: line[0].File, Line: 31}, line[0]}
	hot := casefile.Finding{ID: "CPU001", Kind: "cpu-hot-function", Title: "total takes the CPU", Score: 74,
		Where:  line,
		Impact: casefile.Impact{Resource: "cpu", Share: 0.5, Text: "50 % of the CPU"}}
	for _, c := range []struct {
		where []casefile.Frame
		want  string
	}{
		{line, " In all the line takes 50 % of the CPU."},
		{other, " In all cart.(*Cart).total (cart.go:29) takes 50 % of the CPU."},
	} {
		specific := casefile.Finding{ID: "CPU012", Kind: "cpu-sort", Summary: "The line sorts.", Score: 60,
			Where:  c.where,
			Impact: casefile.Impact{Resource: "cpu", Share: 0.4, Text: "40 % of the CPU"}}
		got := builtIn().relate([]casefile.Finding{hot, specific})
		if len(got) != 1 || got[0].Kind != "cpu-sort" || got[0].Summary != "The line sorts."+c.want {
			t.Fatalf("%+v, want one of cpu-sort that says %q", got, c.want)
		}
		want := []casefile.Absorbed{{ID: hot.ID, Kind: hot.Kind, Title: hot.Title, Score: hot.Score, Where: &line[0]}}
		if !reflect.DeepEqual(got[0].Absorbed, want) {
			t.Errorf("absorbed %+v, want %+v", got[0].Absorbed, want)
		}
	}
}

// The comparison that is given to a sort is a part of the sort, and the handlers of main are no part of what main does.
func TestClosuresBelongToTheirCall(t *testing.T) {
	at := func(kind, id, function string, share float64) casefile.Finding {
		return casefile.Finding{ID: id, Kind: kind, Title: function, Score: 50 + int(20*share), Summary: function + ".",
			Where:  []casefile.Frame{{Function: function, File: "main.go", Line: 52}},
			Impact: casefile.Impact{Resource: "cpu", Share: share, Text: "it"}}
	}
	for _, c := range []struct {
		sort, hot casefile.Finding
		want      int
	}{
		{at("cpu-sort", "CPU012", "main.(*directory).page", 0.79),
			at("cpu-hot-function", "CPU001", "main.(*directory).page.func1", 0.48), 1},
		{at("cpu-sort", "CPU012", "main.main", 0.2), at("cpu-hot-function", "CPU001", "main.main.func1", 0.6), 2},
		{at("cpu-sort", "CPU012", "main.(*directory).page", 0.79),
			at("cpu-hot-function", "CPU001", "main.(*directory).pages", 0.48), 2},
	} {
		if got := builtIn().relate([]casefile.Finding{c.hot, c.sort}); len(got) != c.want || got[0].ID == "" {
			t.Errorf("%s beside %s: %d findings, want %d", c.hot.Title, c.sort.Title, len(got), c.want)
		}
	}
}

// kindsNamedBy are the kinds that a detector names, by the field that names them.
func kindsNamedBy(d Detector) map[string][]string {
	kinds := func(rs []Relation) (out []string) {
		for _, r := range rs {
			out = append(out, r.Kind)
		}
		return out
	}
	out := map[string][]string{
		"Explains": kinds(d.Explains), "Refines": d.Refines, "Absorbs": kinds(d.Absorbs), "Merges": kinds(d.Merges),
		"Settles": d.Settles,
	}
	for _, n := range d.Notes {
		out["Notes"] = append(out["Notes"], n.Kind)
	}
	return out
}

// TestRelationsNameKinds: a relation to a kind that does not exist, to the own kind, or twice to one kind has no
// effect, silently.
func TestRelationsNameKinds(t *testing.T) {
	n := 0
	for _, d := range Detectors() {
		for field, kinds := range kindsNamedBy(d) {
			seen := map[string]bool{}
			for _, kind := range kinds {
				n++
				switch {
				case builtIn().of[kind] == nil:
					t.Errorf("%s: %s names %q, which no detector finds", d.Kind, field, kind)
				case kind == d.Kind:
					t.Errorf("%s: %s names the kind itself", d.Kind, field)
				case seen[kind]:
					t.Errorf("%s: %s names %q twice", d.Kind, field, kind)
				}
				seen[kind] = true
			}
		}
	}
	if n < 100 {
		t.Errorf("%d kinds are named, want 100 or more: the test reads the wrong fields", n)
	}
}

// TestRelationsAreOneWay: if two kinds replaced each other, their scores would decide which one stays.
func TestRelationsAreOneWay(t *testing.T) {
	for _, d := range Detectors() {
		for field, kinds := range kindsNamedBy(d) {
			for _, kind := range kinds {
				for _, back := range kindsNamedBy(*builtIn().kind(kind))[field] {
					if back == d.Kind {
						t.Errorf("%s of %s names %s, and the other way round", field, d.Kind, kind)
					}
				}
			}
		}
	}
}

// TestUnknownKind: findings of kinds that no detector has, as in the case of a later version, stay as they are.
func TestUnknownKind(t *testing.T) {
	fs := builtIn().relate([]casefile.Finding{finding("X1", "later-kind", 95, "main.a", 1),
		finding("GC001", "gc-cpu", 90, "main.a", 1)})
	if len(fs) != 2 || len(fs[1].CausedBy) != 0 {
		t.Errorf("%d findings, the last caused by %v; want both, and no cause", len(fs), fs[1].CausedBy)
	}
}

// A history that keeps whole bodies and an index that keeps parts of them have one and the same profile. If they
// certainly grow, the bound comes first and the copy second. After seconds of growth, the copy comes first.
func TestGrowthOfWholeInputs(t *testing.T) {
	at := []casefile.Frame{{Function: "main.(*server).place", Line: 24}}
	inputs := casefile.Finding{Kind: "mem-subslice-retained", Score: 56, Confidence: 0.5, Where: at,
		Remedies: []casefile.Remedy{{Title: "Copy the part that is kept"}, {Title: "Let go"}}}
	for _, c := range []struct {
		name  string
		leak  int // its score
		conf  float64
		where []casefile.Frame
		want  []string // kinds, and the first remedies of the first
	}{
		{"sure to grow", 74, 0.5, at, []string{"mem-leak", "Bound it", "Copy the part that is kept"}},
		{"seconds of growth", capNotice, 0.5, at, []string{"mem-subslice-retained", "Copy the part that is kept",
			"Let go"}},
		{"sure that parts keep it", 74, 0.8, at, []string{"mem-subslice-retained", "Copy the part that is kept",
			"Let go"}},
	} {
		leak := casefile.Finding{Kind: "mem-leak", Score: c.leak, Confidence: 0.85, Where: c.where,
			Remedies: []casefile.Remedy{{Title: "Bound it"}, {Title: "A cache"}}}
		in := inputs
		in.Confidence = c.conf
		got := builtIn().absorbWaits([]casefile.Finding{leak, in})
		if len(got) != 1 || got[0].Kind != c.want[0] || got[0].Remedies[0].Title != c.want[1] ||
			got[0].Remedies[1].Title != c.want[2] {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
	elsewhere := casefile.Finding{Kind: "mem-leak", Score: 74, Confidence: 0.85,
		Where: []casefile.Frame{{Function: "main.other", Line: 3}}, Remedies: []casefile.Remedy{{Title: "Bound it"}}}
	if got := builtIn().absorbWaits([]casefile.Finding{elsewhere, inputs}); len(got) != 2 {
		t.Errorf("another line's growth is another finding: %+v", got)
	}
}

// TestOverloadAndCauses: a waste that takes much of the CPU is what to change first; what may be the purpose of the
// service comes after the overload.
func TestOverloadAndCauses(t *testing.T) {
	cost := func(id, kind string, score int, gain float64) casefile.Finding {
		f := finding(id, kind, score, "main.power", 46)
		f.Impact = casefile.Impact{Resource: "cpu", Share: gain, Gain: casefile.Gain{Low: gain / 2, High: gain}}
		return f
	}
	for _, tt := range []struct {
		name  string
		other casefile.Finding
		first string
	}{
		{"the purpose", cost("CPU001", "cpu-hot-function", 90, 0.8), "overload"},
		{"a waste", cost("CPU009", "cpu-quadratic", 60, 0.5), "cpu-quadratic"},
		{"a small waste", cost("CPU009", "cpu-quadratic", 60, 0.1), "overload"},
		{"a notice", cost("CPU009", "cpu-quadratic", 40, 0.4), "overload"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := builtIn()
			fs := table.relate([]casefile.Finding{finding("SC006", "overload", 78, "main.power", 46), tt.other})
			table.join(&Reading{}, fs)
			if got := table.causesFirst(fs); got[0].Kind != tt.first {
				t.Errorf("first is %s, want %s", got[0].Kind, tt.first)
			}
		})
	}
}
