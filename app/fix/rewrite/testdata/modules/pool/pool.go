// Package pool compresses with zstd.
package pool

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

func pack(data []byte) ([]byte, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return nil, err
	}
	defer e.Close()
	return e.EncodeAll(data, nil), nil
}

// stream writes to something of the call.
func stream(w io.Writer, data []byte) error {
	e, err := zstd.NewWriter(w)
	if err != nil {
		return err
	}
	if _, err := e.Write(data); err != nil {
		return err
	}
	return e.Close()
}
