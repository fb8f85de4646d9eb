// Tenants answers what a tenant may do. Each call gets a copy of the policy, so that none can spoil it.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/holdout/tenants/clone"
)

type Role struct {
	Name   string
	Grants map[string][]string
}

type Policy struct {
	Tenant string
	Roles  []*Role
	Limits map[string]int
}

type Source interface {
	Policy(tenant string) (*Policy, bool)
}

type store map[string]*Policy

func (s store) Policy(t string) (*Policy, bool) {
	p, ok := s[t]
	if !ok {
		return nil, false
	}
	return clone.Of(p), true
}

func allowed(src Source, tenant, role, verb, thing string) string {
	p, ok := src.Policy(tenant)
	if !ok {
		return "unknown"
	}
	for _, r := range p.Roles {
		if r.Name != role {
			continue
		}
		for _, t := range r.Grants[verb] {
			if t == thing {
				return "yes"
			}
		}
	}
	return "no"
}

func fill() store {
	s := store{}
	for i := range 50 {
		p := &Policy{Tenant: fmt.Sprint("t", i), Limits: map[string]int{"seats": i, "disk": 5 * i}}
		for _, role := range []string{"admin", "clerk", "guest"} {
			p.Roles = append(p.Roles, &Role{role, map[string][]string{
				"read": {"bill", "order", "client"}, "write": {"bill", "order"}, "delete": {"order"},
			}})
		}
		s[p.Tenant] = p
	}
	return s
}

func serve(src Source, c net.Conn) {
	defer c.Close()
	w := bufio.NewWriter(c)
	for sc := bufio.NewScanner(c); sc.Scan(); {
		f := strings.Fields(sc.Text())
		if len(f) != 4 {
			fmt.Fprintln(w, "tenant role verb thing")
		} else {
			fmt.Fprintln(w, allowed(src, f[0], f[1], f[2], f[3]))
		}
		w.Flush()
	}
}

func load(addr string) {
	for i := range 3 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			r := bufio.NewReader(c)
			for range time.Tick(time.Millisecond) {
				for k := range 6 {
					fmt.Fprintf(c, "t%d clerk write order\n", (i+k)%50)
					r.ReadString('\n')
				}
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprint("127.0.0.1:", *port+1)
	if *l {
		load(addr)
	}
	go func() { log.Fatal(http.ListenAndServe(fmt.Sprint("127.0.0.1:", *port), nil)) }()
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	src := fill()
	for {
		c, err := ln.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(src, c)
	}
}
