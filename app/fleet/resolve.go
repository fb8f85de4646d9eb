package fleet

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/internal/redact"
)

// dnsPrefix before an address makes a target of each address that its name stands for: dns+http://shop.internal:6060.
const dnsPrefix = "dns+"

const resolveTime = 5 * time.Second

// A resolver makes targets of names. Its zero value asks the system's.
type resolver struct {
	lookup func(ctx context.Context, name string) ([]netip.Addr, error) // nil: net.DefaultResolver
}

// expand returns the targets that one of the list stands for: itself, or one for each address of a name. A name that
// does not exist stands for none; any other failure is an error.
func (r *resolver) expand(ctx context.Context, t casework.WatchTarget) ([]casework.WatchTarget, error) {
	text, byName := strings.CutPrefix(t.URL, dnsPrefix)
	if !byName {
		return []casework.WatchTarget{t}, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("target %s: want something like dns+http://shop.internal:6060", redact.Text(t.URL))
	}
	addresses, err := r.resolve(ctx, u.Hostname())
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", redact.Text(t.URL), err)
	}
	var list []casework.WatchTarget
	for _, a := range addresses {
		list = append(list, at(t, u, a))
	}
	return list, nil
}

func (r *resolver) resolve(ctx context.Context, name string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, resolveTime)
	defer cancel()
	lookup := r.lookup
	if lookup == nil {
		lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	list, err := lookup(ctx, name)
	var e *net.DNSError
	if errors.As(err, &e) && e.IsNotFound {
		return nil, nil // a service that is scaled down to nothing
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i] = list[i].Unmap()
	}
	slices.SortFunc(list, netip.Addr.Compare)
	return slices.Compact(list), nil
}

// at is a target of a name at one of its addresses. The name is the service's, unless somebody gave another, and the
// name that is asked for. Its certificate must be good for the address.
func at(t casework.WatchTarget, u *url.URL, a netip.Addr) casework.WatchTarget {
	to := *u
	to.Host = a.String()
	if a.Is6() {
		to.Host = "[" + to.Host + "]"
	}
	if port := u.Port(); port != "" {
		to.Host += ":" + port
	}
	t.URL = to.String()
	if t.Service == "" {
		t.Service = u.Hostname()
	}
	header := http.Header{}
	maps.Copy(header, t.Access.Header)
	if header.Get("Host") == "" {
		header.Set("Host", u.Host)
	}
	t.Access.Header = header
	return t
}

// hostOf is the host of an address, for a target whose name is not known yet.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}
