// Package room bounds the memory that what other processes send takes in this one.
//
// The problem: a limit for each answer does not limit a watch of many targets. Ten of them that send 64 MiB each, or
// profiles that are small as files and large once parsed, took gigabytes. The approach: all answers of all targets
// share one Pool, in which each Party, one target, has a part of its own; and a Gate lets one parse run at a time.
//
// Both follow the memory limit of the process (GOMEMLIMIT, or its cgroup's). Nobody waits for room: an answer that does
// not fit is given up, and the error says what to do. Who waited with half an answer in hand could wait for others that
// do the same.
//
// Limits: what this process makes on its own, such as histories of signals, is not counted here.
package room

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/gocasebook/casebook/internal/number"
)

// A Pool is the room for all answers of a process.
type Pool struct {
	size int64

	mu      sync.Mutex // guards what follows
	parties int64      // that live
	used    int64
	shared  int64 // bytes that parties hold beyond their own parts
}

// NewPool returns an empty pool of so many bytes.
func NewPool(size int64) *Pool { return &Pool{size: size} }

// answers is the one pool of this process: memory is the process's too.
var answers = sync.OnceValue(func() *Pool { return NewPool(share(answersShare, minAnswers, maxAnswers)) })

// A Party is one who takes room: a target. Whatever it asks at the same time counts together.
type Party struct{ *account }

// An account is what a party holds. It outlives the party, as leases do.
type account struct {
	pool   *Pool
	held   int64 // guarded by pool.mu
	beyond int64 // the part of held that is beyond the party's own part; guarded by pool.mu
}

// NewParty returns one that shares the room of this process.
func NewParty() *Party { return answers().NewParty() }

// NewParty returns one that shares the pool, as long as it is in use.
func (p *Pool) NewParty() *Party {
	p.mu.Lock()
	p.parties++
	p.mu.Unlock()
	party := &Party{&account{pool: p}}
	runtime.AddCleanup(party, (*Pool).leave, p)
	return party
}

func (p *Pool) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parties--
}

// A FullError says that an answer was given up because it took more room than is left for others.
type FullError struct {
	Read int64 // bytes of this answer until then
	Size int64 // bytes for all targets together
}

func (e *FullError) Error() string {
	return fmt.Sprintf("given up after %s: the answers of all targets together may take %s in this process; "+
		"give it more memory (its cgroup's limit, GOMEMLIMIT), or watch fewer targets in one process",
		number.Bytes(float64(e.Read)), number.Bytes(float64(e.Size)))
}

// take reports whether there is room for n bytes more. Half of the pool is divided among the parties, so that each has
// its own part whatever the others do. Of the other half nobody holds more than is left in it, so that the first does
// not take it all: switches share their memory in this way (Choudhury and Hahne, "Dynamic queue length thresholds for
// shared-memory packet switches", 1998, with α = 1).
func (a *account) take(n int64) bool {
	p := a.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	half := p.size / 2
	beyond := max(a.held+n-half/max(p.parties, 1), 0)
	shared := p.shared - a.beyond + beyond
	if beyond > a.beyond && beyond > half-shared {
		return false
	}
	a.held, a.beyond = a.held+n, beyond
	p.used, p.shared = p.used+n, shared
	return true
}

func (a *account) give(n int64) {
	p := a.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	beyond := min(a.beyond, max(a.held-n-p.size/2/max(p.parties, 1), 0))
	p.used, p.shared = p.used-n, p.shared-a.beyond+beyond
	a.held, a.beyond = a.held-n, beyond
}

// Used is how many bytes the parties hold.
func (p *Pool) Used() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.used
}

// A Gate lets one through at a time, or a few, in the order in which they came.
type Gate chan struct{}

// NewGate returns an open one.
func NewGate() Gate { return make(Gate, 1) }

// perReader is the memory limit for each who reads evidence at the same time. In 400 MiB a page of a case that was made
// to take the most had 300 MiB at the peak, the program itself included.
const perReader = 512 << 20

// NewReadersGate returns one for as many as there is memory to read evidence for, and no more than processors.
func NewReadersGate() Gate {
	n := runtime.GOMAXPROCS(0)
	if limit := Limit(); limit > 0 {
		n = int(min(max(limit/perReader, 1), int64(n)))
	}
	return make(Gate, n)
}

// Do calls do when there is room inside. It fails only if ctx ends while others are in.
func (g Gate) Do(ctx context.Context, do func()) error {
	select {
	case g <- struct{}{}: // even where ctx has ended
	default:
		select {
		case g <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { <-g }()
	do()
	return nil
}
