// Package pprofweb shows a profile in google/pprof's own pages.
//
// The problem: its web interface is what many people know best, but it is made for one person on their own machine. It
// shows that machine's source files (/source), disassembles its binaries, runs Graphviz, saves settings in the home
// directory, looks for binaries where a profile says they are, and keeps its configuration in variables of the package.
// The approach: its driver is started with a profile that is parsed already and with plugins that open, fetch and write
// nothing (driver.go). Of the handlers that it offers three are ever called, see Names; what leads to the others is cut
// out of the pages (page.go). One page is made at a time, because of those variables, and because each page parses the
// profile anew.
//
// Who asks waits for some time at most, and not when the browser has left. pprof itself cannot be interrupted while it adds
// up a profile: what nobody waits for any more ends at the next step, before it is parsed, added up, or written.
//
// The limits: profiles that need more memory than a page may take are refused. A few stay mounted; the others are
// mounted again when they are asked for, since a page's address says all about it.
package pprofweb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/room"
)

// Names are the pages that there are.
func Names() []string { return []string{"flamegraph", "top", "peek"} }

// What Pages.Write answers when it has no page.
var (
	ErrNoPage   = errors.New("there is no such page")
	ErrRefused  = errors.New("pprof does not show that")
	ErrTooLarge = errors.New("too large to be shown by pprof here")
	ErrSlow     = errors.New("pprof takes too long for this page; download the profile, or ask for less of it")
)

// A Request asks for one page.
type Request struct {
	Key   string // of the profile: equal keys are equal bytes
	Page  string // one of Names
	Query string // of the address, in pprof's own parameters
	// Load reads the profile. It is called when the profile is not mounted.
	Load func(ctx context.Context) ([]byte, error)
}

// Bounds of what stays mounted, and of one request.
const (
	// maxNeeded is the memory that a page may take, in bytes, if so much may be parsed. It also bounds the time, since
	// pprof cannot be interrupted while it adds up: a profile of 15,000 stacks and 20,000 functions, which needs two thirds of it, took 8 s
	// for top and 11 s for peek on a busy machine.
	maxNeeded   = 512 << 20
	maxMounted  = 4
	mountedPart = 8       // what is mounted takes one part in so many of what may be parsed
	maxQuery    = 4 << 10 // bytes

	patience = 30 * time.Second // of who asks, for its turn and its page
)

// Pages makes pages.
type Pages struct {
	gate     room.Gate
	mounted  []*mount // the last one was used last; whoever is in gate may use it
	patience time.Duration
}

// New returns Pages of which none is mounted.
func New() *Pages { return &Pages{gate: room.NewGate(), patience: patience} }

// Write writes a page. It waits for its turn.
func (p *Pages) Write(ctx context.Context, w io.Writer, r Request) error {
	if !slices.Contains(Names(), r.Page) {
		return ErrNoPage
	}
	if len(r.Query) > maxQuery {
		return fmt.Errorf("%w: what is asked for has %d bytes, more than %d", ErrRefused, len(r.Query), maxQuery)
	}
	type made struct {
		page []byte
		err  error
	}
	within, cancel := context.WithTimeoutCause(ctx, p.patience, ErrSlow)
	defer cancel()
	done := make(chan made, 1)
	go func() { // who asks may leave before it ends
		var m made
		if waited := p.gate.Do(within, func() { m.page, m.err = p.page(within, r) }); waited != nil {
			m.err = waited
		}
		done <- m
	}()
	select {
	case m := <-done:
		switch {
		case m.err == nil:
			_, m.err = w.Write(m.page)
		case within.Err() != nil:
			m.err = context.Cause(within)
		}
		return m.err
	case <-within.Done():
		return context.Cause(within)
	}
}

func (p *Pages) page(ctx context.Context, r Request) ([]byte, error) {
	m, err := p.mount(ctx, r)
	if err != nil {
		return nil, err
	}
	return m.page(ctx, r.Page, r.Query)
}

// mount finds a profile, or mounts it.
func (p *Pages) mount(ctx context.Context, r Request) (*mount, error) {
	at := slices.IndexFunc(p.mounted, func(m *mount) bool { return m.key == r.Key })
	if at >= 0 {
		m := p.mounted[at]
		p.mounted = append(slices.Delete(p.mounted, at, at+1), m)
		return m, nil
	}
	data, err := r.Load(ctx)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	m, err := newMount(r.Key, data)
	if err != nil {
		return nil, err
	}
	p.mounted = append(p.mounted, m)
	p.evict(room.Parsing() / mountedPart)
	return m, nil
}

// evict unmounts those that were not used for longest, until there are few and they take at most so many bytes. The
// last one stays.
func (p *Pages) evict(most int64) {
	held := int64(0)
	for _, m := range p.mounted {
		held += m.bytes
	}
	for len(p.mounted) > 1 && (len(p.mounted) > maxMounted || held > most) {
		held -= p.mounted[0].bytes
		p.mounted = slices.Delete(p.mounted, 0, 1)
	}
}
