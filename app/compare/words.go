package compare

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// The cells of a row, as every format shows them.

// value is "1.718µ ± 2%"; "" for a side that is not there.
func (s *Summary) value() string {
	if s == nil {
		return ""
	}
	if s.about == "" {
		return s.text
	}
	return s.text + " ± " + s.about
}

// changeText returns how the centers moved if that counts, otherwise the range of the change, otherwise benchstat's
// "~".
func (row *Row) changeText() string {
	switch {
	case !row.compared:
		return ""
	case row.Exact && row.Change.isNaN():
		return "from 0"
	case row.Exact:
		return fmt.Sprintf("%+.2f%%", 100*float64(row.Change))
	case row.delta != "~":
		return row.delta
	}
	low, high := 100*float64(row.ChangeLow), 100*float64(row.ChangeHigh)
	if math.IsNaN(low) || low <= -100 || math.IsInf(high, 0) {
		return "~"
	}
	return fmt.Sprintf("%+.1f to %+.1f%%", low, high)
}

// pText returns p to three digits, as benchstat; "exact" where there was no test.
func (row *Row) pText() string {
	switch {
	case !row.compared:
		return ""
	case row.Exact:
		return "exact"
	case row.P.isNaN():
		return ""
	}
	return fmt.Sprintf("%.3f", float64(row.P))
}

// verdictText returns the verdict in words that fit into "the old and the new are …".
func verdictText(v casefile.Verdict) string {
	if v == casefile.Same {
		return "the same"
	}
	return string(v)
}

// runs is "10" or "10+9", as benchstat's n.
func (row *Row) runs() string {
	n := func(s *Summary) int {
		if s == nil {
			return 0
		}
		return s.N
	}
	if a, b := n(row.Old), n(row.New); a != b {
		return fmt.Sprintf("%d+%d", a, b)
	}
	return fmt.Sprint(n(row.Old))
}

// commonRuns returns what all rows of a table that were compared agree on; "" if they do not.
func (t *Table) commonRuns() string {
	common := ""
	for i := range t.Rows {
		switch n := t.Rows[i].runs(); {
		case !t.Rows[i].compared:
		case common == "":
			common = n
		case common != n:
			return ""
		}
	}
	return common
}

// changeText returns the geometric mean of the ratios.
func (g *Geomean) changeText() string {
	if g.Change.isNaN() {
		return "?"
	}
	return fmt.Sprintf("%+.2f%%", 100*float64(g.Change))
}

// title returns what a table is of: "sec/op, pkg: example.com/shop".
func (t *Table) title(shown map[string]string) string {
	parts := make([]string, 0, len(t.Config)+1)
	if t.Unit != "" {
		parts = append(parts, t.Unit)
	}
	for _, s := range t.Config {
		if shown[s.Key] != s.Value {
			shown[s.Key] = s.Value
			parts = append(parts, s.Key+": "+s.Value)
		}
	}
	if n := t.commonRuns(); n != "" {
		parts = append(parts, "n="+n)
	}
	return strings.Join(parts, ", ")
}

// Summary returns the report in a sentence.
func (r *Report) Summary() string {
	total, parts := 0, []string(nil)
	for _, v := range []casefile.Verdict{casefile.Worse, casefile.Better, casefile.Same, casefile.CannotTell} {
		if n := r.Count(v); n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, verdictText(v)))
		}
	}
	if len(parts) == 0 {
		return "Nothing could be compared."
	}
	if total == 1 {
		return "1 figure: " + strings.Join(parts, ", ")
	}
	return fmt.Sprintf("%d figures: %s", total, strings.Join(parts, ", "))
}

// columns returns the sides' labels, without their folders if they still differ.
func (t *Table) columns() (old, latest string) {
	if a, b := path.Base(t.Old), path.Base(t.New); t.Old != "" && t.New != "" && a != b {
		return a, b
	}
	return t.Old, t.New
}

// A note is a text with the rows that it is about.
type note struct {
	text string
	rows []string
}

// notes returns the reasons and warnings of a table, each once.
func (t *Table) notes() []note {
	var out []note
	at := make(map[string]int)
	add := func(text, row string) {
		i, seen := at[text]
		if !seen {
			i, at[text] = len(out), len(out)
			out = append(out, note{text: text})
		}
		if row != "" {
			out[i].rows = append(out[i].rows, row)
		}
	}
	for _, row := range t.Rows {
		if row.Reason != "" && !isInterval(row) {
			add(row.Reason, row.Name)
		}
		for _, w := range row.Warnings {
			add(w, row.Name)
		}
	}
	if t.Geomean != nil {
		for _, w := range t.Geomean.Warnings {
			add(w, "")
		}
	}
	return out
}

// isInterval reports whether the reason says no more than the change in the row does: a range.
func isInterval(row Row) bool { return strings.Contains(row.changeText(), " to ") }

// maxNamed is how many rows a note names.
const maxNamed = 3

func (n note) of(rows int) string {
	switch {
	case len(n.rows) == 0, len(n.rows) == rows && rows > 1:
		return ""
	case len(n.rows) > maxNamed:
		return fmt.Sprintf("%s and %d more: ", strings.Join(n.rows[:maxNamed], ", "), len(n.rows)-maxNamed)
	}
	return strings.Join(n.rows, ", ") + ": "
}
