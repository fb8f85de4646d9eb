package trace

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// The methods of gRPC are told apart by the code that protoc-gen-go-grpc writes for each: a server calls
// _Greeter_SayHello_Handler, a client (*greeterClient).SayHello. So a method that is served or called without that code
// is in the row of all calls alone. A request that only computed in its handler, for less than the 10 ms after which
// the runtime preempts, has no event there: a row of its own has these. A call is one with an answer
// (ClientConn.Invoke): a stream has no function that lasts as long as it does.

// rpc is what a stack says of gRPC; nil if nothing.
type rpc struct {
	serves, calls string // the method, "Greeter/SayHello"; "" if the stack does not show it
	awaits        bool   // waits for the header of an answer: at most once each call
}

// method is the method of a region's kind.
func (c *rpc) method(k kind) string {
	switch k {
	case grpcServer:
		return c.serves
	case grpcClient:
		return c.calls
	}
	return ""
}

const (
	grpcInvoke    = "google.golang.org/grpc.(*ClientConn).Invoke"
	grpcTransport = "google.golang.org/grpc/internal/transport."
)

// inferRPC finds what a stack inside of gRPC shows.
func inferRPC(s traces.Stack) *rpc {
	c := new(rpc)
	invoked := false
	for i, f := range s {
		switch {
		case f.Function == grpcInvoke:
			invoked = true
		case invoked && c.calls == "":
			c.calls = calledMethod(f.Function)
		}
		if c.serves == "" {
			c.serves = servedMethod(f.Function)
		}
		if i > 0 && s[i-1].Function == "runtime.selectgo" && strings.HasPrefix(f.Function, grpcTransport) {
			c.awaits = c.awaits || strings.HasSuffix(f.Function, ".waitOnHeader")
		}
	}
	return c
}

// sendsRPC reports whether a stack is that of a client which begins a call or sends its message.
func sendsRPC(s traces.Stack) bool {
	for _, f := range s {
		if f.Function == grpcTransport+"(*http2Client).NewStream" || f.Function == grpcTransport+"(*http2Client).write" {
			return true
		}
	}
	return false
}

// servedMethod is "Greeter/SayHello" of "example.org/hello._Greeter_SayHello_Handler"; "" of other functions. Where the
// names have underscores of their own, nothing shows where the service's ends.
func servedMethod(function string) string {
	name := function[strings.LastIndexByte(function, '/')+1:]
	_, name, ok := strings.Cut(name, "._")
	name, ok2 := strings.CutSuffix(name, "_Handler")
	if !ok || !ok2 || strings.Contains(name, ".") || !strings.Contains(name, "_") {
		return ""
	}
	if strings.Count(name, "_") == 1 {
		name = strings.Replace(name, "_", "/", 1)
	}
	return name
}

// calledMethod is "Greeter/SayHello" of "example.org/hello.(*greeterClient).SayHello"; "" of other functions.
func calledMethod(function string) string {
	name := function[strings.LastIndexByte(function, '/')+1:]
	_, name, ok := strings.Cut(name, ".(*")
	service, method, ok2 := strings.Cut(name, "Client).")
	if !ok || !ok2 || service == "" || strings.ContainsAny(service+method, ".)[") {
		return ""
	}
	first, size := utf8.DecodeRuneInString(service)
	return string(unicode.ToUpper(first)) + service[size:] + "/" + method
}

// methodUnseen is the row of requests whose handler the trace shows no event of.
const methodUnseen = "(method not seen)"

// nameMethod gives a request to a gRPC server that ends a method, if no stack did.
func (c *tables) nameMethod(r *region) {
	if !r.user && r.of == grpcServer && r.method == nil {
		r.method = c.regions.named(r.of.String(), methodUnseen)
	}
}

// rpc notes what a stack says of the gRPC calls that its goroutine is in.
func (c *tables) rpc(g *goroutine, at *place) {
	for i := len(g.regions) - 1; i >= 0; i-- {
		r := g.regions[i]
		if r.user {
			continue
		}
		if at.rpc.awaits && r.of == grpcClient {
			if r.awaited {
				c.leaveRegion(g, i)
				c.enterKind(g, grpcClient)
				r = g.regions[len(g.regions)-1]
			}
			r.awaited = true
		}
		if name := at.rpc.method(r.of); name != "" && r.method == nil {
			r.method = c.regions.named(r.of.String(), name)
		}
	}
}
