package room

import (
	"errors"
	"io"
	"runtime"
	"sync/atomic"
)

// ErrTooLarge says that more came than was allowed.
var ErrTooLarge = errors.New("more than the limit")

// Chunks grow from the size of an index page to what a profile has.
const (
	firstChunk = 8 << 10
	lastChunk  = 1 << 20
)

// A Lease is the room that bytes take. The nil Lease is of none.
type Lease struct {
	account *account
	bytes   atomic.Int64
}

// Release gives the room back: call it when the bytes are no longer used. It may be called again. Without it the room
// comes back when the collector frees the bytes.
func (l *Lease) Release() {
	if l != nil {
		l.account.give(l.bytes.Swap(0))
	}
}

// Take leases n bytes that do not come from a reader; nil when there is no room.
func (p *Party) Take(n int64) *Lease {
	if !p.take(n) {
		return nil
	}
	l := &Lease{account: p.account}
	l.bytes.Store(n)
	return l
}

// ReadAll reads to the end, at most limit bytes, and leases the room for them. The error is ErrTooLarge, a *FullError,
// or the reader's.
//
// It reads into pieces and joins them at the end, which takes twice the size for a moment; io.ReadAll takes two and a
// half times as much in the whole, and does not say how much.
func (p *Party) ReadAll(r io.Reader, limit int64) ([]byte, *Lease, error) {
	b := chunks{account: p.account}
	if err := b.read(r, limit); err != nil {
		b.drop()
		return nil, nil, err
	}
	data, err := b.join()
	if err != nil || len(data) == 0 {
		b.drop()
		return nil, nil, err
	}
	l := &Lease{account: p.account}
	l.bytes.Store(b.taken)
	runtime.AddCleanup(&data[0], (*Lease).Release, l)
	return data, l, nil
}

// chunks are the pieces of an answer.
type chunks struct {
	account *account
	full    [][]byte
	last    []byte
	size    int64 // bytes read
	taken   int64 // bytes of the pieces
}

func (c *chunks) read(r io.Reader, limit int64) error {
	for empty := 0; ; {
		if len(c.last) == cap(c.last) {
			if err := c.grow(); err != nil {
				return err
			}
		}
		n, err := r.Read(c.last[len(c.last):cap(c.last)])
		c.last, c.size = c.last[:len(c.last)+n], c.size+int64(n)
		switch {
		case c.size > limit:
			return ErrTooLarge
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case n > 0:
			empty = 0
		default:
			if empty++; empty == 100 { // as bufio's readers have it
				return io.ErrNoProgress
			}
		}
	}
}

func (c *chunks) grow() error {
	size := min(max(2*int64(cap(c.last)), firstChunk), lastChunk)
	if !c.account.take(size) {
		return &FullError{Read: c.size, Size: c.account.pool.size}
	}
	if c.last != nil {
		c.full = append(c.full, c.last)
	}
	c.last, c.taken = make([]byte, 0, size), c.taken+size
	return nil
}

// join makes one piece of all.
func (c *chunks) join() ([]byte, error) {
	if len(c.full) == 0 {
		return c.last, nil
	}
	if !c.account.take(c.size) {
		return nil, &FullError{Read: c.size, Size: c.account.pool.size}
	}
	data := make([]byte, 0, c.size)
	for _, piece := range append(c.full, c.last) {
		data = append(data, piece...)
	}
	c.drop()
	c.taken = c.size
	return data, nil
}

// drop gives the room of the pieces back.
func (c *chunks) drop() {
	c.account.give(c.taken)
	*c = chunks{account: c.account, size: c.size}
}
