package room

import (
	"io"
	"sync"
)

// Buffers are for answers of one sort that are read and not kept: a watch of a thousand targets reads hundreds a
// second, small ones and some of 100 KB. The zero value is ready.
type Buffers struct{ pool sync.Pool }

// maxPooled is the largest buffer that is used again.
const maxPooled = 1 << 20

// Use reads to the end, at most limit bytes, and hands them to use, which must not keep them: the next answer is read
// into the same memory. They take room meanwhile. The error is use's, or one of those of ReadAll.
func (p *Party) Use(from *Buffers, r io.Reader, limit int64, use func([]byte) error) error {
	buf, had := from.pool.Get().(*[]byte)
	if !had {
		buf = new([]byte)
	}
	c := chunks{account: p.account}
	defer func() { c.drop() }()
	if size := int64(cap(*buf)); p.take(size) { // otherwise as much as is needed is less
		c.last, c.taken = (*buf)[:0], size
	}
	if err := c.read(r, limit); err != nil {
		return err
	}
	data, err := c.joinWide()
	if err != nil {
		return err
	}
	err = use(data)
	if cap(data) <= maxPooled {
		*buf = data[:0]
		from.pool.Put(buf)
	}
	return err
}

// joinWide makes one piece of all, with room for a somewhat larger answer the next time.
func (c *chunks) joinWide() ([]byte, error) {
	if len(c.full) == 0 {
		return c.last, nil
	}
	size := c.size + c.size/4
	if !c.account.take(size) {
		return nil, &FullError{Read: c.size, Size: c.account.pool.size}
	}
	data := make([]byte, 0, size)
	for _, piece := range append(c.full, c.last) {
		data = append(data, piece...)
	}
	c.drop()
	c.taken = size
	return data, nil
}
