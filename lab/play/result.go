package play

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/tables"
)

// schema is the version of Report's JSON.
const schema = 1

// A Report is a run of the lab, as it is kept.
type Report struct {
	Schema  int            `json:"schema"`
	Tool    string         `json:"tool"`
	Machine string         `json:"machine"`
	Measure string         `json:"measure"` // how long each form was measured: "12s"
	Rows    []Result       `json:"rows"`
	Tables  []tables.Table `json:"tables,omitempty"`
	// where and when the tables were measured, and what others did meanwhile
	Measured string `json:"measured_tables,omitempty"`
}

// A Result is what became of a row.
type Result struct {
	Service  string  `json:"service"`
	Disease  string  `json:"disease"`
	Sick     string  `json:"sick"`
	Cure     string  `json:"cure"`
	Article  string  `json:"article,omitempty"`
	Reported float64 `json:"reported,omitempty"` // the article's ratio of the key figure after to before
	// the article's ratios of other figures
	Also    []lab.Reported `json:"also,omitempty"`
	Needs   string         `json:"needs,omitempty"` // what of Casebook is missing to see the disease
	Note    string         `json:"note,omitempty"`
	Taken   time.Time      `json:"taken"`
	Seconds float64        `json:"seconds"` // how long the row took
	// Machine and Tool, where another run played the row than the report's.
	Machine string `json:"machine,omitempty"`
	Tool    string `json:"tool,omitempty"`

	Opened   *Opened         `json:"opened,omitempty"`
	Findings []Finding       `json:"findings"` // of the sick form, in the diagnosis's order
	Cured    []Finding       `json:"cured"`    // of the cured form, 25 or more
	Proof    *casefile.Proof `json:"proof,omitempty"`
	Capacity *Capacity       `json:"capacity,omitempty"` // where the row asks for it
	Below    *Below          `json:"below,omitempty"`
	Loads    []Loaded        `json:"loads,omitempty"` // of the cured form, where the row asks for it
	// Goroutines is their median while each form was watched; nil where none was sampled.
	Goroutines *Goroutines `json:"goroutines,omitempty"`
	Cycles     *Cycles     `json:"cycles,omitempty"` // where the row asks for it
	Fixed      *Fixed      `json:"fixed,omitempty"`  // where casebook fix made the cure
	Kept       *prove.Kept `json:"kept,omitempty"`   // the wanted finding's promise, when it made one

	Fails []string `json:"fails,omitempty"` // what must hold and does not
	Error string   `json:"error,omitempty"` // why the row was not played to its end

	Others *Others `json:"others,omitempty"` // what the machine did meanwhile; nil where that is not known
	Unable string  `json:"unable,omitempty"` // what this machine lacks to play the row
}

// Name is the row's name.
func (r *Result) Name() string { return r.Service + "/" + r.Disease }

// Holds says whether all is as it must be.
func (r *Result) Holds() bool { return r.Error == "" && r.Unable == "" && len(r.Fails) == 0 }

// Limited says whether what does not hold may be the machine's fault: it shows nothing of the row.
func (r *Result) Limited() bool {
	return r.Unable != "" || r.Error == "" && len(r.Fails) > 0 && r.Others.why() != ""
}

// Opened is how the sick form's case came about.
type Opened struct {
	Rule    string  `json:"rule"`    // "" when none tripped in time and the case was taken by hand
	Text    string  `json:"text"`    //
	Seconds float64 `json:"seconds"` // from the ready sick form to the trip
}

// A Finding is the part of a casefile.Finding that the lab keeps.
type Finding struct {
	ID       string          `json:"id"`
	Kind     string          `json:"kind"`
	Title    string          `json:"title"`
	Score    int             `json:"score"`
	Function string          `json:"function,omitempty"` // the place to change
	Impact   casefile.Impact `json:"impact"`
}

// notable are the findings worth keeping.
func notable(all []casefile.Finding) []Finding {
	found := []Finding{}
	for _, f := range all {
		if f.Score < 25 {
			continue
		}
		n := Finding{ID: f.ID, Kind: f.Kind, Title: f.Title, Score: f.Score, Impact: f.Impact}
		if len(f.Where) > 0 {
			n.Function = f.Where[0].Function
		}
		found = append(found, n)
	}
	return found
}

func newResult(row Row) *Result {
	d := row.Disease
	return &Result{
		Service: row.Service.Name, Disease: d.Name, Sick: d.Sick, Cure: d.Cure, Article: d.Article,
		Reported: d.Reported, Also: d.Also,
		Needs: d.Want.Needs, Note: d.Note, Taken: time.Now().UTC(), Findings: []Finding{}, Cured: []Finding{},
	}
}

// Write keeps a report as JSON.
func (r *Report) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("writing the lab's results: %w", err)
	}
	return nil
}

// maxReport bounds the file that Read takes: a row is some 10 kB.
const maxReport = 64 << 20

// Read takes a report that Write kept.
func Read(r io.Reader) (Report, error) {
	var rep Report
	if err := json.NewDecoder(io.LimitReader(r, maxReport)).Decode(&rep); err != nil {
		return rep, fmt.Errorf("reading the lab's results: %w", err)
	}
	if rep.Schema != schema {
		return rep, fmt.Errorf("the lab's results have schema %d, this casebook reads %d: run the lab again",
			rep.Schema, schema)
	}
	return rep, nil
}

// With takes over the rows and tables of an earlier report that r has not, in the order of names.
func (r *Report) With(earlier Report, order []Row) {
	if len(r.Rows) == 0 && len(earlier.Rows) > 0 {
		r.Machine, r.Tool, r.Measure = earlier.Machine, earlier.Tool, earlier.Measure
	}
	rows := make(map[string]Result)
	for _, row := range earlier.Rows {
		row.Machine, row.Tool = cmp.Or(row.Machine, earlier.Machine), cmp.Or(row.Tool, earlier.Tool)
		if row.Machine == r.Machine && row.Tool == r.Tool {
			row.Machine, row.Tool = "", ""
		}
		rows[row.Name()] = row
	}
	for _, row := range r.Rows {
		rows[row.Name()] = row
	}
	r.Rows = r.Rows[:0:0]
	for _, row := range order {
		if res, ok := rows[row.Name()]; ok {
			r.Rows = append(r.Rows, res)
		}
	}
	if len(r.Tables) == 0 {
		r.Tables, r.Measured = earlier.Tables, earlier.Measured
	}
}

// A run is what one casebook played on one machine.
type run struct {
	machine, tool string
	rows          []Result
}

// runs are the rows by who played them, the earliest run first.
func (r *Report) runs() []run {
	var all []run
	for _, row := range r.Rows {
		machine, tool := cmp.Or(row.Machine, r.Machine), cmp.Or(row.Tool, r.Tool)
		i := slices.IndexFunc(all, func(a run) bool { return a.machine == machine && a.tool == tool })
		if i < 0 {
			all, i = append(all, run{machine: machine, tool: tool}), len(all)
		}
		all[i].rows = append(all[i].rows, row)
	}
	slices.SortStableFunc(all, func(a, b run) int {
		first, _ := span(a.rows)
		other, _ := span(b.rows)
		return first.Compare(other)
	})
	return all
}
