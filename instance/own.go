package instance

import (
	"io"
	"net/http"
	"slices"
	"sync"
	"time"
)

// OwnRequests returns what a client of this package (HTTP.PageClient) has asked its origin for: how long each request
// took that ended after from, until to, and how many were under way at some time between begun and to. A service that
// counts all that it is asked for counts these, too. Of another client nothing is known.
func OwnRequests(client *http.Client, from, begun, to time.Time) (ended []time.Duration, underWay int) {
	t, ok := client.Transport.(*transport)
	if !ok {
		return nil, 0
	}
	return t.asked.between(from, begun, to)
}

// asked remembers the requests of a transport. The zero value is ready.
type asked struct {
	mu   sync.Mutex
	last []*request // by their beginning
}

// A request is under way as long as its end is zero.
type request struct{ begin, end time.Time }

// maxAsked bounds what is remembered: a page is read every few seconds, and a tick asks for two or three.
const maxAsked = 256

// begin notes a request. What it returns notes its end, once, however often it is called.
func (a *asked) begin() (end func()) {
	r := &request{begin: time.Now()}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.last) == maxAsked {
		a.last = slices.Delete(a.last, 0, maxAsked/2)
	}
	a.last = append(a.last, r)
	return sync.OnceFunc(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		r.end = time.Now()
	})
}

func (a *asked) between(from, begun, to time.Time) (ended []time.Duration, underWay int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.last {
		if r.begin.After(to) {
			continue
		}
		over := !r.end.IsZero() && !r.end.After(to)
		if !over || r.end.After(begun) {
			underWay++
		}
		if over && r.end.After(from) {
			ended = append(ended, r.end.Sub(r.begin))
		}
	}
	return ended, underWay
}

// endingBody ends a request when its answer has been read, or is not read any further.
type endingBody struct {
	io.ReadCloser
	end func()
}

func (b endingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.end()
	}
	return n, err
}

func (b endingBody) Close() error {
	b.end()
	return b.ReadCloser.Close()
}
