// Names is an authoritative DNS server over miekg/dns.
package main

import (
	"fmt"
	"log"
	"net"
	"time"

	"github.com/miekg/dns"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type zone map[string]net.IP

func (z zone) ServeDNS(w dns.ResponseWriter, q *dns.Msg) {
	m := new(dns.Msg).SetReply(q)
	m.Authoritative = true
	name := q.Question[0].Name
	if ip, ok := z[name]; ok {
		m.Answer = append(m.Answer, &dns.A{A: ip,
			Hdr: dns.RR_Header{Name: name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 60}})
	} else {
		m.Rcode = dns.RcodeNameError
	}
	if err := w.WriteMsg(m); err != nil {
		log.Print(err)
	}
}

func start(o serve.Options) error {
	z := zone{}
	for i := range 5000 {
		z[fmt.Sprintf("host%d.example.org.", i)] = net.IPv4(10, 0, byte(i>>8), byte(i))
	}
	for _, network := range []string{"udp", "tcp"} {
		s := &dns.Server{Addr: o.Own(), Net: network, Handler: z}
		go func() { log.Fatal(s.ListenAndServe()) }()
	}
	time.Sleep(100 * time.Millisecond)
	return nil
}

// load asks from 16 sockets, half of them TCP connections.
func load(o serve.Options) {
	for k := range 16 {
		go func() {
			c := &dns.Client{Net: []string{"udp", "tcp"}[k%2]}
			conn, err := c.Dial(o.Own())
			if err != nil {
				log.Fatal(err)
			}
			i := 0
			for range time.Tick(400 * time.Microsecond) {
				i++
				q := new(dns.Msg).SetQuestion(fmt.Sprintf("host%d.example.org.", i%6000), dns.TypeA)
				if _, _, err := c.ExchangeWithConn(q, conn); err != nil {
					log.Print(err)
				}
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
