package diagnose_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
)

// A settingCase is a row of lab/holdout/settings.json: a service that somebody else wrote, under a GOGC or GOMEMLIMIT.
type settingCase struct {
	Name      string
	Kinds     []string
	Functions []string // none: the process as a whole is ill
	Says      string
	Never     string
}

// TestSettings: where a setting is the cause, its value comes before those who allocate; where it is not, the service's
// own fault comes first.
func TestSettings(t *testing.T) {
	checkout.Need(t)
	var cases []settingCase
	b, err := os.ReadFile("../../../lab/holdout/settings.json")
	if err == nil {
		err = json.Unmarshal(b, &cases)
	}
	if err != nil || len(cases) < 10 {
		t.Fatalf("%d services in the table of settings, want 10 or more (%v)", len(cases), err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			fs := judged(t, "settings/"+c.Name).Findings
			if len(c.Functions) == 0 { // whatever is ill besides
				fs = slices.DeleteFunc(slices.Clone(fs), func(f casefile.Finding) bool {
					return !strings.HasPrefix(f.ID, "AL") && !strings.HasPrefix(f.ID, "GC")
				})
			}
			switch {
			case len(fs) > 0:
				c.right(t, fs[0])
			case len(c.Functions) == 0:
				t.Error("nothing was found") // of another fault without its setting there may be nothing
			}
		})
	}
}

func (c *settingCase) right(t *testing.T, f casefile.Finding) {
	t.Helper()
	place := len(c.Functions) == 0 || len(f.Where) > 0 &&
		slices.ContainsFunc(c.Functions, func(end string) bool { return strings.Contains(f.Where[0].Function, end) })
	if !slices.Contains(c.Kinds, f.Kind) || !place {
		t.Errorf("%s %d at %v, want one of %v at %v", f.Kind, f.Score, f.Where, c.Kinds, c.Functions)
	}
	title := f.Remedies[0].Title
	says, never := regexp.MustCompile(c.Says), regexp.MustCompile(c.Never)
	if !says.MatchString(title) || c.Never != "" && never.MatchString(title) {
		t.Errorf("%s has the remedy %q, want one that says %q and not %q", f.Kind, title, c.Says, c.Never)
	}
}

// steadyHeap is a heap profile of so many live bytes, taken at noon.
func steadyHeap(t *testing.T, live int64) diagnose.Evidence {
	t.Helper()
	return diagnose.Evidence{Name: "heap.txt", Kind: casefile.Heap, Taken: noon, Data: fmt.Appendf(nil,
		"heap profile: 1: %d [20: %d] @ heap/1048576\n1: %d [20: %d] @ 0x1\n#\t0x1\tmain.fill+0x1\t/src/main.go:7\n\n",
		live, 20*live, live, 20*live)}
}

// TestUnknownGOGC: where GOGC is not known, the value is for the case that nothing sets it, and the text says so.
func TestUnknownGOGC(t *testing.T) {
	cpu := cpuProfile(t, 10, map[string]int64{gcStack: 300, workStack: 500})
	f, _ := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{cpu, steadyHeap(t, 20<<20)}}, "gc-cpu")
	tune := f.Remedies[slices.IndexFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Kind == casefile.Value })]
	if !strings.Contains(tune.Title, "if nothing sets it") || !strings.Contains(tune.Text, "does not show") ||
		strings.Contains(tune.Price, "from") {
		t.Errorf("got %+v, want a value for the case that nothing sets GOGC, and no price against now", tune)
	}
	set := diagnose.Evidence{Name: "runtime.json", Kind: casefile.Runtime, Data: []byte(`{"effective": {"gogc": "100"}}`)}
	f, _ = scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{cpu, steadyHeap(t, 20<<20), set}}, "gc-cpu")
	tune = f.Remedies[slices.IndexFunc(f.Remedies, func(r casefile.Remedy) bool { return r.Kind == casefile.Value })]
	if trade := "GOGC=400 saves about 28 % of the CPU for 60 MiB more"; tune.Title != "GOGC=500" ||
		!strings.Contains(tune.Text, trade) {
		t.Errorf("got %+v, want GOGC=500, and what 400 trades", tune)
	}
}
