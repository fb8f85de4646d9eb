package cache

// Range calls yield for each entry that is within its lifetime, except for negative ones, in no order, until it is
// false. No lock is held: yield may call the cache. An entry that is there all the time is visited once; an entry that
// is added or removed meanwhile may be. It needs 8 bytes per entry of one shard at a time. As a function of yield, it
// works with the range clause:
//
//	for key, value := range c.Range {
func (c *Cache[K, V]) Range(yield func(K, V) bool) {
	for i := range c.shards {
		for _, r := range c.shards[i].records() {
			if c.judge(r, r.header(), 0) != present {
				continue
			}
			key, keyErr := c.keys.decode(r.key())
			value, valueErr := c.values.decode(r.value())
			if keyErr != nil || valueErr != nil {
				c.counts.undecodable.Add(1)
				continue
			}
			if !yield(key, value) {
				return
			}
		}
	}
}

// records are all of a shard, expired ones among them.
func (s *shard) records() []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.index.Load()
	records := make([]record, 0, t.count)
	for i := range t.words {
		if w := t.load(i); w != 0 {
			records = append(records, s.memory.keep(s.dir.at(w.place())))
		}
	}
	return records
}
