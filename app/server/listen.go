package server

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/access"
)

// Limits of the listener. A body may take long (a case of 100 MB over a slow line), and so it has no deadline as a
// whole; see slowBody.
const (
	headerTime  = 10 * time.Second
	idleTime    = 2 * time.Minute
	maxHeader   = 64 << 10 // bytes
	maxConns    = 2048
	stallTime   = 30 * time.Second // a body that brings nothing for so long ends, and so does an answer that nobody takes
	answerPiece = 64 << 10         // bytes of an answer that its reader must take within stallTime
	minRate     = 1 << 10          // bytes a second that a body must bring on average
	closingTime = 15 * time.Second // for requests that are under way at the end
)

// Serve answers on a listener until ctx ends, and then lets requests that are under way come to their end. A Server
// serves once.
func (s *Server) Serve(ctx context.Context, l net.Listener, certificates *tls.Config) error {
	hs := &http.Server{Handler: s.slowBody(s.handler), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), TLSConfig: certificates}
	return access.Serve(ctx, hs, access.Limit(hs, l, maxConns), func() { close(s.closing) }, closingTime)
}

// slowBody gives each read of a body a deadline, and the body as a whole a least rate, so that ten thousand senders of a
// byte a minute hold nothing for long. Each piece of an answer has a deadline, so that readers who stall do not either.
func (s *Server) slowBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		began := time.Now()
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &pacedBody{r.Body, control, began, 0}
		}
		_ = control.SetWriteDeadline(began.Add(answerTime))
		next.ServeHTTP(&pacedAnswer{w, control, began.Add(answerTime)}, r)
	})
}

// A pacedAnswer ends when its reader takes nothing, or very little, for stallTime.
type pacedAnswer struct {
	http.ResponseWriter
	control *http.ResponseController
	end     time.Time
}

// Unwrap lets http.ResponseController reach the connection.
func (a *pacedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *pacedAnswer) Write(p []byte) (n int, err error) {
	for {
		deadline := time.Now().Add(stallTime)
		if a.end.Before(deadline) {
			deadline = a.end
		}
		if err := a.control.SetWriteDeadline(deadline); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return n, err
		}
		piece := p[:min(len(p), answerPiece)]
		more, err := a.ResponseWriter.Write(piece)
		n, p = n+more, p[len(piece):]
		if err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// answerTime bounds a request as a whole: 1 GiB at 1 MB/s takes 18 minutes.
const answerTime = 30 * time.Minute

// A pacedBody ends when it stalls, or when it brings less than minRate on average after the first stallTime.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	began   time.Time
	bytes   int64
}

func (b *pacedBody) Read(p []byte) (int, error) {
	now := time.Now()
	deadline := now.Add(stallTime)
	slowest := b.began.Add(stallTime + time.Duration(b.bytes/minRate)*time.Second)
	if slowest.Before(deadline) {
		deadline = slowest
	}
	if err := b.control.SetReadDeadline(deadline); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	n, err := b.ReadCloser.Read(p)
	b.bytes += int64(n)
	return n, err
}
