package mcp_test

import "io"

// An end of a connection in memory.
type end struct {
	in  io.ReadCloser
	out io.WriteCloser
}

// pipes are two ends that are connected.
func pipes() (a, b end) {
	ar, bw := io.Pipe()
	br, aw := io.Pipe()
	return end{ar, aw}, end{br, bw}
}
