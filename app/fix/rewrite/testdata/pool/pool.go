// Package pool compresses.
package pool

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
)

// compress is lab/faults/alloc_buffer_per_call.
func compress(w io.Writer, text string) {
	zw := gzip.NewWriter(w)
	io.WriteString(zw, text)
	zw.Close()
}

type zipped struct {
	http.ResponseWriter
	zw *gzip.Writer
}

func (z *zipped) Write(b []byte) (int, error) { return z.zw.Write(b) }

// handle is lab/holdout/assets.
func handle(next http.Handler, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	z := &zipped{w, gzip.NewWriter(w)}
	defer z.zw.Close()
	next.ServeHTTP(z, r)
}

func pack(data []byte) ([]byte, error) {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	if _, err := zw.Write(data); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// open is closed by the caller.
func open(w io.Writer) *gzip.Writer {
	zw := gzip.NewWriter(w)
	return zw
}

// given goes to others.
func given(w io.Writer, to func(io.Writer)) {
	zw := gzip.NewWriter(w)
	to(zw)
	zw.Close()
}

// all makes one in each turn.
func all(w io.Writer, texts []string) {
	for _, t := range texts {
		zw := gzip.NewWriter(w)
		io.WriteString(zw, t)
		zw.Close()
	}
}

// reset uses it again already.
func reset(ws []io.Writer, text string) {
	zw := gzip.NewWriter(io.Discard)
	for _, w := range ws {
		zw.Reset(w)
		io.WriteString(zw, text)
		zw.Close()
	}
}

type packer struct{ zw *gzip.Writer }

func newPacker(w io.Writer) *packer { return &packer{gzip.NewWriter(w)} }
