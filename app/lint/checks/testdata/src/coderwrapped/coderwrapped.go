package coderwrapped

import (
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"sync"
)

type answer struct {
	http.ResponseWriter
	gz *gzip.Writer
}

func (a *answer) Write(b []byte) (int, error) { return a.gz.Write(b) }

func packed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w, gz: gzip.NewWriter(w)} // want `a gzip.Writer is 800 kB, made at every call for what is around it`
		defer a.gz.Close()
		next.ServeHTTP(a, r)
	})
}

var algorithms = map[string]func(io.Writer) io.WriteCloser{
	"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, // want `keep them in a sync.Pool`
}

// Reader is for other packages.
func Reader(r io.Reader) (io.ReadCloser, error) {
	z, err := gzip.NewReader(r) // want `a gzip.Reader is 40 kB`
	if err != nil {
		return nil, err
	}
	return z, nil
}

// What follows is fine.

var writers = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

func pooled(w io.Writer, b []byte) {
	z := writers.Get().(*zlib.Writer)
	z.Reset(w)
	z.Write(b)
	z.Close()
	writers.Put(z)
}

type stream struct{ z *zlib.Writer }

func newStream(w io.Writer) *stream { return &stream{z: zlib.NewWriter(w)} } // this package resets them

func used(w io.Writer, b []byte) error {
	z, err := flate.NewWriter(w, 5) // coderpercall has it
	if err != nil {
		return err
	}
	z.Write(b)
	return z.Close()
}

var fast = func() *flate.Writer {
	z, _ := flate.NewWriter(io.Discard, 1)
	return z
}()
