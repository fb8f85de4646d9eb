package cache

// A memory gives segments their words.
type memory struct{}

// take makes room for so many words.
func (m *memory) take(words int) []uint64 { return make([]uint64, words) }

// give takes the words of a segment back. Go's memory is left to the collector, for strings may point into it.
func (m *memory) give([]uint64) {}

// keep makes a record outlive its segment. In Go's memory it does anyway.
func (m *memory) keep(r record) record { return r }
