package main

import "github.com/miekg/dns"

func work() func() {
	names := []string{"www.example.com.", "a.b.c.d.example.co.uk.", "example.org.", "_sip._tcp.example.net."}
	return func() {
		n := 0
		for _, a := range names {
			for _, b := range names {
				n += dns.CompareDomainName(a, b)
			}
			n += len(dns.SplitDomainName(a)) + dns.CountLabel(a)
		}
		sink = n
	}
}
