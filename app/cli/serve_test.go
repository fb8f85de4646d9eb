package cli_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof" // of the servers, on the default mux
	"os"
	"strconv"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

// serverMode makes this test binary a server that speaks a protocol, at the address and with pprof at the next address.
// serverWaste is how many allocations it adds to a request.
const (
	serverMode  = "CASEBOOK_CLI_TEST_SERVER"
	serverWaste = "CASEBOOK_CLI_TEST_WASTE"
)

// wasted keeps the compiler from removing allocations.
var wasted atomic.Pointer[[]byte]

func waste(n int) {
	for range n {
		b := make([]byte, 100)
		wasted.Store(&b)
	}
}

// beServer serves until it is killed.
func beServer(mode, addr, pprofAddr string) int {
	n, _ := strconv.Atoi(os.Getenv(serverWaste)) // none is 0
	l, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go func() { fmt.Fprintln(os.Stderr, http.ListenAndServe(pprofAddr, nil)) }()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			http.Error(w, "this is "+r.Proto, http.StatusBadRequest)
		}
		waste(n)
	})
	switch mode {
	case "grpc":
		s := grpc.NewServer(grpc.UnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo,
			next grpc.UnaryHandler) (any, error) {
			waste(n)
			return next(ctx, req)
		}))
		grpc_health_v1.RegisterHealthServer(s, health.NewServer())
		reflection.Register(s)
		err = s.Serve(l)
	case "h2c":
		s := http.Server{Handler: handler, Protocols: new(http.Protocols)}
		s.Protocols.SetUnencryptedHTTP2(true)
		err = s.Serve(l)
	case "tls":
		s := httptest.NewUnstartedServer(handler)
		s.Listener.Close() // it has its own
		s.Listener, s.EnableHTTP2 = l, true
		s.StartTLS()
		select {}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
