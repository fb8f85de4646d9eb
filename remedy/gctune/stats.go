package gctune

// Stats are what a Tuner has done and what it knows, in bytes unless it says otherwise.
type Stats struct {
	Looks       uint64 // readings taken
	Changes     uint64 // of GOGC or GOMEMLIMIT or both
	ByReason    [reasons]uint64
	Collections uint64 // forced, because a process that allocates nothing does not collect on its own
	OverTarget  uint64 // looks at which memory was above the target
	Starved     uint64 // looks at which the collector took more than MaxGCShare and memory was at the ceiling
	Panics      uint64 // of Config.OnChange

	GOGC        int // percent; -1: off
	MemoryLimit int64
	Bound       string // the limit that is nearest
	Target      int64
	Used        int64 // of Target, by all that share the limit
	Others      int64 // of Used, not the Go runtime's, growth of the near future included
	Live        int64
	GCShare     float64 // of the available CPU, 0 to 1
	Relief      int64   // by how much memory may be above the target at present
}

// Stats reads the counters and the state as of the last look.
func (t *Tuner) Stats() Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stats
}

func (t *Tuner) count(f func(*Stats)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.stats)
}

// note keeps what a look has found.
func (t *Tuner) note(r *reading, d decision) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.stats
	s.Looks++
	if d.over {
		s.OverTarget++
	}
	if d.starved {
		s.Starved++
	}
	s.GOGC, s.MemoryLimit, s.Bound, s.Target = d.gogc, d.limit, d.bound.name, d.target
	s.Used, s.Others, s.Live, s.GCShare, s.Relief = d.bound.used, d.others, r.live, d.share, d.relief
}

// tell counts a change and reports it. A panic in OnChange does not end the service.
func (t *Tuner) tell(c Change) {
	t.count(func(s *Stats) { s.Changes++; s.ByReason[c.Reason]++ })
	if t.cfg.OnChange == nil {
		return
	}
	defer func() {
		if recover() != nil {
			t.count(func(s *Stats) { s.Panics++ })
		}
	}()
	t.cfg.OnChange(c)
}

func change(r *reading, d *decision) Change {
	return Change{
		Reason: d.reason, OldGOGC: r.gogc, GOGC: d.gogc, OldLimit: r.goLimit, Limit: d.limit,
		Bound: d.bound.name, BoundLimit: d.bound.limit, Target: d.target, Used: d.bound.used, Others: d.others,
		Live: r.live, Relief: d.relief, GCShare: d.share,
	}
}
