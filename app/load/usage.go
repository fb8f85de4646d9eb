package load

import (
	"runtime"
	"time"
)

// A Usage is the CPU of a run.
type Usage struct {
	Seconds float64 `json:"seconds"` // of CPU that the generator's process used; 0 if unknown
	// Generator and Machine are shares (0–1) of all CPUs' time: of the generator's process, and of everybody on the
	// machine. Machine is 0 if unknown.
	Generator float64 `json:"generator"`
	Machine   float64 `json:"machine"`
}

// A meter measures a Usage from its start.
type meter struct {
	began      time.Time
	own        time.Duration
	busy, idle float64 // of the machine, in any unit
}

func startMeter() meter {
	m := meter{began: time.Now(), own: processCPU()}
	m.busy, m.idle = machineCPU()
	return m
}

func (m meter) stop() Usage {
	u := Usage{Seconds: (processCPU() - m.own).Seconds()}
	if elapsed := time.Since(m.began).Seconds(); elapsed > 0 {
		u.Generator = u.Seconds / elapsed / float64(runtime.NumCPU())
	}
	busy, idle := machineCPU()
	if all := busy - m.busy + idle - m.idle; all > 0 {
		u.Machine = (busy - m.busy) / all
	}
	return u
}
