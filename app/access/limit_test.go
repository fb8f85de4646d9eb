package access

import (
	"net/netip"
	"testing"
	"time"
)

// came makes a connection of an address, as old as it is wanted.
func came(c *crowd, from string, age time.Duration) *member {
	return &member{crowd: c, from: origin(from), last: time.Now().Add(-age)}
}

// want admits a connection and wants which one gives way to it.
func want(t *testing.T, c *crowd, m, gives *member, admitted bool) {
	t.Helper()
	gave, ok := c.admit(m)
	if gave != gives || ok != admitted {
		t.Errorf("a connection of %s: %+v gives way, admitted %t; want %+v, %t", m.from, gave, ok, gives, admitted)
	}
}

func TestLimit(t *testing.T) {
	c := &crowd{most: 8, all: map[*member]struct{}{}, by: map[netip.Prefix]int{}}
	first, second := came(c, "10.0.0.1:1", time.Minute), came(c, "10.0.0.1:2", time.Hour)
	want(t, c, first, nil, true)
	want(t, c, second, nil, true)
	want(t, c, came(c, "10.0.0.1:3", 0), second, true) // a quarter is used: its oldest
	first.requests = 1
	third := came(c, "[::ffff:10.0.0.1]:4", 0)
	gave, ok := c.admit(third)
	if !ok || gave == nil || gave == first || gave.from != third.from {
		t.Errorf("to the fourth %+v gives way, %t; want one of the same address that answers nothing", gave, ok)
	}
	third.requests = 1
	want(t, c, came(c, "10.0.0.1:5", 0), nil, false) // all of its share answer
	proxied := make([]*member, 6)
	for i := range proxied {
		proxied[i] = came(c, "127.0.0.1:1", time.Duration(i)*time.Second)
		want(t, c, proxied[i], nil, true) // three quarters are for this machine
	}
	want(t, c, came(c, "10.0.0.2:1", 0), proxied[5], true) // all is used: the oldest of who has most
	for _, m := range proxied {
		m.requests = 1
	}
	other := came(c, "10.0.0.3:1", 0)
	if gave, ok := c.admit(other); !ok || gave.from.Addr().String() != "10.0.0.2" {
		t.Errorf("where who has most answers on each, %+v gives way, %t; want any that answers nothing", gave, ok)
	}
	other.requests = 1
	want(t, c, came(c, "10.0.0.4:1", 0), nil, false)
	c.remove(other)
	c.remove(other) // a connection is closed twice
	want(t, c, came(c, "10.0.0.4:1", 0), nil, true)
	if len(c.all) != 8 {
		t.Errorf("there are %d connections, want 8", len(c.all))
	}
}

func TestOrigin(t *testing.T) {
	for addr, want := range map[string]string{"10.0.0.1:5": "10.0.0.1/32", "[2001:db8::1]:5": "2001:db8::/64",
		"[2001:db8::ffff:1]:5": "2001:db8::/64", "[::1]:5": "::1/128", "127.0.0.2:5": "127.0.0.2/32",
		"[fe80::1%eth0]:5": "fe80::/64", "[::ffff:10.0.0.1]:5": "10.0.0.1/32"} {
		if got := origin(addr); got.String() != want {
			t.Errorf("%s is of %s, want %s", addr, got, want)
		}
	}
	if got := origin("@"); got.IsValid() {
		t.Errorf("a socket is of %s", got)
	}
}
