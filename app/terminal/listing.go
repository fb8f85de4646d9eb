package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/listing"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/internal/number"
)

// coldRun is the longest run of lines that cost nothing which is printed whole: of a longer one both ends show where
// one is.
const coldRun = 8

// Listing prints functions with what each of their lines costs. Columns in which nothing stands are left out.
func (p *Printer) Listing(l *listing.Listing) {
	for i := range l.Functions {
		if i > 0 {
			fmt.Fprintln(p.W)
		}
		p.listed(l, &l.Functions[i])
	}
	if l.Left > 0 {
		fmt.Fprintln(p.W)
		p.Text("", fmt.Sprintf("%s more match; give more of the name.", number.Things(l.Left, "function")))
	}
}

func (p *Printer) listed(l *listing.Listing, f *listing.Function) {
	p.Text("", f.Name)
	p.Text("", shorten(f.File, p.Width))
	columns := columnsOf(l, f)
	for _, c := range columns {
		if c.explain != nil {
			p.Text(fmt.Sprintf("%-*s ", columnWidth, c.head), c.explain(l, &f.Total))
		}
	}
	if f.Note != "" {
		p.Text("", f.Note)
	}
	if !f.Source {
		p.Text("", "The source is not here as it was built: --source FOLDER names it.")
	}
	fmt.Fprintln(p.W)
	p.listedLine(columns, "", func(c column) string { return c.head })
	cold := 0
	for i := range f.Lines {
		line := &f.Lines[i]
		if next := runOfCold(f.Lines[i:]); cold >= coldRun/2 && next > coldRun/2 {
			if cold == coldRun/2 {
				p.listedLine(columns, "…", func(column) string { return "" })
			}
			cold++
			continue
		}
		if cold++; !line.Cold() {
			cold = 0
		}
		text := strconv.Itoa(line.Number) + " " + sourceText(line.Text)
		p.listedLine(columns, text, func(c column) string { return c.text(line) })
	}
}

// runOfCold is how many lines cost nothing from the first on.
func runOfCold(lines []listing.Line) (n int) {
	for n < len(lines) && lines[n].Cold() {
		n++
	}
	return n
}

// sourceText is a line as it is printed: a tab is four columns, or a function would not fit beside its figures.
func sourceText(line string) string {
	return render.Plain(strings.ReplaceAll(strings.TrimRight(line, " \t\r"), "\t", "    "))
}

const columnWidth = 8

func (p *Printer) listedLine(columns []column, text string, cell func(column) string) {
	var b strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&b, "%*s ", columnWidth, cell(c))
	}
	b.WriteString(text)
	fmt.Fprintln(p.W, strings.TrimRight(Clip(b.String(), p.Width), " "))
}

// A column is a figure of each line.
type column struct {
	head    string
	text    func(*listing.Line) string
	explain func(l *listing.Listing, total *listing.Line) string // nil: the one before says it
}

// columnsOf are those in which something stands.
func columnsOf(l *listing.Listing, f *listing.Function) (out []column) {
	add := func(m heat.Measure, head string, of func(*listing.Line) heat.Cost, explain string, text func(float64) string) {
		total := l.Totals[m]
		value := func(line *listing.Line) string {
			if v := of(line)[m] * total.Value; v > 0 {
				return text(v)
			}
			return "."
		}
		if f.Total.Cost[m] == 0 {
			return
		}
		c := column{head: head, text: value}
		if explain != "" {
			c.explain = func(_ *listing.Listing, t *listing.Line) string {
				return fmt.Sprintf("%s: %s of %s (%s)", explain, text(t.Cost[m]*total.Value), text(total.Value),
					number.Share(t.Cost[m]))
			}
		}
		out = append(out, c)
	}
	own := func(l *listing.Line) heat.Cost { return l.Own }
	all := func(l *listing.Line) heat.Cost { return l.Cost }
	seconds := func(ns float64) string { return short(number.Seconds(ns / 1e9)) }
	bytes := func(v float64) string { return short(number.Bytes(v)) }
	add(heat.CPU, "own CPU", own, "", seconds)
	add(heat.CPU, "CPU", all, "CPU, with what is called there", seconds)
	add(heat.AllocBytes, "made", all, "allocated, live or not", bytes)
	add(heat.LiveBytes, "live", all, "allocated there and in use", bytes)
	add(heat.Wait, "waits", all, "waiting for locks and channels, or making others wait", seconds)
	if f.Total.Goroutines > 0 {
		out = append(out, column{"now", func(l *listing.Line) string {
			if l.Goroutines == 0 {
				return "."
			}
			return number.Count(float64(l.Goroutines))
		}, func(l *listing.Listing, t *listing.Line) string {
			return fmt.Sprintf("goroutines there when the profile was taken: %s of %s", number.Count(float64(t.Goroutines)),
				number.Count(float64(l.Goroutines)))
		}})
	}
	return out
}

// short is a figure without the space before its unit, for a column.
func short(s string) string { return strings.Replace(s, " ", "", 1) }
