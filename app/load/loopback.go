package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// ErrNotLoopback marks a target that a run may not load.
var ErrNotLoopback = errors.New("not a loopback address: add the host to AllowHosts if you may load it")

// maxHosts bounds the hosts that a Guard remembers; further ones are resolved at each request.
const maxHosts = 1024

// A Guard keeps a run from loading other people's machines by a slip of the URL. Check judges the URL before anything
// is sent; the dialer of our own transport judges the address again at the moment of connecting, because a name may
// resolve differently by then.
type Guard struct {
	allow  []string
	passed map[string]bool // hosts that passed, used by the dispatching goroutine only
}

// NewGuard allows loopback and the hosts named.
func NewGuard(allow []string) *Guard { return &Guard{allow: allow, passed: make(map[string]bool)} }

// Check says why the URL may not be loaded. It is called by one goroutine.
func (g *Guard) Check(ctx context.Context, u *url.URL) error {
	host := u.Hostname()
	if g.passed[host] {
		return nil
	}
	if host == "" {
		return fmt.Errorf("the URL %q has no host: want http://127.0.0.1:PORT/…", u.Redacted())
	}
	if !slices.Contains(g.allow, host) {
		if err := resolvesToLoopback(ctx, host); err != nil {
			return fmt.Errorf("target %s: %w", host, err)
		}
	}
	if len(g.passed) < maxHosts {
		g.passed[host] = true
	}
	return nil
}

// resolvesToLoopback says why a host is not on this machine, whichever of its addresses is taken.
func resolvesToLoopback(ctx context.Context, host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		return loopback(addr)
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return fmt.Errorf("resolving the host: %w", err)
	}
	for _, a := range addrs {
		if err := loopback(a); err != nil {
			return err
		}
	}
	return nil
}

func loopback(a netip.Addr) error {
	if a.Unmap().IsLoopback() {
		return nil
	}
	return fmt.Errorf("%s is %w", a, ErrNotLoopback)
}

// Dialer returns the dialer of a transport: it refuses what Check would.
func (g *Guard) Dialer(timeout time.Duration) func(ctx context.Context, network, addr string) (net.Conn, error) {
	free := &net.Dialer{Timeout: timeout}
	bound := &net.Dialer{Timeout: timeout, Control: func(_, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("checking the address %s: %w", address, err)
		}
		return loopback(ap.Addr())
	}}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		if host, _, err := net.SplitHostPort(addr); err == nil && slices.Contains(g.allow, host) {
			return free.DialContext(ctx, network, addr)
		}
		return bound.DialContext(ctx, network, addr)
	}
}
