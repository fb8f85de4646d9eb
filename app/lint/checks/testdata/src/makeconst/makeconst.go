package makeconst

import (
	"io"
	"sync"
)

const size = 1 << 20

func buffer(r io.Reader) (int, error) {
	buf := make([]byte, 64<<10) // want `64 kB at every call`
	return r.Read(buf)
}

func rows() int {
	rows := make([]uint64, 0, size) // want `8192 kB at every call`
	rows = append(rows, 1)
	return len(rows)
}

func table() int {
	m := make(map[string]int, 102400) // want `room for 102400 entries at every call`
	m["a"] = 1
	return len(m)
}

// What follows is fine.

var shared = make([]byte, size)

type reader struct{ buf []byte }

func newReader() *reader { return &reader{buf: make([]byte, size)} }

func filled(r io.Reader) []byte {
	buf := make([]byte, size)
	n, _ := r.Read(buf)
	buf = buf[:n]
	return buf
}

var pool = sync.Pool{New: func() any {
	buf := make([]byte, size)
	return &buf
}}

func small() int { return len(make([]byte, 512)) }

func sized(n int) []byte { return make([]byte, n) }

func plain() int { return len(make(map[string]int)) + len(make(map[string]int, 16)) }

func init() {
	buf := make([]byte, size)
	_ = buf
}
