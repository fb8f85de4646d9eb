// Package evidence has the dictionary that recorded cases are packed with, cases/<group>/<case>.tar.zst: what the
// profiles of most Go programs repeat. cmd/evidence packs and unpacks.
//
// It was trained on all cases there were then, as tar files: zstd --train -19 --maxdict=1048576. It stays as it is: no
// case can be unpacked with another.
package evidence

import _ "embed" // the dictionary

// Dictionary is the file beside this one.
//
//go:embed dictionary
var Dictionary []byte
