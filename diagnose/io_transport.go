package diagnose

import (
	"strings"

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
func ofTransport(name string) (write, ok bool) {
	switch name {
	case "net.(*conn).Write", "crypto/tls.(*Conn).Write":
		return true, true
	case "net.(*conn).Read", "crypto/tls.(*Conn).Read":
		return false, true
	}
	return false, false
}

// receives are the methods that take datagrams.
func receives() []string {
	return []string{"net.(*netFD).readFrom", "net.(*netFD).readMsg"}
}

// transportOf finds the call of a stack to a connection.
func transportOf(t *stacks.Table, stack []stacks.FrameID) transportCall {
	at, write := -1, false
	for i, id := range stack {
		name := t.Func(id).Name
		if w, ok := ofTransport(name); ok {
			at, write = i, w
		} else if hasPrefix(name, receives()) {
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
	http := ofHTTP(caller.Package)
	for _, id := range stack[inner : at+1] {
		http = http || ofHTTP(t.Func(id).Package)
	}
	switch {
	case http, hasPrefix(caller.Name, copies()):
		return served(t, stack, write)
	case caller.Package == "bufio" && !write:
		return readsBuffered
	case caller.Package == "bufio":
		return bufferOf(t, stack, at+1)
	case grpcTransport(caller.Package):
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
	case by == len(stack) || ofHTTP(t.Func(stack[by]).Package):
		return served(t, stack, true)
	case by == at+1 && t.Func(stack[at]).Name == "bufio.(*Writer).Flush":
		return writesFlushed
	}
	return otherwise
}

// ofHTTP are the packages that speak HTTP by themselves: how they write is not the user's to change.
func ofHTTP(pkg string) bool {
	switch pkg {
	case "net/http", "net/http/internal", "golang.org/x/net/http2", "github.com/valyala/fasthttp":
		return true
	}
	return false
}

func grpcTransport(pkg string) bool { return pkg == "google.golang.org/grpc/internal/transport" }
