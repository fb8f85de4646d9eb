package fieldorder

import "time"

type loose struct { // 40 bytes, 24 ordered
	a bool
	n int64
	b bool
	m int64
	c bool
}

type tight struct {
	n, m    int64
	a, b, c bool
}

type rounded struct { // 72 and 64 bytes
	a    bool
	n    int64
	b    bool
	rest [6]int64
}

type sameClass struct { // 128 and 120 bytes, for which the allocator takes 128
	a    bool
	n    int64
	b    bool
	rest [13]int64
}

type pair[T any] struct {
	a bool
	v T
	b bool
}

func one() *loose { return &loose{n: 1} } // want `loose has 40 bytes and would have 24`

func byNew() *rounded { return new(rounded) } // want `rounded has 72 bytes and would have 64`

func several(n int) []loose { return make([]loose, n) } // want `loose has 40 bytes and would have 24`

func manySame(n int) []sameClass { return make([]sameClass, 0, n) } // want `sameClass has 128 bytes and would have 120`

// What follows is fine.

func good() *tight { return &tight{} }

func inOneClass() *sameClass { return &sameClass{} }

func value() loose { return loose{} }

func generic() *pair[int] { return &pair[int]{} }

func foreign() *time.Timer { return new(time.Timer) }

var global = &loose{}

type wide struct { // 1,024 and 1,016 bytes: less than a sixteenth
	a    bool
	n    int64
	b    bool
	rest [125]int64
}

func many(n int) []wide { return make([]wide, n) }

// A header is in the order of the wire: literals without names say so.
type header struct {
	version byte
	length  int64
	kind    byte
	sum     int64
	flags   byte
}

func newHeader(n int64) *header { return &header{1, n, 2, 0, 3} }

func emptyHeader() *header { return new(header) }
