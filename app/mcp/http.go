package mcp

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gocasebook/casebook/app/access"
)

// An HTTPConfig says who may speak with the server over HTTP.
type HTTPConfig struct {
	// Token is what requests must have. There is no server without one: a connection of the loopback interface may be a
	// proxy's.
	Token string
	// Hosts are names that the server goes by, beside localhost and loopback addresses.
	Hosts []string
	// Certificates make it HTTPS. Nil: plain HTTP.
	Certificates *tls.Config
}

// Path is where the endpoint is.
const Path = "/mcp"

// Limits of the listener.
const (
	headerTime  = 10 * time.Second
	bodyTime    = 30 * time.Second
	idleTime    = 2 * time.Minute
	maxHeader   = 64 << 10 // bytes
	maxConns    = 256
	sessionTime = 15 * time.Minute // of a session in which nothing is asked
	closingTime = 5 * time.Second
)

// errToken says why a server is not started.
var errToken = errors.New("a server over HTTP needs a token: --token-file FILE")

// Handler is the endpoint behind its gate.
func (s *Server) Handler(c HTTPConfig) http.Handler {
	streams := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.mcp },
		&sdk.StreamableHTTPOptions{MaxRequestBodyBytes: maxMessage, SessionTimeout: sessionTime,
			// Our own gate knows the names that the operator gave, which the SDK's does not.
			DisableLocalhostProtection: true, PropagateRequestCancellation: true})
	mux := http.NewServeMux()
	bounded := sessions{of: s.mcp, known: map[string]*session{}}
	mux.Handle(Path, http.NewCrossOriginProtection().Handler(bounded.limit(streams)))
	return s.gateway(c, mux)
}

// gateway refuses what no handler should see: a Host that is not ours (DNS rebinding), and who has no token.
func (s *Server) gateway(c HTTPConfig, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case !access.OurHost(r.Host, c.Hosts):
			http.Error(w, "this server does not go by the name in the Host header; start it with --host NAME to make it one",
				http.StatusMisdirectedRequest)
			return
		case !access.Has(r, c.Token):
			w.Header().Set("WWW-Authenticate", `Bearer realm="casebook"`)
			http.Error(w, "a token is needed: Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // answers stream as long as they must
		next.ServeHTTP(w, r)
	})
}

// ServeHTTP answers on a listener until ctx ends.
func (s *Server) ServeHTTP(ctx context.Context, l net.Listener, c HTTPConfig) error {
	if c.Token == "" {
		return errors.Join(errToken, l.Close())
	}
	hs := &http.Server{Handler: s.Handler(c), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), TLSConfig: c.Certificates}
	return access.Serve(ctx, hs, access.Limit(hs, l, maxConns), func() {
		s.desk.close()                          // what waits for a run gets its end
		for session := range s.mcp.Sessions() { // their streams last as long as they do
			_ = session.Close() // its client may have gone
		}
	}, closingTime)
}
