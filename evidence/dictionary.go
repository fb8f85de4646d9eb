// Package evidence has the dictionary that recorded cases are packed with, cases/<group>/<case>.tar.zst: what the
// profiles of most Go programs repeat. cmd/evidence packs and unpacks.
//
// It was trained on all cases there were then, as tar files: zstd --train -19 --maxdict=1048576. It stays as it is: no
// case can be unpacked with another. The file is packed by zstd itself, to a third of its size.
package evidence

import (
	_ "embed" // the dictionary
	"fmt"

	"github.com/klauspost/compress/zstd"
)

//go:embed dictionary.zst
var packed []byte

// Dictionary is what dictionary.zst has.
func Dictionary() ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	plain, err := d.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("reading evidence/dictionary.zst: %w; git checkout brings it back", err)
	}
	return plain, nil
}
