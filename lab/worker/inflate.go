package worker

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
)

// maxRaw is what a record may hold when it is decompressed, in bytes: a thousand times what a front end sends, so that
// a record that is a bomb is refused.
const maxRaw = 16 << 20

// An inflater decompresses records one after the other, with the same buffers. It is used by one goroutine.
type inflater struct {
	src   bytes.Reader
	limit io.LimitedReader
	zlib  io.ReadCloser // nil before the first record
	out   bytes.Buffer
}

// inflate decompresses a record. What it returns is valid until the next call.
func (d *inflater) inflate(compressed []byte) ([]byte, error) {
	d.src.Reset(compressed)
	if err := d.reset(); err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	d.out.Reset()
	d.limit = io.LimitedReader{R: d.zlib, N: maxRaw + 1}
	switch n, err := d.out.ReadFrom(&d.limit); {
	case err != nil:
		return nil, fmt.Errorf("decompressing: %w", err)
	case n > maxRaw:
		return nil, fmt.Errorf("decompressing: the record holds more than %d bytes", maxRaw)
	}
	return d.out.Bytes(), nil
}

func (d *inflater) reset() (err error) {
	if d.zlib == nil {
		d.zlib, err = zlib.NewReader(&d.src)
		return err
	}
	return d.zlib.(zlib.Resetter).Reset(&d.src, nil)
}
