package stringcompare

import (
	"net"
	"net/netip"
	"time"
)

func same(a, b net.IP) bool { return a.String() == b.String() } // want `use its Equal`

func addresses(a, b netip.Addr) bool { return a.String() != b.String() } // want `== compares the values`

func prefixes(a, b netip.Prefix) bool { return a.String() == b.String() } // want `== compares the values`

func times(a, b time.Time) bool {
	if a.String() == b.String() { // want `use its Equal`
		return true
	}
	return false
}

// What follows is fine.

type color int

func (c color) String() string { return "red" }

func colors(a, b color) bool { return a.String() == b.String() }

func constant(a net.IP) bool { return a.String() == "::1" }

func mixed(a net.IP, b net.IPNet) bool { return a.String() == b.String() }

func any2(a, b net.Addr) bool { return a.String() == b.String() }
