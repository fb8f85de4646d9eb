package access

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Limit lets a server have so many connections, and no address more than a share of them: a quarter, and three quarters
// where it is of this machine, as all who come through a proxy here have one address. Of IPv6 the first 64 bits count,
// which is what one customer has. Where the share or all is used up, the connection gives way on which nothing is answered
// and nothing was for longest: of the same address, or of the one that has most. Others wait for nothing: a new one is
// refused only where a request is being answered on each of them.
//
// Call it before the server serves. It wraps the server's Handler.
func Limit(hs *http.Server, l net.Listener, most int) net.Listener {
	hs.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if t, ok := c.(*tls.Conn); ok {
			c = t.NetConn()
		}
		return context.WithValue(ctx, memberKey{}, c)
	}
	next := hs.Handler
	hs.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if m, ok := r.Context().Value(memberKey{}).(*member); ok {
			m.answering(1)
			defer m.answering(-1)
		}
		next.ServeHTTP(w, r)
	})
	return &crowd{Listener: l, most: most, all: map[*member]struct{}{}, by: map[netip.Prefix]int{}}
}

type memberKey struct{}

// A crowd is a listener with the connections that it has accepted.
type crowd struct {
	net.Listener
	most int

	mu  sync.Mutex // guards what follows, and the fields of members
	all map[*member]struct{}
	by  map[netip.Prefix]int
}

// A member is a connection.
type member struct {
	net.Conn
	crowd *crowd
	from  netip.Prefix

	requests int       // that are being answered: several with HTTP/2
	last     time.Time // when it came, or when an answer began or ended
}

func (c *crowd) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		m := &member{Conn: conn, crowd: c, from: origin(conn.RemoteAddr().String()), last: time.Now()}
		gives, admitted := c.admit(m)
		if gives != nil {
			_ = gives.Close() // its client may have gone
		}
		if admitted {
			return m, nil
		}
		_ = conn.Close()
	}
}

// admit takes a connection in, and names the one that gives way to it.
func (c *crowd) admit(m *member) (gives *member, admitted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.by[m.from] >= c.share(m.from):
		gives = c.longestIdle(func(from netip.Prefix) bool { return from == m.from })
	case len(c.all) >= c.most:
		most := 0
		for _, n := range c.by {
			most = max(most, n)
		}
		gives = c.longestIdle(func(from netip.Prefix) bool { return c.by[from] == most })
		if gives == nil {
			gives = c.longestIdle(func(netip.Prefix) bool { return true })
		}
	default:
		c.add(m)
		return nil, true
	}
	if gives == nil {
		return nil, false
	}
	c.remove(gives)
	c.add(m)
	return gives, true
}

func (c *crowd) longestIdle(of func(netip.Prefix) bool) (found *member) {
	for m := range c.all {
		if m.requests == 0 && (found == nil || m.last.Before(found.last)) && of(m.from) {
			found = m
		}
	}
	return found
}

// share is how many connections an address may have.
func (c *crowd) share(from netip.Prefix) int {
	if from.Addr().IsLoopback() {
		return max(c.most*3/4, 1)
	}
	return max(c.most/4, 1)
}

func (c *crowd) add(m *member) {
	c.all[m] = struct{}{}
	c.by[m.from]++
}

// remove may be called again.
func (c *crowd) remove(m *member) {
	if _, ok := c.all[m]; !ok {
		return
	}
	delete(c.all, m)
	if c.by[m.from]--; c.by[m.from] == 0 {
		delete(c.by, m.from)
	}
}

// Origin is what of an address, as in http.Request.RemoteAddr, counts as one: of IPv6 the first 64 bits.
func Origin(addr string) string { return origin(addr).String() }

// origin is Origin; of what is no IP address all is one.
func origin(addr string) netip.Prefix {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return netip.Prefix{}
	}
	ip, bits := at.Addr().Unmap().WithZone(""), 32
	if ip.Is6() {
		bits = 64
	}
	if ip.IsLoopback() {
		bits = ip.BitLen()
	}
	prefix, _ := ip.Prefix(bits) // the bits are of the address
	return prefix
}

func (m *member) answering(more int) {
	m.crowd.mu.Lock()
	defer m.crowd.mu.Unlock()
	m.requests, m.last = m.requests+more, time.Now()
}

func (m *member) Close() error {
	m.crowd.mu.Lock()
	m.crowd.remove(m)
	m.crowd.mu.Unlock()
	return m.Conn.Close()
}
