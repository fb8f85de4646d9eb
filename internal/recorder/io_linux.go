package recorder

import (
	"bytes"
	"math"
	"os"
)

// An ioCounter counts the system calls that read and write, which runtime/metrics does not. The kernel does, in
// /proc/self/io (proc(5)), if it was built with task I/O accounting.
type ioCounter struct {
	file *os.File // nil if there is none
	buf  []byte
}

func newIOCounter() ioCounter {
	f, err := os.Open("/proc/self/io")
	if err != nil {
		return ioCounter{}
	}
	return ioCounter{file: f, buf: make([]byte, 512)}
}

func (c *ioCounter) close() {
	if c.file != nil {
		c.file.Close() // opened for reading: nothing can be lost
	}
}

// count is the number of calls so far, NaN if it cannot be read.
func (c *ioCounter) count() float64 {
	if c.file == nil {
		return math.NaN()
	}
	n, _ := c.file.ReadAt(c.buf, 0) // always io.EOF: the file is shorter than the buffer
	return lineNumber(c.buf[:n], "syscr: ") + lineNumber(c.buf[:n], "syscw: ")
}

// lineNumber is the number after a label, NaN if there is none.
func lineNumber(text []byte, label string) float64 {
	i := bytes.Index(text, []byte(label))
	if i < 0 {
		return math.NaN()
	}
	n, digits := 0.0, 0
	for _, c := range text[i+len(label):] {
		if c < '0' || c > '9' {
			break
		}
		n, digits = 10*n+float64(c-'0'), digits+1
	}
	if digits == 0 {
		return math.NaN()
	}
	return n
}
