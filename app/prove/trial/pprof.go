package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/prove/child"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A pprof is a server's net/http/pprof. A nil one has nothing to say.
type pprof struct {
	url    string // of the index, with a slash at its end
	client *http.Client
}

// findPprof looks at the command's {pprof} and then at the port that is loaded.
func findPprof(ctx context.Context, p *child.Process) *pprof {
	for _, addr := range []string{p.PprofAddr, p.Addr} {
		if addr == "" {
			continue
		}
		found := &pprof{"http://" + addr + "/debug/pprof/", &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		if _, err := found.stats(ctx, findTime); err == nil {
			return found
		}
	}
	return nil
}

// get reads a page, at most the size of evidence that package stacks takes.
func (p *pprof) get(ctx context.Context, query string, limit time.Duration) ([]byte, error) {
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

// memStats are the numbers of runtime.MemStats that the figures are made of.
type memStats struct {
	Mallocs, TotalAlloc   float64
	LastGC, GCCPUFraction float64 // ns since 1970; share of the available CPU since the process began, as of LastGC
}

// Bounds of waiting for pprof. To find it a port is asked that may be another protocol's and never answer. What was found
// answers in milliseconds, but on a machine that is short of CPU only after the requests that are still in work: 10 s were once
// not enough for a heap profile. Only a server that hangs is waited for that long.
const (
	findTime = 10 * time.Second
	readTime = time.Minute
)

// memStats reads them; all are 0 when they cannot be had.
func (p *pprof) memStats(ctx context.Context) memStats {
	m, err := p.stats(ctx, readTime)
	if err != nil {
		return memStats{}
	}
	return m
}

func (p *pprof) stats(ctx context.Context, limit time.Duration) (memStats, error) {
	data, err := p.get(ctx, "heap?debug=1", limit)
	if err != nil {
		return memStats{}, err
	}
	set, err := stacks.NewTable("").Read(stacks.Source{Name: "heap?debug=1"}, data)
	if err != nil {
		return memStats{}, fmt.Errorf("reading heap?debug=1: %w", err)
	}
	m := memStats{set.Stats["Mallocs"], set.Stats["TotalAlloc"], set.Stats["LastGC"], set.Stats["GCCPUFraction"]}
	if m.Mallocs == 0 {
		return m, errors.New("heap?debug=1 does not end in runtime.MemStats")
	}
	return m, nil
}
