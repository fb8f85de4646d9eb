package server

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"
)

// What is still read of a body that was refused. A server that closes a connection with bytes unread resets it, and its
// client may lose the answer that it has not read yet: clients that write all before they read are the rule.
const (
	mostUnheard = 64 << 20 // bytes
	timeUnheard = 20 * time.Second
)

// heard lets the sender of a large body see an answer that comes before all of it was read: the answer is sent, some of
// what still comes is thrown away, and the connection is closed.
func heard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &watchedBody{ReadCloser: r.Body}
		r.Body = body
		answer := &heldAnswer{header: w.Header(), code: http.StatusOK}
		next.ServeHTTP(answer, r)
		if body.ended {
			answer.send(w)
			return
		}
		control := http.NewResponseController(w)
		_ = control.EnableFullDuplex() // otherwise the server itself reads before it answers; HTTP/2 always can
		w.Header().Set("Connection", "close")
		answer.send(w)
		if control.Flush() != nil {
			return
		}
		for end, left := time.Now().Add(timeUnheard), int64(mostUnheard); left > 0 && time.Now().Before(end); {
			n, err := io.CopyN(io.Discard, body, min(left, 1<<20))
			left -= n
			if err != nil {
				return
			}
		}
	})
}

// A watchedBody knows whether it was read to its end.
type watchedBody struct {
	io.ReadCloser
	ended bool
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || err == io.EOF
	return n, err
}

// A heldAnswer is one of a few lines, which is sent when it is whole: its length has to be known, as it ends before the
// handler does.
type heldAnswer struct {
	header http.Header
	code   int
	bytes.Buffer
}

func (a *heldAnswer) Header() http.Header { return a.header }

func (a *heldAnswer) WriteHeader(code int) { a.code = code }

func (a *heldAnswer) send(w http.ResponseWriter) {
	a.header.Set("Content-Length", strconv.Itoa(a.Len()))
	w.WriteHeader(a.code)
	_, _ = a.WriteTo(w)
}
