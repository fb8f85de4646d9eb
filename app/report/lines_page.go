package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/listing"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A LinesInput is what the page of a function's lines is made of.
type LinesInput struct {
	Case     casefile.Case
	Function string // that was asked for
	Listing  *listing.Listing
	Note     string   // why the source cannot be read
	Hot      []string // the program's own functions that cost most
}

// A linesPage is what its template sees.
type linesPage struct {
	caseHead
	Function  string
	Functions []listedFunction
	Left      int
	Note      string
	Places    []link // of the findings
	Hot       []link
}

// A listedFunction is a function with its lines.
type listedFunction struct {
	Symbol  symbol
	File    string
	Note    string
	Columns []string
	Total   []heatCell
	Lines   []listedLine
	Text    bool // of lines is known
}

// A listedLine is a line with what it costs, by column.
type listedLine struct {
	Number int
	Text   string
	Cells  []heatCell
	Cold   bool
}

// A heatCell is the share of a line of what a column measures; empty where there is none.
type heatCell struct {
	Text  string
	Share float64
}

// A heatColumn is a column of the page.
type heatColumn struct {
	name string
	of   func(*listing.Listing, *listing.Line) heatCell
}

// lineColumns are all, in the order of the page.
var lineColumns = []heatColumn{{"CPU", shareOf(heat.CPU)}, {"garbage", shareOf(heat.AllocBytes)},
	{"live bytes", shareOf(heat.LiveBytes)}, {"waiting", shareOf(heat.Wait)}, {"goroutines", goroutinesAt}}

func shareOf(m heat.Measure) func(*listing.Listing, *listing.Line) heatCell {
	return func(_ *listing.Listing, l *listing.Line) heatCell {
		if share := l.Cost[m]; share > 0 {
			return heatCell{percent(share), share}
		}
		return heatCell{}
	}
}

func goroutinesAt(l *listing.Listing, line *listing.Line) heatCell {
	if line.Goroutines == 0 {
		return heatCell{}
	}
	return heatCell{number.Count(float64(line.Goroutines)), float64(line.Goroutines) / float64(max(l.Goroutines, 1))}
}

// WriteLines writes the page of a function: its source with what each line costs, in all profiles of the case.
func WriteLines(w io.Writer, in LinesInput) error {
	if err := execute(w, "lines-page", tableTemplates, newLinesPage(in)); err != nil {
		return fmt.Errorf("writing the page of lines of case %q: %w", in.Case.ID, err)
	}
	return nil
}

func newLinesPage(in LinesInput) *linesPage {
	p := &linesPage{caseHead: newCaseHead(in.Case, "lines", "Lines"), Function: in.Function, Left: in.Listing.Left,
		Note: in.Note, Places: placesToList(&in.Case, in.Function)}
	for _, name := range in.Hot {
		at := linesURL(in.Case.ID, name)
		if !slices.ContainsFunc(p.Places, func(l link) bool { return l.URL == at }) {
			p.Hot = append(p.Hot, link{Text: splitSymbol(name).Name, URL: at, Here: name == in.Function})
		}
	}
	excerpts := excerptsOf(&in.Case)
	for i := range in.Listing.Functions {
		p.Functions = append(p.Functions, listed(in.Listing, &in.Listing.Functions[i], excerpts))
	}
	// the one that was asked for, before those that have its name in theirs
	asked := splitSymbol(in.Function)
	slices.SortStableFunc(p.Functions, func(a, b listedFunction) int {
		return cmp.Compare(btoi(b.Symbol == asked), btoi(a.Symbol == asked))
	})
	return p
}

// listed has the columns in which something stands. Lines without source have that of the findings, where these know
// it.
func listed(l *listing.Listing, f *listing.Function, excerpts map[sourceLine]string) listedFunction {
	out := listedFunction{Symbol: splitSymbol(f.Name), File: f.File, Note: f.Note, Text: f.Source}
	var shown []heatColumn
	for _, c := range lineColumns {
		if c.of(l, &f.Total).Text != "" {
			shown, out.Columns = append(shown, c), append(out.Columns, c.name)
		}
	}
	cells := func(line *listing.Line) (row []heatCell) {
		for _, c := range shown {
			row = append(row, c.of(l, line))
		}
		return row
	}
	out.Total = cells(&f.Total)
	for k := range f.Lines {
		line := &f.Lines[k]
		row := listedLine{Number: line.Number, Text: line.Text, Cells: cells(line), Cold: line.Cold()}
		if !f.Source {
			row.Text = excerpts[sourceLine{f.File, line.Number}]
			out.Text = out.Text || row.Text != ""
		}
		out.Lines = append(out.Lines, row)
	}
	return out
}

// A sourceLine is a line that a finding of the case has the source of.
type sourceLine struct {
	file string
	line int
}

func excerptsOf(c *casefile.Case) map[sourceLine]string {
	all := make(map[sourceLine]string)
	for i := range c.Findings {
		for _, at := range c.Findings[i].Where {
			if at.Source == nil {
				continue
			}
			for k, text := range at.Source.Lines {
				all[sourceLine{at.File, at.Source.First + k}] = text
			}
		}
	}
	return all
}

// maxListedPlaces bounds the functions to choose from.
const maxListedPlaces = 12

// placesToList are the functions of the findings, each once.
func placesToList(c *casefile.Case, here string) (out []link) {
	seen := make(map[string]bool)
	for i := range c.Findings {
		for _, at := range c.Findings[i].Where {
			if at.Function == "" || seen[at.Function] || len(out) == maxListedPlaces {
				continue
			}
			seen[at.Function] = true
			out = append(out, link{Text: splitSymbol(at.Function).Name, URL: linesURL(c.ID, at.Function),
				Here: at.Function == here})
		}
	}
	return out
}

func linesURL(id, function string) string { return evidenceURL(id, "lines", "function", function) }

// FirstPlace is the function that a case's page of lines begins with; empty for none.
func FirstPlace(c *casefile.Case) string {
	for i := range c.Findings {
		for _, at := range c.Findings[i].Where {
			if at.Function != "" {
				return at.Function
			}
		}
	}
	return ""
}
