package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrBadFile is part of Load's error when the file is damaged, cut off, or of a cache of other types.
var ErrBadFile = errors.New("cache: the file cannot be loaded: begin with an empty cache, and save again")

const (
	mostForm  = 1 << 16 // bytes of a form's name
	mostBlock = 1 << 30 // bytes of a block: one entry may be larger than saveBlock
)

// Load adds the entries that Save wrote, except for those whose lifetime has ended since. Each block is checked before
// its first entry is taken. After an error, of the reader or ErrBadFile, the cache is empty, without what was in it
// before: call it for a cache that nobody uses yet. Besides the entries it needs memory for one block, 64 KiB or the
// largest entry.
//
// The file is checked against chance, not against malice.
func (c *Cache[K, V]) Load(r io.Reader) error {
	if c.closed.Load() {
		return ErrClosed
	}
	l := loader{r: r}
	err := l.header(c.keys.name, c.values.name)
	for err == nil {
		var more bool
		if more, err = l.next(); !more {
			break
		}
		err = c.loadBlock(&l)
	}
	if err != nil {
		c.Clear()
		return fmt.Errorf("cache: loading: %w", err)
	}
	return nil
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrBadFile}, args...)...)
}

// A loader reads blocks.
type loader struct {
	r       io.Reader
	block   bytes.Buffer
	entries uint32 // of the block
	total   uint32
}

// read fills the buffer with n bytes more. Its memory grows with what really comes.
func (l *loader) read(n int) error {
	got, err := io.CopyN(&l.block, l.r, int64(n))
	if errors.Is(err, io.EOF) {
		return bad("it ends %d bytes too early", int64(n)-got)
	}
	return err
}

func (l *loader) header(forms ...string) error {
	if err := l.read(len(saveMagic)); err != nil {
		return err
	}
	if got := l.block.String(); got != saveMagic {
		return bad("it begins with %q, want %q", got, saveMagic)
	}
	for _, want := range forms {
		n, err := l.uint32()
		if err != nil {
			return err
		}
		if n > mostForm {
			return bad("the name of a form has %d bytes", n)
		}
		at := l.block.Len()
		if err := l.read(int(n)); err != nil {
			return err
		}
		if got := string(l.block.Bytes()[at:]); got != want {
			return bad("it is of a cache with %.200q, this one has %.200q", got, want)
		}
	}
	return l.check()
}

// uint32 reads a number into the buffer.
func (l *loader) uint32() (uint32, error) {
	if err := l.read(4); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(l.block.Bytes()[l.block.Len()-4:]), nil
}

// check reads the checksum of everything in the buffer.
func (l *loader) check() error {
	want := checksum(l.block.Bytes())
	got, err := l.uint32()
	if err == nil && got != want {
		err = bad("a checksum is %08x, its bytes give %08x", got, want)
	}
	return err
}

// next reads a block and checks it. It returns false at the end of the file.
func (l *loader) next() (more bool, err error) {
	l.block.Reset()
	n, err := l.uint32()
	if err != nil {
		return false, err
	}
	if l.entries, err = l.uint32(); err != nil {
		return false, err
	}
	if n > mostBlock {
		return false, bad("a block of %d bytes", n)
	}
	if err := l.read(int(n)); err != nil {
		return false, err
	}
	if err := l.check(); err != nil {
		return false, err
	}
	if n > 0 {
		l.total += l.entries
		return true, nil
	}
	if l.entries != l.total {
		return false, bad("it says %d entries, and has %d", l.entries, l.total)
	}
	return false, nil
}

// loadBlock keeps the entries of a block.
func (c *Cache[K, V]) loadBlock(l *loader) error {
	b := l.block.Bytes()
	b = b[saveFrame : len(b)-crcBytes]
	now := c.now()
	toClock := now - time.Now().UnixMilli()
	for range l.entries {
		d, rest, err := parseEntry(b, toClock)
		if err != nil {
			return err
		}
		b = rest
		if d.deadline != 0 && d.deadline+c.cfg.StaleFor.Milliseconds() <= now {
			continue
		}
		if err := c.fits(&d); err != nil {
			return err
		}
		_, gone := c.put(c.hash(d.key), &d) // one that is too large for this cache is left out
		c.tell(gone)
	}
	if len(b) > 0 {
		return bad("%d bytes follow the last entry of a block", len(b))
	}
	return nil
}

// fits says why an entry is not of this cache's types. Codecs are asked when the entry is.
func (c *Cache[K, V]) fits(d *draft) error {
	if c.keys.layout == fixed && len(d.key) != c.keys.size {
		return bad("a key has %d bytes, want %d", len(d.key), c.keys.size)
	}
	if c.values.layout == fixed && len(d.value) != c.values.size && !d.negative {
		return bad("a value has %d bytes, want %d", len(d.value), c.values.size)
	}
	return nil
}

// parseEntry takes an entry off the front of b. toClock turns ms since 1970 into ms of the cache's clock.
func parseEntry(b []byte, toClock int64) (d draft, rest []byte, err error) {
	if len(b) == 0 || b[0] > flagNegative {
		return d, nil, bad("an entry has no flags, or some that are not known")
	}
	d.negative = b[0] == flagNegative
	b = b[1:]
	var numbers [4]uint64 // deadline, lifetime, and the bytes of key and value
	for i := range numbers {
		var size int
		if i < 2 {
			var v int64
			v, size = binary.Varint(b)
			numbers[i] = uint64(max(v, 0))
		} else {
			numbers[i], size = binary.Uvarint(b)
		}
		if size <= 0 {
			return d, nil, bad("an entry has a number that does not end")
		}
		b = b[size:]
	}
	key, value := numbers[2], numbers[3]
	if key > uint64(len(b)) || value > uint64(len(b))-key {
		return d, nil, bad("an entry is longer than its block")
	}
	if d.deadline = int64(numbers[0]); d.deadline != 0 {
		d.deadline = min(max(d.deadline+toClock, 1), 1<<deadlineBits-1)
	}
	d.ttl = min(int64(numbers[1]), longestTTL.Milliseconds())
	d.key, d.value = b[:key], b[key:key+value]
	return d, b[key+value:], nil
}
