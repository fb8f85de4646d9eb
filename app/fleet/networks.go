package fleet

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Networks are the addresses that targets may have. What is checked is the address of each connection, after a name was
// resolved: a name of a target may belong to somebody else, and stand for another address at the next look.
type Networks struct {
	all     bool // every address but those of never
	allowed []netip.Prefix
}

// DefaultNetworks are this machine and private networks (RFC 1918, RFC 4193, RFC 6598): where services are that mount
// net/http/pprof.
func DefaultNetworks() Networks {
	return Networks{allowed: prefixes("127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
		"100.64.0.0/10", "fc00::/7")}
}

// never are addresses that no target has, whatever is allowed: of link-local scope, where clouds have the service that
// gives credentials to whoever asks (169.254.169.254), that service's other addresses at Amazon and at Alibaba, the
// unspecified address, multicast, broadcast.
var never = prefixes("169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "100.100.100.200/32", "192.0.0.192/32",
	"0.0.0.0/8", "::/128", "224.0.0.0/4", "ff00::/8", "255.255.255.255/32")

func prefixes(texts ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		list[i] = netip.MustParsePrefix(text)
	}
	return list
}

// ParseNetworks reads "10.1.0.0/16", "203.0.113.7" and "any". No text at all means DefaultNetworks.
func ParseNetworks(texts []string) (Networks, error) {
	if len(texts) == 0 {
		return DefaultNetworks(), nil
	}
	var n Networks
	var errs []error
	for _, text := range texts {
		p, err := parseNetwork(text)
		switch {
		case text == "any":
			n.all = true
		case err != nil:
			errs = append(errs, err)
		default:
			n.allowed = append(n.allowed, p)
		}
	}
	return n, errors.Join(errs...)
}

func parseNetwork(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		p, err := netip.ParsePrefix(text)
		if err == nil {
			return p.Masked(), nil
		}
	} else if a, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
	}
	return netip.Prefix{}, fmt.Errorf("%.60q is not a network; want something like 10.1.0.0/16 or 203.0.113.7, or any: "+
		"names are checked by the addresses that they stand for", text)
}

func (n Networks) empty() bool { return !n.all && len(n.allowed) == 0 }

// Check refuses an address that no target may have.
func (n Networks) Check(a netip.Addr) error {
	a = a.Unmap().WithZone("")
	in := func(p netip.Prefix) bool { return p.Contains(a) }
	switch {
	case slices.ContainsFunc(never, in):
		return fmt.Errorf("%s is refused: no service has such an address, and a cloud's credentials are there", a)
	case n.all || slices.ContainsFunc(n.allowed, in):
		return nil
	}
	return fmt.Errorf("%s is not in the networks that may be asked; --allow %s adds it", a, a)
}
