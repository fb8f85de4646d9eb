package diagnose_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// TestMemLimitNear: what a limit has to hold counts, and not what the kernel or a collection takes back in time.
func TestMemLimitNear(t *testing.T) {
	const limit = 512 * mib
	for _, tt := range []struct {
		name                          string
		anonymous, files, held        float64 // resident, and what Go has of the system
		live, goal, perSecond         float64
		environment, remedy, mentions string // remedy is the first's title; "" where nothing is to be found
	}{
		{"the goal is beyond the limit", 420 * mib, 20 * mib, 420 * mib, 300 * mib, 600 * mib, 20 * mib, "",
			"GOMEMLIMIT=461MiB", "grows to 600 MiB"},
		{"GOMEMLIMIT is beyond it, too", 420 * mib, 20 * mib, 420 * mib, 300 * mib, 600 * mib, 20 * mib, "1GiB",
			"GOMEMLIMIT=461MiB", "grows to 600 MiB"},
		{"what lives fills it", 480 * mib, 20 * mib, 480 * mib, 470 * mib, 500 * mib, 20 * mib, "460MiB", "Keep less",
			"91.8 %"},
		{"C has most of it", 480 * mib, 20 * mib, 80 * mib, 50 * mib, 70 * mib, mib, "", "Keep less", "87.9 %"},

		{"GOMEMLIMIT keeps the heap below it", 450 * mib, 20 * mib, 450 * mib, 200 * mib, 440 * mib, 90 * mib, "460MiB",
			"", ""},
		{"a heap that grows slowly is collected before", 420 * mib, 20 * mib, 420 * mib, 300 * mib, 600 * mib, mib / 2,
			"", "", ""},
		{"pages of files", 100 * mib, 390 * mib, 100 * mib, 60 * mib, 120 * mib, 20 * mib, "", "", ""},
		{"half of it is free", 200 * mib, 20 * mib, 200 * mib, 120 * mib, 240 * mib, 20 * mib, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Limits: casefile.Limits{MemoryBytes: limit}, Evidence: []diagnose.Evidence{
				{Name: "heap", Kind: casefile.Heap, Taken: noon, Data: liveHeap(t, heapLine{"main.fill:7 main.main:9",
					1000, int64(tt.live), 20_000})},
				{Name: "runtime.json", Kind: casefile.Runtime, Taken: noon, Data: fmt.Appendf(nil,
					`{"environment":{"GOMEMLIMIT":%q},"memory":{"rss":%.0f,"anonymous":%.0f,"file":%.0f}}`,
					tt.environment, tt.anonymous+tt.files, tt.anonymous, tt.files)},
				history(t, noon, map[vitals.ID]func(int) float64{
					vitals.RSS: constant(tt.anonymous + tt.files), vitals.GoMemory: constant(tt.held),
					vitals.HeapLive: constant(tt.live), vitals.HeapGoal: constant(tt.goal),
					vitals.HeapAlloc: constant(tt.held), vitals.AllocRate: constant(tt.perSecond)})}}
			got := casefile.Finding{Remedies: []casefile.Remedy{{}}}
			for _, f := range diagnose.Run(t.Context(), in, diagnose.Options{}).Findings {
				if f.Kind == "mem-limit-near" {
					got = f
				}
			}
			if got.Remedies[0].Title != tt.remedy || !strings.Contains(got.Title, tt.mentions) {
				t.Errorf("%d: %q with the remedy %q, want %q that mentions %q", got.Score, got.Title,
					got.Remedies[0].Title, tt.remedy, tt.mentions)
			}
			in.Limits = casefile.Limits{}
			for _, f := range diagnose.Run(t.Context(), in, diagnose.Options{}).Findings {
				if f.Kind == "mem-limit-near" {
					t.Errorf("without a limit: %q", f.Title)
				}
			}
		})
	}
}

// TestTimeToTheLimit: who is called wants to know how long there is; of memory that stays as it is nobody can say.
func TestTimeToTheLimit(t *testing.T) {
	const limit = 512 * mib
	for name, rises := range map[string]float64{"it rises": 0.5 * mib, "it stays": 0} {
		in := diagnose.Input{Limits: casefile.Limits{MemoryBytes: limit}, Evidence: []diagnose.Evidence{
			{Name: "runtime.json", Kind: casefile.Runtime, Taken: noon, Data: fmt.Appendf(nil,
				`{"memory":{"rss":%.0f,"anonymous":%.0f,"file":0}}`, 480.0*mib, 480.0*mib)},
			{Name: "vitals.jsonl", Data: risingTo(t, 480*mib, rises)}}}
		f, score := scoreOf(t, in, "mem-limit-near")
		if score == 0 || strings.Contains(f.Summary, "the limit is reached in") != (rises > 0) {
			t.Errorf("%s: %d: %s", name, score, f.Summary)
		}
	}
}

// risingTo are the vitals of two minutes in which resident memory has risen to some bytes, by so many a second.
func risingTo(t *testing.T, last, bySecond float64) []byte {
	t.Helper()
	var samples []vitals.Sample
	for before := 120; before >= 0; before-- {
		s := vitals.NewSample(noon.Add(-time.Duration(before) * time.Second))
		for id, v := range map[vitals.ID]float64{vitals.RSS: last - bySecond*float64(before),
			vitals.GoMemory: 470 * mib, vitals.HeapLive: 460 * mib, vitals.HeapGoal: 480 * mib,
			vitals.HeapAlloc: 460 * mib, vitals.AllocRate: mib} {
			s.Set(id, v)
		}
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
