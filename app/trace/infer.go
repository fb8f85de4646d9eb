package trace

import (
	"iter"
	"math/bits"
	"strings"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// kind is a kind of region that stacks show.
type kind uint8

const (
	httpServer kind = iota
	grpcServer
	httpClient
	grpcClient
	sqlCall
	dnsLookup
	dial
	tlsHandshake
	inferred
)

func (k kind) String() string {
	return [inferred]string{"net/http server", "gRPC server", "net/http client", "gRPC client", "database/sql",
		"DNS lookup", "dial", "TLS handshake"}[k]
}

// kindSet is a set of kinds.
type kindSet uint16

func (s kindSet) has(k kind) bool { return s&(1<<k) != 0 }

func (s kindSet) all() iter.Seq[kind] {
	return func(yield func(kind) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(kind(bits.TrailingZeros16(uint16(s)))) {
				return
			}
		}
	}
}

// servers are the kinds of requests that come from outside. They begin when they reach the goroutine that serves them.
const servers kindSet = 1<<httpServer | 1<<grpcServer

// A mark is a function whose presence on a stack shows that the goroutine is inside of a region. The marks are those of
// rhysh/go-tracing-toolbox and honnef.co/go/gotraceui, checked on traces of Go 1.22 to 1.27 (trace_test.go).
type mark struct {
	kind   kind
	prefix string // of the function's name
	exact  bool
	outer  bool // it is the outermost function: the region is the goroutine's life
}

func marks() []mark {
	return []mark{
		{kind: httpServer, prefix: "net/http.serverHandler.ServeHTTP", exact: true},
		{kind: httpServer, prefix: "net/http.(*response).finishRequest", exact: true},
		{kind: httpServer, prefix: "net/http.(*http2serverConn).runHandler"},
		{kind: httpServer, prefix: "net/http/internal/http2.(*serverConn).runHandler"},
		{kind: httpServer, prefix: "golang.org/x/net/http2.(*serverConn).runHandler"},
		{kind: grpcServer, prefix: "google.golang.org/grpc.(*Server).handleStream", exact: true},
		{kind: grpcServer, prefix: "google.golang.org/grpc.(*Server).serveStreams.func", outer: true},
		{kind: httpClient, prefix: "net/http.(*Transport).roundTrip", exact: true},
		{kind: grpcClient, prefix: grpcInvoke, exact: true},
		{kind: sqlCall, prefix: "database/sql.(*DB)."},
		{kind: sqlCall, prefix: "database/sql.(*Conn)."},
		{kind: sqlCall, prefix: "database/sql.(*Stmt)."},
		{kind: sqlCall, prefix: "database/sql.(*Tx)."},
		{kind: dnsLookup, prefix: "net.(*Resolver).lookupIPAddr", exact: true},
		{kind: dnsLookup, prefix: "net.(*Resolver).LookupHost", exact: true},
		{kind: dial, prefix: "net.(*Dialer).DialContext", exact: true},
		{kind: tlsHandshake, prefix: "crypto/tls.(*Conn).handshakeContext", exact: true},
	}
}

// background reports whether a function is one of database/sql that runs for as long as the process.
func background(function string) bool {
	return strings.HasPrefix(function, "database/sql.(*DB).connectionOpener") ||
		strings.HasPrefix(function, "database/sql.(*DB).connectionCleaner")
}

// infer finds what a stack shows, once.
func (at *place) infer() {
	last := len(at.frames) - 1
	reads := false
	for i, f := range at.frames {
		switch {
		case f.Function == "net/http.(*conn).serve":
			at.conn = true
		case f.Function == "net/http.(*connReader).Read" || f.Function == "net/http.(*conn).readRequest":
			reads = true
		}
		if background(f.Function) {
			at.kinds &^= 1 << sqlCall
			continue
		}
		for _, m := range marks() {
			if strings.HasPrefix(f.Function, m.prefix) && (!m.exact || f.Function == m.prefix) &&
				(!m.outer || i == last) {
				at.kinds |= 1 << m.kind
			}
		}
	}
	if at.conn && !reads { // between the handler and the end of the answer
		at.keeps = 1 << httpServer
	}
	if at.kinds.has(httpClient) {
		at.again = kindSet(bit(sendsRequest(at.frames), httpClient))
	}
	if at.kinds.has(grpcClient) {
		at.again |= kindSet(bit(sendsRPC(at.frames), grpcClient))
	}
	if at.kinds.has(grpcClient) || at.kinds.has(grpcServer) {
		at.rpc = inferRPC(at.frames)
	}
	if at.kinds.has(sqlCall) {
		at.again |= kindSet(bit(writes(at.frames), sqlCall))
	}
}

func bit(set bool, k kind) uint16 {
	if set {
		return 1 << k
	}
	return 0
}

// sendsRequest reports whether a stack hands a request to a connection of net/http's client: this happens once each.
func sendsRequest(s traces.Stack) bool {
	for i := 1; i < len(s); i++ {
		if !strings.HasPrefix(s[i-1].Function, "runtime.") {
			return false
		}
		if s[i].Function == "net/http.(*persistConn).roundTrip" {
			return s[i-1].Function == "runtime.chansend1"
		}
	}
	return false
}

// writes reports whether a stack writes to a connection or a file.
func writes(s traces.Stack) bool {
	for _, f := range s {
		if f.Function == "internal/poll.(*FD).Write" || f.Function == "internal/poll.(*FD).Writev" {
			return true
		}
	}
	return false
}
