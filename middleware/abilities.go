package middleware

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// Handlers ask a response writer by type assertion what it can do beyond writing, and act differently if it cannot. So
// there is a type for each of the 16 sets of abilities. All of them are one pointer, so that none is allocated.

// abilities are the optional interfaces that the server's writer has.
type abilities struct{ flush, hijack, read, push bool }

func abilitiesOf(w http.ResponseWriter) (a abilities) {
	_, a.flush = w.(http.Flusher)
	_, a.hijack = w.(http.Hijacker)
	_, a.read = w.(io.ReaderFrom)
	_, a.push = w.(http.Pusher)
	return a
}

// The letters are those of Flush, Hijack, ReadFrom and Push. Each type adds one ability to the type that it embeds.
type (
	f    struct{ *request }
	h    struct{ *request }
	r    struct{ *request }
	p    struct{ *request }
	fh   struct{ f }
	fr   struct{ f }
	fp   struct{ f }
	hr   struct{ h }
	hp   struct{ h }
	rp   struct{ r }
	fhr  struct{ fh }
	fhp  struct{ fh }
	frp  struct{ fr }
	hrp  struct{ hr }
	fhrp struct{ fhr }
)

func (x f) Flush() { x.doFlush() }

func (x h) Hijack() (net.Conn, *bufio.ReadWriter, error)  { return x.doHijack() }
func (x fh) Hijack() (net.Conn, *bufio.ReadWriter, error) { return x.doHijack() }

func (x r) ReadFrom(src io.Reader) (int64, error)   { return x.doReadFrom(src) }
func (x fr) ReadFrom(src io.Reader) (int64, error)  { return x.doReadFrom(src) }
func (x hr) ReadFrom(src io.Reader) (int64, error)  { return x.doReadFrom(src) }
func (x fhr) ReadFrom(src io.Reader) (int64, error) { return x.doReadFrom(src) }

func (x p) Push(to string, o *http.PushOptions) error    { return x.doPush(to, o) }
func (x fp) Push(to string, o *http.PushOptions) error   { return x.doPush(to, o) }
func (x hp) Push(to string, o *http.PushOptions) error   { return x.doPush(to, o) }
func (x rp) Push(to string, o *http.PushOptions) error   { return x.doPush(to, o) }
func (x fhp) Push(to string, o *http.PushOptions) error  { return x.doPush(to, o) }
func (x frp) Push(to string, o *http.PushOptions) error  { return x.doPush(to, o) }
func (x hrp) Push(to string, o *http.PushOptions) error  { return x.doPush(to, o) }
func (x fhrp) Push(to string, o *http.PushOptions) error { return x.doPush(to, o) }

// writer is what the handler gets: the request with the server's abilities and no others.
func (q *request) writer() http.ResponseWriter {
	switch q.abilities {
	case abilities{flush: true, hijack: true, read: true}: // HTTP/1
		return fhr{fh{f{q}}}
	case abilities{flush: true, push: true}: // HTTP/2
		return fp{f{q}}
	case abilities{flush: true}:
		return f{q}
	case abilities{hijack: true}:
		return h{q}
	case abilities{read: true}:
		return r{q}
	case abilities{push: true}:
		return p{q}
	case abilities{flush: true, hijack: true}:
		return fh{f{q}}
	case abilities{flush: true, read: true}:
		return fr{f{q}}
	case abilities{hijack: true, read: true}:
		return hr{h{q}}
	case abilities{hijack: true, push: true}:
		return hp{h{q}}
	case abilities{read: true, push: true}:
		return rp{r{q}}
	case abilities{flush: true, hijack: true, push: true}:
		return fhp{fh{f{q}}}
	case abilities{flush: true, read: true, push: true}:
		return frp{fr{f{q}}}
	case abilities{hijack: true, read: true, push: true}:
		return hrp{hr{h{q}}}
	case abilities{flush: true, hijack: true, read: true, push: true}:
		return fhrp{fhr{fh{f{q}}}}
	}
	return q
}

// The do methods ask again what the server's writer can: after the handler has returned it is spent{}, which can
// nothing.

func (q *request) doFlush() {
	if w, ok := q.w.(http.Flusher); ok {
		w.Flush()
		q.flushed()
	}
}

func (q *request) doHijack() (net.Conn, *bufio.ReadWriter, error) {
	w, ok := q.w.(http.Hijacker)
	if !ok {
		return nil, nil, errSpent
	}
	return q.hijackBy(w.Hijack)
}

// doReadFrom leaves the copy to the server's writer, which has the kernel send a file on its own.
func (q *request) doReadFrom(src io.Reader) (int64, error) {
	w, ok := q.w.(io.ReaderFrom)
	if !ok {
		return 0, errSpent
	}
	q.answer(http.StatusOK)
	return w.ReadFrom(src)
}

func (q *request) doPush(target string, opts *http.PushOptions) error {
	w, ok := q.w.(http.Pusher)
	if !ok {
		return errSpent
	}
	return w.Push(target, opts)
}
