package casefile

import (
	"bytes"
	"crypto/rand"
	"os"
)

// reserveBytes is room for case.json on a full disk: several times what a case has before its diagnosis.
const reserveBytes = 64 << 10

// A reserve is a file in an unfinished case that does nothing but take space. When the disk is full it is removed,
// and case.json, which says what the files already written are, finds its room there.
type reserve struct {
	root *os.Root
	held bool
}

// take makes the file. Its content is random: a file system that compresses would keep zeros in no space at all.
func (r *reserve) take() error {
	if r.held {
		return nil
	}
	data := make([]byte, reserveBytes)
	_, _ = rand.Read(data) // documented never to fail
	if err := writeFile(r.root, reserveName, bytes.NewReader(data)); err != nil {
		_ = r.root.Remove(reserveName)
		return err
	}
	r.held = true
	return nil
}

// release removes the file and reports whether there was one.
func (r *reserve) release() bool {
	held := r.held
	if held {
		_ = r.root.Remove(reserveName) // a failure shows as the full disk that it leaves
	}
	r.held = false
	return held
}
