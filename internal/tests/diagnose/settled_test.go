package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// TestWithSource: what source says moves confidence and score by what WithSource documents, and by no more.
func TestWithSource(t *testing.T) {
	confirms, contradicts, adds := casefile.Settled{Verdict: casefile.Confirms},
		casefile.Settled{Verdict: casefile.Contradicts}, casefile.Settled{Verdict: casefile.Adds}
	for _, c := range []struct {
		name       string
		score      int
		confidence float64
		says       []casefile.Settled
		wantScore  int
		wantSure   float64
	}{
		{"nothing", 74, 0.7, nil, 74, 0.7},
		{"adds", 74, 0.7, []casefile.Settled{adds}, 74, 0.7},
		{"confirms", 74, 0.7, []casefile.Settled{confirms}, 74, 0.85},
		{"confirms twice: the same code", 74, 0.7, []casefile.Settled{confirms, confirms}, 74, 0.85},
		{"confirms what is all but certain", 90, 0.99, []casefile.Settled{confirms}, 90, 0.99},
		{"contradicts a warning", 74, 0.7, []casefile.Settled{contradicts}, 49, 0.35},
		{"contradicts a notice", 30, 0.8, []casefile.Settled{contradicts, adds}, 30, 0.4},
		{"both", 80, 0.8, []casefile.Settled{confirms, contradicts}, 49, 0.4},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := diagnose.WithSource(casefile.Finding{Score: c.score, Confidence: c.confidence}, c.says...)
			if got.Score != c.wantScore || got.Confidence != c.wantSure || len(got.Source) != len(c.says) {
				t.Errorf("score %d, confidence %.2f, %d texts; want %d, %.2f, %d", got.Score, got.Confidence,
					len(got.Source), c.wantScore, c.wantSure, len(c.says))
			}
		})
	}
}

// TestVerdictOfManualCase: what a person asked for in a healthy process has no verdict.
func TestVerdictOfManualCase(t *testing.T) {
	in := loadCase(t, "foreign/caddy-healthy")
	in.Triggers = []casefile.Trigger{{Rule: "manual", Text: "a look"}}
	if v := diagnose.Run(t.Context(), in, diagnose.Options{}).Verdict; v != nil {
		t.Errorf("the verdict of a healthy process is %+v", v)
	}
}

// TestTreeIsNoCache: a tree of nodes costs the collector as much as a cache of as many objects, and no cache can
// replace it: only what is known to be a cache is replaced by one.
func TestTreeIsNoCache(t *testing.T) {
	const pack = "Keep the entries where the collector does not look"
	for holder, want := range map[string]string{
		"github.com/armon/go-radix.(*Tree).Insert": "Keep fewer of them",
		"github.com/bluele/gcache.(*LRUCache).set": pack,
		"main.(*prefixTrie).insert":                pack,
		"main.(*sessions).put":                     pack,
	} {
		heap := liveHeap(t, heapLine{holder + ":176 main.build:24 main.main:9", 8_000_000, 400 << 20, 0})
		rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "heap.pb.gz",
			Kind: casefile.Heap, Data: heap}}},
			diagnose.Options{})
		i := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.Kind == "gc-pointer-heap" })
		if i < 0 {
			t.Errorf("%s: gc-pointer-heap is not among %v", holder, kinds(rep.Findings))
			continue
		}
		f := rep.Findings[i]
		if f.Remedies[0].Title != want || !strings.HasPrefix(f.Where[0].Function, "main.") {
			t.Errorf("%s: %q at %s, want %q at a line of main", holder, f.Remedies[0].Title, f.Where[0].Function, want)
		}
		if replaced := strings.HasPrefix(f.Remedies[0].Text, "Replace "); replaced != strings.Contains(holder, "gcache") {
			t.Errorf("%s: %s", holder, f.Remedies[0].Text)
		}
	}
}
