package largecopy

import "sync"

type row struct {
	id    uint64
	cells [64]byte
	body  []byte
}

type small struct{ a, b int }

func (r row) sum() uint64  { return r.id }
func (r *row) touch()      { r.id++ }
func (r row) total() int   { return len(r.body) }
func take(row)             {}
func keep(any)             {}
func (s small) value() int { return s.a }

func ranges(rows []row) (sum uint64) {
	for _, r := range rows { // want `each turn copies 96 bytes: range over the index`
		sum += r.id
	}
	return sum
}

func nested(rows []row) (n int) {
	for i, r := range rows { // want `each turn copies 96 bytes`
		if r.cells[i] > 0 && len(r.body) > 0 {
			n += int(r.body[0])
		}
	}
	return n
}

func passes(rows []row) {
	for _, r := range rows { // want `each turn copies 96 bytes`
		take(r) // want `to call take: make the parameter a pointer`
	}
}

func loses(rows []row) {
	for _, r := range rows { // want `a method with a pointer receiver works on a copy of 96 bytes`
		r.touch()
	}
}

var table [100]row

func arrays() (sum uint64) {
	for _, r := range table { // want `range copies the array's 9600 bytes first: range over its address`
		sum += r.id
	}
	for _, r := range &table { // want `each turn copies 96 bytes`
		sum += r.id
	}
	return sum
}

func indexed(rows []row, at []int) (sum uint64) {
	for _, i := range at {
		r := rows[i] // want `each turn copies 96 bytes: take the address`
		sum += r.id
	}
	return sum
}

func pointed(rows []*row) (sum uint64) {
	for _, p := range rows {
		r := *p // want `each turn copies 96 bytes: take the address`
		sum += r.id
	}
	return sum
}

func receivers(rows []row) (n int) {
	for i := range rows {
		n += rows[i].total() // want `each turn copies the 96 bytes of total's receiver: make it a pointer`
	}
	return n
}

// What follows is fine.

func index(rows []row) (sum uint64) {
	for i := range rows {
		sum += rows[i].id
	}
	for i := range rows {
		r := &rows[i]
		sum += r.id
	}
	for i := range table {
		sum += table[i].id
	}
	return sum
}

func changes(rows []row) {
	for _, r := range rows {
		r.id = 1
		take(r) // want `to call take: make the parameter a pointer`
	}
	for i, r := range rows {
		r.cells[0] = 2
		rows[i] = r
	}
}

func stores(rows []row, out chan row, m map[uint64]row) (all []row) {
	for _, r := range rows {
		all = append(all, r)
	}
	for _, r := range rows {
		out <- r
	}
	for _, r := range rows {
		m[r.id] = r
		keep(r)
	}
	return all
}

func captures(rows []row) (all []func() uint64) {
	for _, r := range rows {
		all = append(all, func() uint64 { return r.id })
	}
	return all
}

func maps(m map[string]row) (sum uint64) {
	for _, r := range m {
		sum += r.id
	}
	return sum
}

func smalls(s []small) (n int) {
	for _, v := range s {
		n += v.value()
	}
	return n
}

func pointers(rows []*row) (sum uint64) {
	for _, r := range rows {
		r.touch()
		sum += r.id
	}
	return sum
}

func swaps(rows []row) {
	for i := range rows {
		r := rows[i]
		rows[i] = rows[len(rows)-1-i]
		rows[len(rows)-1-i].id = r.id
	}
}

func clears() {
	for i, r := range table {
		table[i].id = r.id + 1
	}
}

func literal() (sum uint64) {
	for _, r := range []row{{id: 1}, {id: 2}} {
		sum += r.id
	}
	return sum
}

func generic[T any](all []struct {
	key   T
	cells [64]byte
}) (n int) {
	for _, v := range all {
		n += int(v.cells[0])
	}
	return n
}

func once(r row) uint64 { return r.sum() }

type guarded struct {
	sync.Mutex
	rows []row
}

func (g *guarded) first() (id uint64) {
	for {
		r := g.rows[0]
		return r.id
	}
}
