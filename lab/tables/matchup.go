package tables

import "context"

// A matchup is one piece of work in several forms, of which the first is what the others are compared with.
type matchup struct {
	subject string // "1,000 numbers"
	forms   []contestant
	per     int // how many things an operation is made of, each of which a figure is for; 0: one
}

// matchupColumns are those of the lines that matchups gives.
func matchupColumns(subject string) []string {
	return []string{subject, "form", "CPU", "bytes", "objects", "first"}
}

// matchups measures forms beside each other: CPU time, bytes and heap objects of each, and how many times of its CPU
// the first form takes.
func (p pace) matchups(ctx context.Context, all []matchup) ([][]string, error) {
	rs, err := p.compare(ctx, all)
	return rs.rows(), err
}

// A result is what one form took, for one of the things that its operations are made of.
type result struct {
	subject, form  string
	cpu            middle // ns
	bytes, objects float64
	first          middle // the CPU of the first form
}

type results []result

// compare measures as matchups does, and gives figures of which a sentence can be made.
func (p pace) compare(ctx context.Context, all []matchup) (results, error) {
	var rs results
	for _, m := range all {
		costs, err := p.measure(ctx, m.forms)
		if err != nil {
			return nil, err
		}
		per := max(m.per, 1)
		of := func(i int, figure func(cost) float64) middle { return middleOf(costs[i], figure).dividedBy(per) }
		for i, form := range m.forms {
			rs = append(rs, result{
				subject: m.subject, form: form.name, cpu: of(i, cpuOf), first: of(0, cpuOf),
				bytes:   of(i, func(c cost) float64 { return c.bytes }).median,
				objects: of(i, func(c cost) float64 { return c.allocs }).median,
			})
		}
	}
	return rs, nil
}

// rows are the lines of a table with matchupColumns.
func (rs results) rows() [][]string {
	var rows [][]string
	for _, r := range rs {
		rows = append(rows, []string{r.subject, r.form, r.cpu.timed(), size(r.bytes), amount(r.objects),
			ratio(r.first, r.cpu)})
	}
	return rows
}

// repeat is a contestant that does one thing n times and adds up what it returns.
func repeat(name string, once func(i int) uint64) contestant {
	return contestant{name, func(n int) (sum uint64, _ error) {
		for i := range n {
			sum += once(i)
		}
		return sum, nil
	}}
}
