package tables

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/internal/number"
)

const newTitle = "new and make: what stays in its function, and what escapes"

func newTable(ctx context.Context, p pace) (Table, error) {
	rs, err := p.compare(ctx, []matchup{stays(), staysOf("32 of unknown length", 32),
		staysOf("64 of unknown length", 64), escapes()})
	return Table{
		Name:  "new",
		Title: newTitle,
		Text: "CPU time, collecting included, to get 64 bytes with a message written into them: by a variable, by " +
			"new and by make, where they stay in the function that made them and where they escape; and by make of a " +
			"length that is known only at run time.",
		Columns: matchupColumns("bytes"), Rows: rs.rows(),
		Said:  "The article: memory leaves the stack by make and new.",
		Holds: newHolds(rs),
		Note: "It is not new or make that puts something on the heap, but that it outlives its function or that its " +
			"size is not known. `go build -gcflags=-m` says which, and why. Since Go 1.25 a slice of unknown length " +
			"has room for 32 bytes on the stack, and goes to the heap when it needs more.",
	}, err
}

const (
	newStays, newEscapes = "stays", "escapes"
	byVar, byNew, byMake = "var", "new", "make"
)

// newHolds says where objects came from by today's figures.
func newHolds(rs results) string {
	var heap []string
	for _, r := range rs {
		if r.objects > 0.5 {
			heap = append(heap, r.form+" ("+r.subject+")")
		}
	}
	stay := 0
	for _, form := range []string{byNew, byMake} {
		if rs.of(newStays, form).objects > 0.5 {
			stay++
		}
	}
	price := number.Digits(rs.of(newEscapes, byNew).cpu.median / max(0.001, rs.of(newStays, byNew).cpu.median))
	said := "Half true: what stays in its function costs no object, by new and make as by a variable"
	if stay > 0 {
		said = "True: new and make bring objects to the heap even where they stay in their function"
	}
	return fmt.Sprintf("%s. An object each: %s. What escapes takes %s times as long.", said, listed(heap), price)
}

// keptRoom is what escapes. The measurements run one after the other.
var keptRoom []byte

func stays() matchup {
	return matchup{subject: newStays, forms: []contestant{
		repeat(byVar, func(i int) uint64 { var b [64]byte; return write(b[:], i) }),
		repeat(byNew, func(i int) uint64 { b := new([64]byte); return write(b[:], i) }),
		repeat(byMake, func(i int) uint64 { return write(make([]byte, 64), i) }),
	}}
}

// staysOf makes room of a length that the compiler cannot see.
func staysOf(subject string, n int) matchup {
	length := hidden(n)
	return matchup{subject: subject, forms: []contestant{
		repeat("var, cut", func(i int) uint64 { var b [64]byte; return write(b[:length], i) }),
		repeat(byMake, func(i int) uint64 { return write(make([]byte, length), i) }),
	}}
}

func escapes() matchup {
	keep := func(b []byte, i int) uint64 {
		keptRoom = b
		return write(keptRoom, i)
	}
	return matchup{subject: newEscapes, forms: []contestant{
		repeat(byVar, func(i int) uint64 { var b [64]byte; return keep(b[:], i) }),
		repeat(byNew, func(i int) uint64 { return keep(new([64]byte)[:], i) }),
		repeat(byMake, func(i int) uint64 { return keep(make([]byte, 64), i) }),
	}}
}

//go:noinline
func hidden(n int) int { return n }
