package known

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
