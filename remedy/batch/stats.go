package batch

// Stats are counts since New, and what is there now. Items / Flushes is how many small operations became one.
type Stats struct {
	Items   uint64 // taken
	Flushes uint64 // calls of Flush
	// Items that Flush returned an error for, or that Stop refused after they were accepted; for Call, see its Err.
	Failed    uint64
	Withdrawn uint64 // items whose context was done before they were flushed
	Abandoned uint64 // items whose context was done while they were flushed
	Waited    uint64 // items that found the queue full
	Panics    uint64 // calls of Flush that panicked or ended their goroutine, and panics of OnError

	Pending  int // items that wait for their flush now
	InFlight int // items that are being flushed now
}

// Stats returns the counts. It costs a lock and no allocation.
func (b *Batcher[T]) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.stats
	s.Pending, s.InFlight = b.pending.items, b.inFlight
	return s
}
