package doctor

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// A Scope is the widest circle of those who can read the endpoint without credentials, as far as this machine can see.
type Scope string

// The scopes, the narrowest first.
const (
	Protected Scope = "protected" // nobody: it asks for credentials
	Socket    Scope = "socket"    // users of this machine who may write to the socket
	Loopback  Scope = "loopback"  // users of this machine
	Private   Scope = "private"   // the network: RFC 1918, RFC 4193, RFC 6598, link-local
	Public    Scope = "public"    // an address that the Internet routes
	Unseen    Scope = "unseen"    // it was asked through the API server of a cluster: its own address is not seen here
)

// An Exposure is who else can read the endpoint.
type Exposure struct {
	Scope Scope    `json:"scope"`
	Open  []string `json:"open,omitempty"`  // addresses that answered without credentials
	Local bool     `json:"local"`           // the target runs on this machine: its other addresses were asked, too
	Plain bool     `json:"plain,omitempty"` // without TLS
	Mode  string   `json:"mode,omitempty"`  // of a socket's file
}

// exposure asks the endpoint without credentials, under each address that is known for it.
func (e *examination) exposure(ctx context.Context) {
	if path, ok := strings.CutPrefix(e.HTTP.URL(), "unix://"); ok {
		socket, _, _ := strings.Cut(path, ":/")
		e.Exposure = Exposure{Scope: Socket, Local: true, Mode: socketMode(socket)}
		return
	}
	if e.Access.Gateway != nil {
		e.Exposure = Exposure{Scope: Unseen}
		return
	}
	u, err := url.Parse(e.HTTP.URL())
	if err != nil {
		return
	}
	x := Exposure{Scope: Protected, Plain: u.Scheme == "http"}
	given := resolve(ctx, u.Hostname())
	ask := []string{u.Host}
	if x.Local = ofThisMachine(given); x.Local {
		for _, ip := range own() {
			if host := net.JoinHostPort(ip.String(), portOf(u)); host != u.Host {
				ask = append(ask, host)
			}
		}
	}
	for _, host := range ask {
		at := *u
		at.Host = host
		if !e.answers(ctx, at.String()) {
			continue
		}
		x.Open = append(x.Open, host)
		for _, ip := range resolve(ctx, at.Hostname()) {
			x.Scope = wider(x.Scope, scopeOf(ip))
		}
	}
	e.Exposure = x
}

// answers reports whether the index page is shown to somebody without credentials.
func (e *examination) answers(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	t, err := instance.NewHTTPWith(address, instance.HTTPOptions{
		Insecure: true,                                   // who looks in does not mind the name
		Allow:    func(netip.Addr) error { return nil }}) // no proxy, which would ask in our place
	if err != nil {
		return false
	}
	defer t.CloseIdle()
	s := vitals.NewSample(time.Now())
	err = t.Sample(ctx, &s)
	var status *instance.StatusError
	return err == nil || errors.As(err, &status) && status.Status == http.StatusTooManyRequests
}

// socketMode is the permissions of a socket's file, "" if they cannot be read.
func socketMode(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return info.Mode().Perm().String()
}

// openToAll reports whether every user of the machine may connect to a socket with these permissions.
func openToAll(mode string) bool {
	return len(mode) > 1 && mode[len(mode)-2] == 'w'
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

func resolve(ctx context.Context, host string) []netip.Addr {
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip.Unmap()}
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	for i := range ips {
		ips[i] = ips[i].Unmap()
	}
	return ips
}

// own is the addresses of this machine that others may reach it by. An IPv6 link-local one would need a zone.
func own() (ips []netip.Addr) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		n, ok := a.(*net.IPNet)
		if !ok {
			continue
		}
		ip, ok := netip.AddrFromSlice(n.IP)
		if ip = ip.Unmap(); ok && !ip.IsLoopback() && !(ip.Is6() && ip.IsLinkLocalUnicast()) {
			ips = append(ips, ip)
		}
	}
	return ips
}

func ofThisMachine(ips []netip.Addr) bool {
	mine := own()
	return slices.ContainsFunc(ips, func(ip netip.Addr) bool {
		return ip.IsLoopback() || ip.IsUnspecified() || slices.Contains(mine, ip)
	})
}

var carrierGrade = netip.MustParsePrefix("100.64.0.0/10") // RFC 6598

func scopeOf(ip netip.Addr) Scope {
	switch {
	case ip.IsLoopback(), ip.IsUnspecified():
		return Loopback
	case ip.IsPrivate(), ip.IsLinkLocalUnicast(), carrierGrade.Contains(ip):
		return Private
	}
	return Public
}

func wider(a, b Scope) Scope {
	order := []Scope{Protected, Socket, Loopback, Private, Public}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}
