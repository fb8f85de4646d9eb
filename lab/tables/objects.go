package tables

import (
	"bytes"
	"context"
)

const objectsTitle = "Fewer objects: merged, by value, captured together, with a buffer inside"

func objectsTable(ctx context.Context, p pace) (Table, error) {
	rows, err := p.matchups(ctx, []matchup{mergedObjects(), bufferByValue(), loopVariables(), innerBuffer()})
	return Table{
		Name:  "objects",
		Title: objectsTitle,
		Text: "CPU time, collecting included, to make: a record of three parts, each an object or all in one; a " +
			"struct with a *bytes.Buffer or a bytes.Buffer, into which 16 bytes are written; a closure that keeps " +
			"two variables of a loop, each by itself or in one struct; a record with a buffer made for 16 bytes, or " +
			"with an array of 16 inside. All of them escape.",
		Columns: matchupColumns("made"), Rows: rows,
		Said:  "The article advises all four, without figures.",
		Holds: objectsHolds,
	}, err
}

type (
	place struct{ latitude, longitude float64 }
	price struct{ amount, digits int64 }
	owner struct{ id, since int64 }
	parts struct {
		place *place
		price *price
		owner *owner
	}
	merged struct {
		place place
		price price
		owner owner
	}
)

// What escapes is kept here for as long as a loop takes, so that the compiler cannot leave it out. The measurements run
// one after the other.
var (
	keptParts   *parts
	keptMerged  *merged
	keptPointer *withPointer
	keptValue   *withValue
	keptFunc    func() uint64
	keptRecord  *record
	keptInner   *recordWithArray
)

func mergedObjects() matchup {
	return matchup{subject: "record", forms: []contestant{
		repeat("three parts", func(i int) uint64 {
			keptParts = &parts{&place{float64(i), 1}, &price{int64(i), 2}, &owner{int64(i), 3}}
			return uint64(keptParts.price.amount + keptParts.owner.since)
		}),
		repeat("all in one", func(i int) uint64 {
			keptMerged = &merged{place{float64(i), 1}, price{int64(i), 2}, owner{int64(i), 3}}
			return uint64(keptMerged.price.amount + keptMerged.owner.since)
		}),
	}}
}

type (
	withPointer struct{ b *bytes.Buffer }
	withValue   struct{ b bytes.Buffer }
)

var sixteen = []byte("sixteen bytes...")

func bufferByValue() matchup {
	return matchup{subject: "buffer", forms: []contestant{
		repeat("*bytes.Buffer", func(int) uint64 {
			keptPointer = &withPointer{new(bytes.Buffer)}
			keptPointer.b.Write(sixteen)
			return uint64(keptPointer.b.Len())
		}),
		repeat("bytes.Buffer", func(int) uint64 {
			keptValue = new(withValue)
			keptValue.b.Write(sixteen)
			return uint64(keptValue.b.Len())
		}),
	}}
}

// loopVariables captures two variables that change after the closure was made, so that it cannot keep copies of them.
func loopVariables() matchup {
	return matchup{subject: "closure", forms: []contestant{
		repeat("two variables", func(i int) uint64 {
			key, value := uint64(i), uint64(2)
			keptFunc = func() uint64 { return key + value }
			key, value = key+1, value+1
			return keptFunc()
		}),
		repeat("one struct", func(i int) uint64 {
			x := struct{ key, value uint64 }{uint64(i), 2}
			keptFunc = func() uint64 { return x.key + x.value }
			x.key, x.value = x.key+1, x.value+1
			return keptFunc()
		}),
	}}
}

type (
	record          struct{ buf []byte }
	recordWithArray struct {
		buf   []byte
		array [16]byte
	}
)

func innerBuffer() matchup {
	return matchup{subject: "first buffer", forms: []contestant{
		repeat("make", func(int) uint64 {
			keptRecord = &record{buf: make([]byte, 0, 16)}
			keptRecord.buf = append(keptRecord.buf, sixteen...)
			return uint64(len(keptRecord.buf))
		}),
		repeat("array inside", func(int) uint64 {
			keptInner = new(recordWithArray)
			keptInner.buf = append(keptInner.array[:0], sixteen...)
			return uint64(len(keptInner.buf))
		}),
	}}
}
