package child

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Pprof is a server's net/http/pprof. A nil one has nothing to say.
type Pprof struct {
	url    string // of the index, with a slash at its end
	client *http.Client
}

// FindPprof looks at the command's {pprof} and then at {port}, of a server that is ready; nil if neither serves it.
func FindPprof(ctx context.Context, p *Process) *Pprof {
	for _, addr := range []string{p.PprofAddr, p.Addr} {
		if addr == "" {
			continue
		}
		found := &Pprof{"http://" + addr + "/debug/pprof/",
			&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		_, err := found.stats(ctx, findTime)
		// Of two ports one listens first. Without a wait for the other, servers on a busy machine had figures in a
		// third of the blocks.
		for began := time.Now(); addr == p.PprofAddr && errors.Is(err, syscall.ECONNREFUSED) && time.Since(began) < findTime; {
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

// Get reads a page, at most the size of evidence that package stacks takes.
func (p *Pprof) Get(ctx context.Context, query string, limit time.Duration) ([]byte, error) {
	if p == nil {
		return nil, errors.New("the server does not serve net/http/pprof")
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+query, nil)
	if err != nil {
		return nil, fmt.Errorf("asking for %s: %w", query, err)
	}
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking for %s: %w", query, err)
	}
	defer resp.Body.Close() // it was only read
	data, err := io.ReadAll(io.LimitReader(resp.Body, stacks.MaxFile))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", query, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("asking for %s: the server answers %s", query, resp.Status)
	}
	return data, nil
}

// MemStats are the numbers of runtime.MemStats that the figures are made of.
type MemStats struct {
	Mallocs, TotalAlloc   float64
	HeapObjects           float64
	NumGC                 float64
	LastGC, GCCPUFraction float64 // ns since 1970; share of the available CPU since the process began, as of LastGC
}

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
	ReadTime = time.Minute
)

// MemStats reads them.
func (p *Pprof) MemStats(ctx context.Context) (MemStats, error) { return p.stats(ctx, ReadTime) }

// ForceGC runs a collection and waits for its end.
func (p *Pprof) ForceGC(ctx context.Context) error {
	_, err := p.Get(ctx, "heap?gc=1", ReadTime)
	return err
}

func (p *Pprof) stats(ctx context.Context, limit time.Duration) (MemStats, error) {
	data, err := p.Get(ctx, "heap?debug=1", limit)
	if err != nil {
		return MemStats{}, err
	}
	set, err := stacks.NewTable("").Read(stacks.Source{Name: "heap?debug=1"}, data)
	if err != nil {
		return MemStats{}, fmt.Errorf("reading heap?debug=1: %w", err)
	}
	m := MemStats{
		Mallocs: set.Stats["Mallocs"], TotalAlloc: set.Stats["TotalAlloc"], HeapObjects: set.Stats["HeapObjects"],
		NumGC: set.Stats["NumGC"], LastGC: set.Stats["LastGC"], GCCPUFraction: set.Stats["GCCPUFraction"],
	}
	if m.Mallocs == 0 {
		return m, errors.New("heap?debug=1 does not end in runtime.MemStats")
	}
	return m, nil
}
