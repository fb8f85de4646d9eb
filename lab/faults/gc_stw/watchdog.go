package gc_stw

import (
	"context"
	"runtime"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Watchdog looks at the goroutines of a service with many sessions.
type Watchdog struct {
	sessions int
	dumps    bool
	buffer   []byte
}

// look is how the watchdog sees whether too much is going on.
func (d *Watchdog) look() int {
	if d.dumps {
		return runtime.Stack(d.buffer, true)
	}
	return runtime.NumGoroutine()
}

func (d *Watchdog) run(ctx context.Context) {
	for range d.sessions {
		go func() { <-ctx.Done() }() // a session that waits for its next message
	}
	for ctx.Err() == nil {
		d.look()
		select {
		case <-ctx.Done():
		case <-time.After(250 * time.Millisecond):
		}
	}
}

func watchdog(sessions int, dumps bool) faults.Service {
	d := &Watchdog{sessions: sessions, dumps: dumps, buffer: make([]byte, 64<<20)}
	return faults.Service{Background: d.run}
}

// Dump is the kind by who asks for stops.
func Dump() faults.Fault {
	return faults.Fault{
		Kind: "gc-stw", Name: "gc-stw-dump", Text: "all stacks are dumped four times a second, with 10,000 sessions",
		Culprit:  "gc_stw.(*Watchdog).look",
		Faulty:   func() faults.Service { return watchdog(10_000, true) },
		Repaired: func() faults.Service { return watchdog(10_000, false) },
		Limit:    func() faults.Service { return watchdog(800, true) },
		Trace:    true,
	}
}
