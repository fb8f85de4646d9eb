package tables

import "context"

const deferTitle = "defer in a loop"

// deferred is how many things a call opens and closes.
const deferred = 1000

func deferTable(ctx context.Context, p pace) (Table, error) {
	rows, err := p.matchups(ctx, []matchup{{subject: "1,000 things", per: deferred, forms: []contestant{
		repeat("close in the loop", func(int) uint64 { return closeEach() }),
		repeat("a function with defer", func(int) uint64 { return deferEach() }),
		repeat("defer in the loop", func(int) uint64 { return deferAll() }),
	}}})
	return Table{
		Name:  "defer",
		Title: deferTitle,
		Text: "CPU time for one of 1,000 things that a function opens and closes: closed in the loop, by a defer in " +
			"a function that the loop calls, or by a defer in the loop itself, which runs when the outer function " +
			"ends. The last holds all things open until then.",
		Columns: matchupColumns("opened"), Rows: rows,
		Said:  "The article has it among the advice without proof.",
		Holds: deferHolds,
	}, err
}

// A door is what is opened and closed.
type door struct{ opened, closed uint64 }

//go:noinline
func (d *door) open() { d.opened++ }

//go:noinline
func (d *door) close() { d.closed += d.opened - d.closed }

//go:noinline
func closeEach() uint64 {
	var d door
	for range deferred {
		d.open()
		d.close()
	}
	return d.closed
}

//go:noinline
func deferEach() uint64 {
	var d door
	for range deferred {
		func() {
			d.open()
			defer d.close()
		}()
	}
	return d.closed
}

//go:noinline
func deferAll() uint64 {
	var d door
	openAll(&d)
	return d.closed
}

//go:noinline
func openAll(d *door) {
	for range deferred {
		d.open()
		defer d.close()
	}
}
