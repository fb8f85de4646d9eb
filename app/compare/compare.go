// Package compare says what differs between two measurements: benchmark output, results of casebook load, proofs.
//
// The problem: benchstat reads only benchmark output, prints "~" both when nothing moved and when it cannot tell, and
// expects the reader to know that 1 of 20 comparisons of identical code looks like a change.
//
// The approach: a Report is tables of rows. A row is one figure on both sides, with the median, its interval and p as
// benchstat computes them (golang.org/x/perf/benchmath), the interval of the change itself (prove.Ratio), and a
// verdict: better, worse, the same, or cannot tell with the reason. KindOf detects what an input is from its content.
//
// The verdicts on benchmarks allow for the number of comparisons: a change counts if its p passes the procedure of
// Benjamini and Hochberg (1995) at the level of the test. So at most that share of the reported changes is expected to
// be false. The printed p-values are benchstat's, without this correction. Figures that do not vary (allocs/op, B/op,
// units with assume=exact) are judged by their value, not by a test.
//
// Limits: consecutive runs of one process share its luck (addresses, hash seeds, what else the machine did), and no
// test on them can see that. casebook gate interleaves fresh processes instead.
package compare

import (
	"encoding/json"
	"math"

	"github.com/gocasebook/casebook/casefile"
)

// Schema is the version of the JSON that a Report is written as, and ReportKind marks it.
const (
	Schema     = 1
	ReportKind = "casebook-compare"
)

// A Report is what differs between two sides.
type Report struct {
	Schema   int      `json:"schema"`
	Kind     string   `json:"kind"`
	Of       Kind     `json:"of"`  // what was compared
	Old      string   `json:"old"` // the label of the first input
	New      string   `json:"new"`
	Method   string   `json:"method"`
	Tables   []Table  `json:"tables"`
	Warnings []string `json:"warnings,omitempty"` // of reading and of what does not compare
}

// A Table is figures of one unit, or of one measurement.
type Table struct {
	Config  []Setting `json:"config,omitempty"` // what all of its results have in common: goos, pkg
	Old     string    `json:"old,omitempty"`    // "" when only New has such results
	New     string    `json:"new,omitempty"`    // "" when only Old has
	Unit    string    `json:"unit,omitempty"`   // "" when each row has its own
	Rows    []Row     `json:"rows"`
	Geomean *Geomean  `json:"geomean,omitempty"`
}

// A Setting is one line of configuration in benchmark output.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// A Row is one figure on both sides.
type Row struct {
	Name       string           `json:"name"`
	Unit       string           `json:"unit"`
	Better     string           `json:"better,omitempty"` // "lower", "higher", or "" where it is not known
	Old        *Summary         `json:"old,omitempty"`    // nil where that side has none
	New        *Summary         `json:"new,omitempty"`
	Change     Number           `json:"change"`      // new/old − 1 of the centres
	ChangeLow  Number           `json:"change_low"`  // the 95 % interval of the change
	ChangeHigh Number           `json:"change_high"` //
	P          Number           `json:"p"`           // of the test that the sides do not differ; null without one
	Exact      bool             `json:"exact,omitempty"`
	Verdict    casefile.Verdict `json:"verdict"`
	Reason     string           `json:"reason,omitempty"`   // of "cannot tell", and what to keep in mind
	Warnings   []string         `json:"warnings,omitempty"` // of the statistics

	// what Old and New were computed of, in the order in which it was measured; nil if it is not known
	rounds   [2][]float64
	delta    string // as benchstat writes the change: "-17.20%", "~"
	test     bool   // P is of a test, and counts in the family
	compared bool   // both sides are there and were compared
}

// A Summary is one side of a row.
type Summary struct {
	Center Number `json:"center"` // the median; of exact figures the most frequent value
	Low    Number `json:"low"`    // 95 % interval of the center; null below 6 runs
	High   Number `json:"high"`
	N      int    `json:"n"`

	text  string // as a person reads it, scaled as its row is
	about string // half of the interval: "2%", "∞"
}

// A Geomean is the geometric means over the rows of a table.
type Geomean struct {
	Old    Number `json:"old"`
	New    Number `json:"new"`
	Change Number `json:"change"` // the mean of the rows' ratios, less 1

	oldText, newText string
	Warnings         []string `json:"warnings,omitempty"`
}

// A Number is a float that JSON can hold: what is infinite or no number is written as null.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

func (n Number) isNaN() bool { return math.IsNaN(float64(n)) }

// Count returns how many rows have a verdict.
func (r *Report) Count(v casefile.Verdict) int {
	n := 0
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if row.Verdict == v {
				n++
			}
		}
	}
	return n
}

// rows calls f with every row.
func (r *Report) rows(f func(*Row)) {
	for i := range r.Tables {
		for j := range r.Tables[i].Rows {
			f(&r.Tables[i].Rows[j])
		}
	}
}
