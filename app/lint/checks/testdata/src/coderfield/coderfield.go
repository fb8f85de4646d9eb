package coderfield

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
)

type chunks struct {
	buf *bytes.Buffer
	w   *gzip.Writer
	f   *flate.Writer
}

func (c *chunks) next() {
	c.buf = new(bytes.Buffer)
	c.w = gzip.NewWriter(c.buf) // want `made anew for a field that may have one: Reset that`
}

func (c *chunks) deflate(w io.Writer) (err error) {
	c.f, err = flate.NewWriter(w, flate.BestSpeed) // want `a flate.Writer is 800 kB`
	return err
}

// What follows is fine.

type reset struct{ w *gzip.Writer }

func (r *reset) to(w io.Writer) {
	if r.w == nil {
		r.w = gzip.NewWriter(w)
		return
	}
	r.w.Reset(w)
}

func newChunks(w io.Writer) *chunks {
	c := &chunks{}
	c.w = gzip.NewWriter(w)
	return c
}
