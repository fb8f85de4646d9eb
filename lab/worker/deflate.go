package worker

import (
	"compress/zlib"
	"fmt"
	"io"

	fast "github.com/klauspost/compress/zlib"
)

// A deflater writes the zlib format. Reset begins anew with the same tables.
type deflater interface {
	io.WriteCloser
	Reset(io.Writer)
}

// deflaterNames are the values of -compression. klauspost-1 is github.com/klauspost/compress/zlib at its BestSpeed.
var deflaterNames = []string{"zlib-9", "zlib-6", "zlib-1", "klauspost-1"}

func newDeflater(name string) (deflater, error) {
	switch name {
	case "zlib-9":
		return zlib.NewWriterLevel(io.Discard, zlib.BestCompression)
	case "zlib-6":
		return zlib.NewWriter(io.Discard), nil
	case "zlib-1":
		return zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	case "klauspost-1":
		return fast.NewWriterLevel(io.Discard, fast.BestSpeed)
	}
	return nil, fmt.Errorf("unknown compression %q", name)
}
