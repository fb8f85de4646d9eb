package prove

import (
	"fmt"
	"time"
)

// Usage is what a process used over a stretch of time.
type Usage struct {
	Seconds    float64 // how long the stretch was
	CPUSeconds float64 // user and system time in it, of all threads, those that ended included
	RSS        int64   // bytes resident at its end
	PeakRSS    int64   // the most that was ever resident since the process started, in bytes (VmHWM)
	Threads    int     // at its end
}

// A Sampler reads the figures of one process, stretch by stretch. It is not safe for concurrent use.
type Sampler struct {
	pid  int
	last reading
}

// A reading is the figures of a process at one moment.
type reading struct {
	at           time.Time
	started      uint64  // since boot, in clock ticks: distinguishes the process from a later one with the same PID
	cpu          float64 // seconds since the process started
	rss, peakRSS int64   // bytes
	threads      int
}

// NewSampler returns a sampler whose first stretch begins now. It fails where the system has no /proc, and when the
// process is not there.
func NewSampler(pid int) (*Sampler, error) {
	r, err := readProcess(pid)
	if err != nil {
		return nil, fmt.Errorf("reading the figures of process %d: %w", pid, err)
	}
	return &Sampler{pid: pid, last: r}, nil
}

// Next returns the figures since the call before, or since NewSampler.
func (s *Sampler) Next() (Usage, error) {
	r, err := readProcess(s.pid)
	if err != nil {
		return Usage{}, fmt.Errorf("reading the figures of process %d: %w", s.pid, err)
	}
	if r.started != s.last.started {
		return Usage{}, fmt.Errorf("process %d has ended: its number belongs to another process now", s.pid)
	}
	u := Usage{
		Seconds:    r.at.Sub(s.last.at).Seconds(),
		CPUSeconds: max(r.cpu-s.last.cpu, 0),
		RSS:        r.rss,
		PeakRSS:    r.peakRSS,
		Threads:    r.threads,
	}
	s.last = r
	return u, nil
}
