package worker

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zlib"
)

// maxRaw is what a record may hold when it is decompressed, in bytes: a thousand times what a front end sends, so that
// a record that is a bomb is refused.
const maxRaw = 16 << 20

// An inflater decompresses the records of one group, one after the other. It is used by one goroutine.
type inflater struct {
	buffers string // the buffer of a record: kept for the next, new, or from a pool that the groups share

	src   bytes.Reader
	limit io.LimitedReader
	zlib  io.ReadCloser // nil before the first record
	out   bytes.Buffer  // that is kept
}

// bufferPool has the buffers of -buffers pool.
var bufferPool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// inflate decompresses a record and calls use with what it holds, which is valid only until use returns.
func (d *inflater) inflate(compressed []byte, use func(raw []byte) error) error {
	out := &d.out
	switch d.buffers {
	case "new":
		out = new(bytes.Buffer)
	case "pool":
		out = bufferPool.Get().(*bytes.Buffer)
		defer bufferPool.Put(out)
	}
	out.Reset()
	if err := d.fill(out, compressed); err != nil {
		return fmt.Errorf("decompressing: %w", err)
	}
	return use(out.Bytes())
}

// fill decompresses into out.
func (d *inflater) fill(out *bytes.Buffer, compressed []byte) error {
	d.src.Reset(compressed)
	if err := d.reset(); err != nil {
		return err
	}
	d.limit = io.LimitedReader{R: d.zlib, N: maxRaw + 1}
	switch n, err := out.ReadFrom(&d.limit); {
	case err != nil:
		return err
	case n > maxRaw:
		return fmt.Errorf("the record holds more than %d bytes", maxRaw)
	}
	return nil
}

func (d *inflater) reset() (err error) {
	if d.zlib == nil {
		d.zlib, err = zlib.NewReader(&d.src)
		return err
	}
	return d.zlib.(zlib.Resetter).Reset(&d.src, nil)
}
