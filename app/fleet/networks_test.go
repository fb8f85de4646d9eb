package fleet

import (
	"net/netip"
	"strings"
	"testing"
)

func TestNetworks(t *testing.T) {
	for _, c := range []struct {
		allow   string
		refused string
		passes  string
	}{
		{"", "8.8.8.8 169.254.169.254 ::ffff:169.254.169.254 fd00:ec2::254 100.100.100.200 0.0.0.0 :: fe80::1%eth0 224.0.0.1 " +
			"2001:db8::1 255.255.255.255 ::ffff:8.8.8.8",
			"127.0.0.1 ::1 10.1.2.3 172.31.0.1 192.168.1.1 100.64.0.1 fd12::1 ::ffff:10.0.0.1"},
		{"10.1.0.0/16", "10.2.0.1 127.0.0.1 ::1 169.254.169.254", "10.1.0.1 ::ffff:10.1.0.1"},
		{"203.0.113.7,2001:db8::/32", "203.0.113.8 127.0.0.1", "203.0.113.7 2001:db8::9"},
		{"any", "169.254.169.254 fd00:ec2::254 100.100.100.200 0.0.0.0 ff02::1", "8.8.8.8 127.0.0.1 2001:db8::1"},
		{"169.254.0.0/16", "169.254.169.254", ""},
	} {
		var texts []string
		if c.allow != "" {
			texts = strings.Split(c.allow, ",")
		}
		n, err := ParseNetworks(texts)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range strings.Fields(c.refused) {
			if n.Check(netip.MustParseAddr(a)) == nil {
				t.Errorf("with --allow %q, %s passes", c.allow, a)
			}
		}
		for _, a := range strings.Fields(c.passes) {
			if err := n.Check(netip.MustParseAddr(a)); err != nil {
				t.Errorf("with --allow %q: %v", c.allow, err)
			}
		}
	}
	if _, err := ParseNetworks([]string{"shop.internal", "10.0.0.0/33"}); err == nil ||
		!strings.Contains(err.Error(), "shop.internal") || !strings.Contains(err.Error(), "/33") {
		t.Errorf("what is no network: %v", err)
	}
}
