package main

import (
	"strings"

	"github.com/miekg/dns"
)

func work() func() {
	var rrs []dns.RR
	for _, s := range []string{"example.com. 300 IN MX 10 mail.example.com.", "example.com. 300 IN NS ns1.example.com.",
		"www.example.com. 60 IN CNAME edge.example.net.", `example.com. 300 IN TXT "v=spf1 include:example.net -all"`} {
		rr, err := dns.NewRR(s)
		check(err)
		rrs = append(rrs, rr)
	}
	return func() {
		var b strings.Builder
		for _, rr := range rrs {
			b.WriteString(rr.String())
			b.WriteByte('\n')
		}
		sink = b.String()
	}
}
