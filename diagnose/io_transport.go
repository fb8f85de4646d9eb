package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A transportCall is where code hands bytes to a connection, or takes bytes from one.
type transportCall struct {
	use transportUse
	// at is the outermost frame of the transport: net.(*conn).Write, crypto/tls.(*Conn).Write, or a Write or Read
	// around them that passes bytes on. What is above it chose how many bytes a call moves.
	at int
}

// A transportUse says who decides how many bytes a call moves.
type transportUse uint8

const (
	noTransport   transportUse = iota
	writesDirect               // code that has no buffer
	writesFlushed              // code that has a buffer, and flushed it
	readsDirect                // code that has no buffer
	readsBuffered              // a bufio.Reader or Scanner
	answers                    // a server's library, with an answer or what it streams of one
	otherwise                  // what is full, copied or received as a datagram; HTTP's clients
)

// writes reports whether bytes go out.
func (u transportUse) writes() bool { return u == writesDirect || u == writesFlushed }

// ofTransport are the methods that a connection has. Datagrams that are sent with WriteTo have no place here: each is a
// message, which no buffer may join with another.
func ofTransport(f *stacks.Func) (write, ok bool) {
	write = f.Does(known.WritesConn)
	return write, write || f.Does(known.ReadsConn)
}

// transportOf finds the call of a stack to a connection.
func transportOf(t *stacks.Table, stack []stacks.FrameID) transportCall {
	at, write := -1, false
	for i, id := range stack {
		f := t.Func(id)
		if w, ok := ofTransport(f); ok {
			at, write = i, w
		} else if f.Does(known.ReceivesPacket) {
			return transportCall{otherwise, i}
		}
	}
	if at < 0 {
		return transportCall{}
	}
	inner := at
	for at+1 < len(stack) && passesBytes(t.Func(stack[at+1])) {
		at++
	}
	return transportCall{useOf(t, stack, inner, at, write), at}
}

// passesBytes reports whether a function is a connection around another: countedConn.Write, thrift's TSocket.Write.
func passesBytes(f *stacks.Func) bool {
	return f.Package != "bufio" && f.Package != "io" &&
		(strings.HasSuffix(f.Name, ").Write") || strings.HasSuffix(f.Name, ").Read") ||
			strings.HasSuffix(f.Name, "Conn.Write") || strings.HasSuffix(f.Name, "Conn.Read"))
}

// useOf looks at what is above the connection's own method, at inner, and those around it, up to at.
func useOf(t *stacks.Table, stack []stacks.FrameID, inner, at int, write bool) transportUse {
	if at+1 == len(stack) {
		return otherwise
	}
	caller := t.Func(stack[at+1])
	switch {
	case t.Has(stack[inner:at+2], withWork(known.SpeaksHTTP)), caller.Does(known.PassesStream):
		return served(t, stack, write)
	case caller.Package == "bufio" && !write:
		return readsBuffered
	case caller.Package == "bufio":
		return bufferOf(t, stack, at+1)
	case caller.Does(known.OfGRPCTransport):
		return answers
	case write:
		return writesDirect
	}
	return readsDirect
}

// served tells a server's answers from what else HTTP writes and reads.
func served(t *stacks.Table, stack []stacks.FrameID, write bool) transportUse {
	if write && serverWrites(t, stack) {
		return answers
	}
	return otherwise
}

// bufferOf tells a buffer that is full, which bufio flushes itself, from one that somebody flushed.
func bufferOf(t *stacks.Table, stack []stacks.FrameID, at int) transportUse {
	by := at
	for by < len(stack) && t.Func(stack[by]).Package == "bufio" {
		by++
	}
	switch {
	case by == len(stack) || t.Func(stack[by]).Does(known.SpeaksHTTP):
		return served(t, stack, true)
	case by == at+1 && t.Func(stack[at]).Does(known.FlushesBuffer):
		return writesFlushed
	}
	return otherwise
}
