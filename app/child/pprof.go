package child

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A Pprof is a server's net/http/pprof. A nil one has nothing to say. It keeps no connection open, which would be a
// goroutine in the server that is measured.
type Pprof struct{ target *instance.HTTP }

// FindPprof looks at the command's {pprof} and then at {port}, of a server that is ready; nil if neither serves it.
func FindPprof(ctx context.Context, p *Process) *Pprof {
	for _, addr := range []string{p.PprofAddr, p.Addr} {
		if addr == "" {
			continue
		}
		target, err := instance.NewHTTP("http://" + addr + "/debug/pprof/")
		if err != nil {
			continue
		}
		found := &Pprof{target}
		_, err = found.stats(ctx, findTime)
		// Of two ports one listens first. Without a wait for the other, servers on a busy machine had figures in a
		// third of the blocks.
		for began := time.Now(); addr == p.PprofAddr && errors.Is(err, syscall.ECONNREFUSED) &&
			time.Since(began) < findTime; {
			select {
			case <-ctx.Done():
				return nil
			case <-p.ended:
				return nil
			case <-time.After(50 * time.Millisecond):
			}
			_, err = found.stats(ctx, findTime)
		}
		if err == nil {
			return found
		}
	}
	return nil
}

var errNone = errors.New("the server does not serve net/http/pprof")

// CPU is a CPU profile of the next d.
func (p *Pprof) CPU(ctx context.Context, d time.Duration) ([]byte, error) {
	return p.capture(ctx, casefile.CPU, d)
}

// Heap is a heap profile.
func (p *Pprof) Heap(ctx context.Context) ([]byte, error) { return p.capture(ctx, casefile.Heap, 0) }

// Trace is an execution trace of the next d.
func (p *Pprof) Trace(ctx context.Context, d time.Duration) ([]byte, error) {
	return p.capture(ctx, casefile.Trace, d)
}

func (p *Pprof) capture(ctx context.Context, kind string, d time.Duration) ([]byte, error) {
	if p == nil {
		return nil, errNone
	}
	defer p.target.CloseIdle()
	got, err := p.target.Capture(ctx, kind, d)
	return got.Data, err // its room is free again when nobody holds the bytes
}

// MemStats are the numbers of runtime.MemStats.
type MemStats struct{ instance.MemStats }

// GC returns when the last cycle of the collector ended, in seconds since the process began at started, and the CPU
// time that the collector has taken by then, in seconds of all the CPU that the process may use. Both are 0 before the
// first.
//
// The runtime computes GCCPUFraction at the end of a cycle as the share of GOMAXPROCS × the time since it began
// (runtime/mgc.go, gcMarkTermination; idle marking left out), so that two readings give what it took between them.
func (m MemStats) GC(started time.Time) (at, spent float64) {
	if m.LastGC == 0 {
		return 0, 0
	}
	at = (m.LastGC - float64(started.UnixNano())) / 1e9
	return at, m.GCCPUFraction * at
}

// Bounds of waiting for pprof. To find it a port is asked that may be another protocol's and never answer. What was
// found answers in milliseconds, but on a machine that is short of CPU only after the requests that are still in work:
// 10 s were once not enough for a heap profile. Only a server that hangs is waited for that long.
const (
	findTime = 10 * time.Second
	readTime = time.Minute
)

// MemStats reads them.
func (p *Pprof) MemStats(ctx context.Context) (MemStats, error) { return p.stats(ctx, readTime) }

// ForceGC runs a collection and waits for its end.
func (p *Pprof) ForceGC(ctx context.Context) error {
	if p == nil {
		return errNone
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	defer p.target.CloseIdle()
	return p.target.ForceGC(ctx)
}

func (p *Pprof) stats(ctx context.Context, limit time.Duration) (MemStats, error) {
	if p == nil {
		return MemStats{}, errNone
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer p.target.CloseIdle()
	m, err := p.target.MemStats(ctx)
	return MemStats{m}, err
}
