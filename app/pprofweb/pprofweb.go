// Package pprofweb shows a profile in google/pprof's own pages.
//
// The problem: its web interface is what many people know best, but it is made for one person on their own machine. It
// shows that machine's source files (/source), disassembles its binaries, runs Graphviz, saves settings in the home
// directory, looks for binaries where a profile says they are, and keeps its configuration in variables of the package.
// It cannot be interrupted while it adds up a profile, and a panic in one of its goroutines ends the process.
// The approach: each page is made by a process of its own, which is this program again (child.go) with nothing of its
// environment. It is killed when nobody waits for the page any more, or after half a minute, and what it took is free
// then. In it, pprof's driver is started with plugins that open, fetch and write nothing (driver.go). Of the handlers
// that it offers three are ever called, see Names; what leads to the others is cut out of the pages (page.go).
//
// The limits: one page is made at a time, as its memory is beside that of the server, and profiles that need more than
// a page may take are refused. Nothing is kept for the next page.
package pprofweb

import (
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
	Page  string // one of Names
	Query string // of the address, in pprof's own parameters
	// Load reads the profile, when its turn has come.
	Load func(ctx context.Context) ([]byte, error)
}

// Bounds of one request.
const (
	// maxNeeded is the memory that a page may take, in bytes, if so much may be parsed. A profile of 15,000 stacks and
	// 20,000 functions needs two thirds of it.
	maxNeeded = 512 << 20
	maxQuery  = 4 << 10 // bytes

	patience = 30 * time.Second // of who asks, for its turn and its page
)

// Pages makes pages. The program that uses it must call As before anything else.
type Pages struct {
	gate     room.Gate
	patience time.Duration
	command  []string // makes a page; nil: this program
}

// New returns Pages.
func New() *Pages { return &Pages{gate: room.NewGate(), patience: patience} }

// Write writes a page. It waits for its turn.
func (p *Pages) Write(ctx context.Context, w io.Writer, r Request) error {
	if !slices.Contains(Names(), r.Page) {
		return ErrNoPage
	}
	if len(r.Query) > maxQuery {
		return fmt.Errorf("%w: what is asked for has %d bytes, more than %d", ErrRefused, len(r.Query), maxQuery)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.patience, ErrSlow)
	defer cancel()
	var page []byte
	var err error
	if waited := p.gate.Do(ctx, func() { page, err = p.page(ctx, r) }); waited != nil {
		err = waited
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil {
		_, err = w.Write(page)
	}
	return err
}
