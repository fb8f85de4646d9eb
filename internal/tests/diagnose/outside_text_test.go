package diagnose_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// What is said of evidence that is missing is true of the process that the case is of: one that watches itself is not
// told that it was watched from outside, nor only to ask its address.
func TestTextsKnowWhoWatches(t *testing.T) {
	const outside = "runtime/metrics has no standard endpoint; the process must watch itself for this"
	for _, c := range []struct {
		name   string
		url    string
		absent map[string]string
		why    string
		hint   bool // of what to do without net/http/pprof
	}{
		{"itself", "", nil, "where a GC cycle ended, and none did", true},
		{"from outside", "http://127.0.0.1:6060", map[string]string{"gc_assist": outside}, outside, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := vitals.NewSample(time.Unix(1_700_000_000, 0))
			s.Set(vitals.CPU, 1)
			var b bytes.Buffer
			if err := vitals.WriteJSONL(&b, []vitals.Sample{s}, nil, c.absent); err != nil {
				t.Fatal(err)
			}
			f := &casefile.Folder{Case: casefile.Case{Target: casefile.Target{URL: c.url, PID: 7}}}
			in, errs := diagnose.CaseInput(f, diagnose.Options{})
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			in.Evidence = []diagnose.Evidence{{Name: "vitals.jsonl", Kind: casefile.Vitals, Data: b.Bytes()}}
			rep := diagnose.Run(t.Context(), in, diagnose.Options{})
			found := false
			for _, u := range rep.Undecided {
				found = found || u.Kind == "gc-assist" && strings.HasSuffix(u.Reason, c.why)
				if got := strings.Contains(u.CaptureNext, "Watch.Capture"); got != c.hint &&
					strings.Contains(u.CaptureNext, "/debug/pprof/") {
					t.Errorf("%s: what to capture next is %q", u.Kind, u.CaptureNext)
				}
			}
			if !found {
				t.Errorf("gc-assist is not undecided because %q, but: %+v", c.why, rep.Undecided)
			}
		})
	}
}
