package coderpercall

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"
)

func pack(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out) // want `a gzip.Writer is 800 kB`
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func deflate(dst io.Writer, src io.Reader) error {
	w, err := flate.NewWriter(dst, flate.BestSpeed) // want `a flate.Writer is 800 kB`
	if err != nil {
		return err
	}
	defer w.Close()
	_, err = io.Copy(w, src)
	return err
}

type packed struct {
	http.ResponseWriter
	io.Writer
}

func (p packed) Write(b []byte) (int, error) { return p.Writer.Write(b) }

func middleware(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			next(w, r)
			return
		}
		gz := gzip.NewWriter(w) // want `a gzip.Writer is 800 kB`
		defer gz.Close()
		next(packed{ResponseWriter: w, Writer: gz}, r)
	}
}

func unpack(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b)) // want `a gzip.Reader is 40 kB`
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(r)
}

// What follows is fine.

type writer struct{ z *gzip.Writer }

// Returned to functions that use them up.

func writerFor(w http.ResponseWriter, r *http.Request) io.WriteCloser {
	if r.Header.Get("Accept-Encoding") == "gzip" {
		zw := gzip.NewWriter(w) // want `a gzip.Writer is 800 kB, made at every call`
		return zw
	}
	return nopCloser{w}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func answerAll(w http.ResponseWriter, r *http.Request) {
	out := writerFor(w, r)
	defer out.Close()
	io.WriteString(out, "all")
}

func unpacker(r io.Reader) (*unpacked, error) {
	z, err := gzip.NewReader(r) // want `a gzip.Reader is 40 kB`
	if err != nil {
		return nil, err
	}
	return &unpacked{z: z}, nil
}

type unpacked struct{ z *gzip.Reader }

func unpackAll(r io.Reader) ([]byte, error) {
	u, err := unpacker(r)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(u.z)
}

// What follows is fine.

func kept(r io.Reader) { // its reader is kept
	last, _ = keeper(r)
}

var last *gzip.Reader

func keeper(r io.Reader) (*gzip.Reader, error) { return gzip.NewReader(r) }

func pooledWriter(w io.Writer) *gzip.Writer {
	if z, ok := pool.Get().(*gzip.Writer); ok {
		z.Reset(w)
		return z
	}
	return gzip.NewWriter(w)
}

func usesPooled(w io.Writer) {
	z := pooledWriter(w)
	defer pool.Put(z)
	z.Write(nil)
}

func newWriter(w io.Writer) *writer { return &writer{z: gzip.NewWriter(w)} }

func wrap(w io.Writer) io.WriteCloser {
	z := gzip.NewWriter(w)
	return z
}

func held(w io.Writer, bad bool) *writer {
	z := gzip.NewWriter(w)
	if bad {
		z.Close()
		return nil
	}
	return &writer{z: z}
}

var pool = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func fromPool(b []byte) {
	w, ok := pool.Get().(*gzip.Writer)
	if !ok {
		w = gzip.NewWriter(io.Discard)
	}
	w.Reset(io.Discard)
	w.Write(b)
	w.Close()
}

func passedOn(w io.Writer) {
	z := gzip.NewWriter(w)
	hold(z)
}

func hold(io.Writer) {}

func init() {
	z := gzip.NewWriter(io.Discard)
	defer z.Close()
}
