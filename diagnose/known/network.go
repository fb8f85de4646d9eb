package known

// network are the functions of connections, and of what speaks over them.
func network() []Row {
	return []Row{
		{Work: LooksUpName, Functions: []string{"net.(*Resolver).lookup*", "net.(*Resolver).goLookup*", "net.cgoLookup*",
			"net._C_getaddrinfo*"}},
		{Work: ShakesHands, Functions: []string{"crypto/tls.(*Conn).handshake*", "crypto/x509.(*Certificate).Verify*"}},
		{Work: ShakesAsClient, Functions: []string{"crypto/tls.(*Conn).clientHandshake*"}},
		{Work: ShakesAsServer, Functions: []string{"crypto/tls.(*Conn).serverHandshake*"}},
		{Work: Dials, Functions: []string{"net.(*Dialer).", "net.(*sysDialer).", "net.Dial*", "crypto/tls.Dial*"}},
		{Work: DialsForHTTP, Functions: []string{"net/http.(*Transport).dial*", "net/http.(*Transport).customDial*"}},
		{Work: ClosesConn, Functions: []string{"net/http.(*persistConn).close*", "crypto/tls.(*Conn).Close*"}},
		{Work: SizesBuffer, Functions: []string{"bufio.NewReaderSize", "bufio.NewWriterSize"}},
		{Work: FlushesBuffer, Functions: []string{"bufio.(*Writer).Flush"}},

		{Work: SetsUpTransport, Functions: []string{"net/http.(*Transport).onceSetNextProtoDefaults",
			"net/http.(*Transport).Clone", "net/http.(*Transport).CloseIdleConnections",
			"net/http.http2configureTransports*"}},
		{Work: AsksHTTP, Functions: []string{"net/http.(*Client).do", "net/http.(*Client).Do",
			"net/http.(*Transport).RoundTrip"}},
		{Work: RoundTripsHTTP, Functions: []string{"net/http.(*Transport).roundTrip"}},
		{Work: AwaitsHTTP, Functions: []string{"net/http.(*persistConn).roundTrip"}},
		{Work: ReadsForHTTP, Functions: []string{"net/http.(*persistConn).readLoop"}},
		{Work: WritesForHTTP, Functions: []string{"net/http.(*persistConn).writeLoop"}},
		{Work: OfHTTPClient, Functions: []string{"net/http.(*persistConn).", "net/http.(*Transport)."}},
		{Work: SpeaksHTTP, Functions: []string{"net/http.", "net/http/internal.", "golang.org/x/net/http2.",
			"github.com/valyala/fasthttp."}},

		{Work: CallsHandler, Functions: []string{"net/http.serverHandler.ServeHTTP"}},
		{Work: ServesConn, Functions: []string{"net/http.(*conn).serve"}},
		{Work: OfHTTP2Server, Functions: []string{"net/http.(*http2serverConn).", "net/http.initALPNProtocol*",
			"golang.org/x/net/http2.(*serverConn)."}},
		{Work: OfHTTP2, Functions: []string{"net/http/internal/http2.", "golang.org/x/net/http2."}},
		{Work: OfRequestConn, Functions: []string{"net/http.(*body)", "net/http.(*conn*", "net/http.(*response)",
			"net/http.(*http2*", "net/http.checkConnErrorWriter"}},
		{Work: WritesAnswer, Functions: []string{"net/http.checkConnErrorWriter.",
			"github.com/valyala/fasthttp.(*Server)."}},
		{Work: WatchesClient, Functions: []string{"net/http.(*connReader).backgroundRead",
			"net/http.(*connReader).startBackgroundRead.gowrap*"}},
		{Work: EndsContext, Functions: []string{"context.WithDeadlineCause.func*"}},
		{Work: ReadsRequest, Functions: []string{"net/http.readRequest", "net/http.(*conn).readRequest",
			"net/http.(*http2serverConn).newWriterAndRequestNoBody", "net/http.(*http2serverConn).newStream",
			"golang.org/x/net/http2.(*serverConn).newWriterAndRequestNoBody",
			"golang.org/x/net/http2.(*serverConn).newStream",
			"google.golang.org/grpc/internal/transport.(*http2Server).operateHeaders"}},
		{Work: AcceptsForServer, Functions: []string{"net/http.(*Server).Serve*", "google.golang.org/grpc.(*Server).Serve*",
			"github.com/valyala/fasthttp.(*Server).Serve*"}},
		{Work: ServesProfiles, Functions: []string{"net/http/pprof."}},
		{Work: ServesTrace, Functions: []string{"net/http/pprof.Trace"}},

		{Work: OfGRPC, Functions: []string{"google.golang.org/grpc."}},
		{Work: OfGRPCTransport, Functions: []string{"google.golang.org/grpc/internal/transport."}},
		{Work: CallsGRPC, Functions: []string{"google.golang.org/grpc.(*ClientConn).Invoke"}},
		{Work: StreamsGRPC, Functions: []string{"google.golang.org/grpc.(*Server).processStreamingRPC"}},
		{Work: ReceivesGRPC, Functions: []string{"google.golang.org/grpc.(*clientStream).RecvMsg",
			"google.golang.org/grpc.(*GenericClientStream*"}},

		{Work: AwaitsToBeAsked, Functions: []string{"internal/poll.(*FD).Accept", "os/signal."}},
		{Work: ReadsFD, Functions: []string{"internal/poll.(*FD).Read*", "internal/poll.(*FD).RawRead*"}},
		{Work: AwaitsConnect, Functions: []string{"internal/poll.(*FD).WaitWrite"}},
		{Work: WritesFD, Functions: []string{"internal/poll.(*FD).Write*"}},
		{Work: LocksFD, Functions: []string{"internal/poll.(*fdMutex)"}},
		{Work: OfSocket, Functions: []string{"net.(*netFD)."}},
		{Work: SendsOnSocket, Functions: []string{"net.(*netFD).Write", "net.(*netFD).writeBuffers"}},
		{Work: ReceivesOnSocket, Functions: []string{"net.(*netFD).Read"}},
		{Work: ReceivesPacket, Functions: []string{"net.(*netFD).readFrom*", "net.(*netFD).readMsg*"}},
		{Work: OfConn, Functions: []string{"net.(*conn).", "crypto/tls.(*Conn)."}},
		{Work: WritesConn, Functions: []string{"net.(*conn).Write", "crypto/tls.(*Conn).Write"}},
		{Work: ReadsConn, Functions: []string{"net.(*conn).Read", "crypto/tls.(*Conn).Read"}},
		{Work: ReadsPackets, Functions: []string{"net.(*UDPConn).Read*"}},
		{Work: PassesStream, Functions: []string{"io.Copy*", "io.copyBuffer", "net/http/httputil."}},
		{Work: CopiesStream, Functions: []string{"io.copyBuffer"}},
	}
}

// servers are the functions below which a request is answered, and those that accept the connections.
func servers() []Row {
	return []Row{
		{Functions: []string{"net/http.(*conn).serve", "net/http.serverHandler.",
			"net/http.(*http2serverConn).runHandler", "golang.org/x/net/http2.(*serverConn).runHandler",
			"google.golang.org/grpc.(*Server).handleStream"}, Roles: BeginsRequest},
		{Functions: []string{"github.com/valyala/fasthttp.(*Server).serveConn", "net/rpc.(*service).call"},
			Roles: BeginsRequest | ServesApart},
		{Functions: []string{"net/http.(*Server).Serve", "google.golang.org/grpc.(*Server).Serve",
			"github.com/valyala/fasthttp.(*Server).Serve", "net/rpc.(*Server).Accept"}, Roles: Accepts},
	}
}
