package report

import (
	"fmt"
	"io"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A Comparison is what the page of a measurement is made of: two sides, or a single run of load. Whatever is missing,
// the page leaves out or says so. OfProof, OfLoad and OfLoads make one.
type Comparison struct {
	Title    string           // one line; the verdict is next to it
	Taken    time.Time        // zero when not known
	Verdict  casefile.Verdict // "" where nothing was judged
	Summary  string           // one sentence with the numbers
	Promise  string           // what the finding promised, and what was measured
	Load     string           // "1,500 req/s, open model"
	Round    string           // what a round is: "block", "window of 1 s"
	Sides    []Side           // before and after, or the one that was measured
	Course   []Course         // how a run of load went; none of anything else
	Figures  []Measured       // in the order of the page; the key figures are put first
	Latency  []Curve          // in the order of Sides; none where only quantiles are known
	Noise    []CurveBand      // what two starts of the first side differ by, at some percentiles
	Profiles []ProfilePair    // of both sides under the same load
	Findings *Changes         // what is wrong with each side; nil if nothing was diagnosed
	Warnings []string         // what limits the figures: the generator, too few rounds
	Machine  []Fact           // CPU, quota, kernel, Go
	Method   []string         // paragraphs
	Commands []Command        // to repeat it
	Served   string           // the address where a server shows it; empty of a page on disk
}

// A Side is one of those that were measured.
type Side struct {
	Label   string
	Command string
}

// A Measured is one figure with its rounds.
type Measured struct {
	casefile.Figure
	Text   string // what the figure is
	Rounds Rounds
}

// Rounds are the values of a figure in the order in which they were taken, NaN where one is missing. Again is of a
// second start of the first side. Lists may be empty.
type Rounds struct{ Before, Again, After []float64 }

// A Curve is a latency distribution by rising percentile.
type Curve []CurvePoint

// A CurvePoint is a quantile: Q is 0–1.
type CurvePoint struct{ Q, Seconds float64 }

// A CurveBand is the noise floor of a quantile.
type CurveBand struct{ Q, Low, High float64 }

// A ProfilePair is one profile of each side, as pprof protobufs.
type ProfilePair struct {
	Name          string // "CPU per request"
	Kind          string // as in casefile.Evidence
	Before, After []byte
	// LevelBefore and LevelAfter, in Unit, are what each whole profile represents, such as CPU seconds per request by
	// /proc: a profile gives the shares, but not the level. With 0 heap profiles are compared by their bytes, others by
	// their shares.
	LevelBefore, LevelAfter float64
	Unit                    vitals.Unit
	Noise                   float64   // share of LevelBefore below which a change is none
	Labels                  [2]string // of before and after; none are "before" and "after"
	Notes                   []string  // what else to know of the two

	places bool           // list the places that grew, not the functions that changed
	frames *stacks.Labels // labels whose values become frames; nil for none
}

// A Fact is a line of the machine's description.
type Fact struct{ Name, Value string }

// A Command is a line to repeat a part of the measurement.
type Command struct{ What, Line string }

// WriteComparison writes the page of a comparison. The same input gives the same bytes.
func WriteComparison(w io.Writer, c Comparison) error {
	p, err := newComparisonPage(c)
	if err == nil {
		err = execute(w, "comparison", comparisonTemplates, p)
	}
	if err != nil {
		return fmt.Errorf("writing the report of %q: %w", c.Title, err)
	}
	return nil
}
