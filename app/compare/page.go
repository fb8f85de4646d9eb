package compare

import (
	"math"
	"path"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Page returns the report as a page shows it: each row is a figure, with the rounds that it was computed of. The caller
// adds what else it knows: profiles, findings, the machine, the command.
func (r *Report) Page() report.Comparison {
	c := report.Comparison{
		Title: againstTitle(r.Old, r.New), Summary: r.Summary(), Round: r.round(),
		Sides: []report.Side{{Label: r.Old}, {Label: r.New}}, Warnings: append([]string(nil), r.Warnings...),
	}
	if r.Method != "" {
		c.Method = []string{r.Method}
	}
	common, differ := r.settings()
	c.Machine = common
	for i := range r.Tables {
		t := &r.Tables[i]
		about := t.about(differ)
		if t.New != "" && t.New != r.New && r.Of == Benchmarks {
			about = strings.TrimPrefix(about+", after: "+t.New, ", ")
		}
		for k := range t.Rows {
			c.Figures = append(c.Figures, t.Rows[k].measured(about))
		}
		if g := t.Geomean; g != nil {
			c.Figures = append(c.Figures, g.measured(t.Unit, about))
		}
	}
	return c
}

// round returns what the rounds of a page are.
func (r *Report) round() string {
	switch r.Of {
	case Benchmarks:
		return "run"
	case Proof:
		return "block"
	case Profiles:
		return "window"
	}
	return ""
}

// againstTitle names both sides, without their folders if they still differ.
func againstTitle(old, latest string) string {
	if a, b := path.Base(old), path.Base(latest); a != b {
		old, latest = a, b
	}
	return latest + " against " + old
}

// settings returns the configuration that all tables have in common, and the keys that have several values.
func (r *Report) settings() (common []report.Fact, differ map[string]bool) {
	values := make(map[string]string)
	differ = make(map[string]bool)
	var keys []string
	for _, t := range r.Tables {
		for _, s := range t.Config {
			old, seen := values[s.Key]
			if !seen {
				keys = append(keys, s.Key)
			}
			differ[s.Key] = differ[s.Key] || seen && old != s.Value
			values[s.Key] = s.Value
		}
	}
	for _, key := range keys {
		if !differ[key] {
			common = append(common, report.Fact{Name: key, Value: values[key]})
		}
	}
	return common, differ
}

// about returns the part of a table's configuration that others do not have.
func (t *Table) about(differ map[string]bool) string {
	var parts []string
	for _, s := range t.Config {
		if differ[s.Key] {
			parts = append(parts, s.Key+": "+s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// measured returns a row as a figure of a page.
func (row *Row) measured(about string) report.Measured {
	m := report.Measured{Text: about, Rounds: report.Rounds{Before: row.rounds[0], After: row.rounds[1]}}
	m.Figure = casefile.Figure{Name: row.title(), Unit: string(pageUnit(row.Unit)), Better: row.Better,
		Before: row.Old.stat(), After: row.New.stat(),
		Verdict: row.Verdict, P: 1, Note: strings.Join(append(row.reasons(), row.Warnings...), "; ")}
	if m.Text == "" && row.Unit == m.Unit { // our own figures have a text
		m.Text = figureText(row.Name)
	}
	if !row.P.isNaN() {
		m.P = float64(row.P)
	}
	low, high := float64(row.ChangeLow), float64(row.ChangeHigh)
	if row.compared && !row.Change.isNaN() && !math.IsNaN(low) && !math.IsNaN(high) {
		m.Effect = &casefile.Effect{Value: float64(row.Change), Low: low, High: high}
	}
	return m
}

// title returns a row's name, with the unit if it has one of benchmarks.
func (row *Row) title() string {
	if vitals.Unit(row.Unit).Known() {
		return row.Name
	}
	return row.Name + ", " + row.Unit
}

// reasons says what the page does not say otherwise.
func (row *Row) reasons() []string {
	switch {
	case row.Exact:
		return []string{"judged by its value: it does not vary"}
	case row.Reason != "" && !isInterval(*row):
		return []string{row.Reason}
	}
	return nil
}

func figureText(name string) string {
	for _, s := range prove.Figures() {
		if s.Name == name {
			return s.Text
		}
	}
	return ""
}

// stat returns nothing for a side that is not there.
func (s *Summary) stat() casefile.Stat {
	if s == nil {
		return casefile.Stat{}
	}
	return casefile.Stat{Value: float64(s.Center), Low: float64(s.Low), High: float64(s.High), N: s.N}
}

// measured returns a geometric mean as a figure of a page; it has no verdict.
func (g *Geomean) measured(unit, about string) report.Measured {
	m := report.Measured{Text: strings.TrimPrefix(about+", over the figures above", ", ")}
	m.Figure = casefile.Figure{Name: "geomean, " + unit, Unit: string(pageUnit(unit)), Before: pointStat(g.Old),
		After: pointStat(g.New), P: 1,
		Note: strings.Join(g.Warnings, "; ")}
	if v := float64(g.Change); !math.IsNaN(v) {
		m.Effect = &casefile.Effect{Value: v, Low: v, High: v}
	}
	return m
}

// pointStat returns a value without an interval; nothing when it is not a number.
func pointStat(v Number) casefile.Stat {
	if v.isNaN() {
		return casefile.Stat{}
	}
	return casefile.Stat{Value: float64(v), Low: float64(v), High: float64(v), N: 1}
}

// pageUnit returns the unit in which a page writes a figure: for a unit that benchmarks report, the part before "/op".
func pageUnit(unit string) vitals.Unit {
	if u := vitals.Unit(unit); u.Known() {
		return u
	}
	switch what, _, _ := strings.Cut(unit, "/op"); what {
	case "sec":
		return vitals.Seconds
	case "B":
		return vitals.Bytes
	case "B/s":
		return vitals.BytesPerSecond
	}
	return vitals.Count
}
