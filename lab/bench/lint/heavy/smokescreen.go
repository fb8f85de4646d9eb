package heavy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// smokescreen lets the services of a company ask others, and only those that a list allows: over tunnels, as for TLS,
// and as a plain proxy. One in eight asks for what is not allowed.
func smokescreen() Service {
	return Service{
		Name: "smokescreen", Module: "github.com/stripe/smokescreen", Version: "v0.1.0", Main: ".", Unseen: true,
		Args: []string{"--config-file={dir}/config.yaml", "--listen-ip=127.0.0.1", "--listen-port={port}",
			"--egress-acl-file={dir}/acl.yaml", "--resolver-address=127.0.0.1:{other}", "--allow-range=127.0.0.0/8",
			"--deny-range=192.0.2.0/24"},
		Config: map[string]string{"config.yaml": "allow_missing_role: true\n", "acl.yaml": smokescreenList()},
		Load:   loadSmokescreen,
	}
}

// smokescreenList has 40 services, each with its partners, and what all others may.
func smokescreenList() string {
	var b strings.Builder
	b.WriteString("version: v1\nservices:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  - name: service-%d\n    project: team-%d\n    action: enforce\n    allowed_domains:\n", i, i%7)
		for k := range 12 {
			fmt.Fprintf(&b, "      - api%d.partner%d.example\n", k, i)
		}
	}
	b.WriteString("default:\n  project: platform\n  action: enforce\n  allowed_domains:\n")
	for i := range 60 {
		fmt.Fprintf(&b, "    - api.partner%d.example\n    - \"*.vendor%d.example\"\n", i, i)
	}
	b.WriteString("global_deny_list:\n  - metadata.internal.example\n")
	return b.String()
}

func loadSmokescreen(ctx context.Context, on Target) error {
	// The partners, all at one address. {other} is a port of theirs by TCP, and of the resolver by UDP.
	partners := &http.Server{Addr: on.Other, ReadHeaderTimeout: 5 * time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"id":%q,"status":"ok","of":%q}`, r.URL.Path, r.Host)
		})}
	go partners.ListenAndServe() // until it is closed
	defer partners.Close()
	names, err := net.ListenPacket("udp", on.Other)
	if err != nil {
		return err
	}
	defer names.Close()
	go resolve(names)
	clients := times(6, func(ctx context.Context, i int) error { return tunneller(ctx, on, i) })
	clients = append(clients, times(4, func(ctx context.Context, i int) error { return proxied(ctx, on, i) })...)
	return together(ctx, clients...)
}

// resolve answers all questions for addresses with 127.0.0.1, and those for IPv6 with none.
func resolve(conn net.PacketConn) {
	b := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(b)
		if err != nil {
			return
		}
		end := 12 // RFC 1035: after the header the name, its type and its class
		for end < n && b[end] != 0 {
			end += int(b[end]) + 1
		}
		if end += 5; end > n {
			continue
		}
		answer := append([]byte{b[0], b[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, b[12:end]...)
		if b[end-3] == 1 {
			answer[7] = 1
			answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 30, 0, 4, 127, 0, 0, 1)
		}
		conn.WriteTo(answer, from) // who asked may have gone
	}
}

// partner is whom a service asks, and whether it may.
func partner(r *rand.Rand) (host string, allowed bool) {
	switch r.IntN(16) {
	case 0:
		return "metadata.internal.example", false
	case 1:
		return fmt.Sprintf("tracker%d.example.net", r.IntN(50)), false
	case 2, 3, 4, 5, 6, 7:
		return fmt.Sprintf("eu%d.vendor%d.example", r.IntN(4), r.IntN(60)), true
	}
	return fmt.Sprintf("api.partner%d.example", r.IntN(60)), true
}

// tunneller opens a tunnel and asks a few times through it.
func tunneller(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 53))
	_, port, _ := net.SplitHostPort(on.Other) // it is our own
	for ctx.Err() == nil {
		host, allowed := partner(r)
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", on.Addr)
		if err != nil {
			on.Seen.Is(ctx.Err() != nil)
			continue
		}
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		ok := tunnel(r, conn, net.JoinHostPort(host, port), allowed)
		if ctx.Err() == nil {
			on.Seen.Is(ok)
		}
		stop()
		conn.Close()
	}
	return nil
}

// tunnel says whether all went as it should.
func tunnel(r *rand.Rand, conn net.Conn, to string, allowed bool) bool {
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: Go-http-client/1.1\r\n"+
		"X-Smokescreen-Trace-ID: %016x\r\n\r\n", to, to, r.Uint64())
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	if err != nil {
		return false
	}
	if res.StatusCode != http.StatusOK || !allowed {
		return (res.StatusCode == http.StatusOK) == allowed
	}
	for range 1 + r.IntN(4) {
		fmt.Fprintf(conn, "GET /v1/charges/%d HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer of-two-minutes\r\n\r\n",
			r.IntN(10_000), to)
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			return false
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
	return true
}

// proxied asks without a tunnel, and keeps its connections to the proxy.
func proxied(ctx context.Context, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 59))
	_, port, _ := net.SplitHostPort(on.Other) // it is our own
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: on.Addr})}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		host, allowed := partner(r)
		q := get(fmt.Sprintf("/v2/rates/%d?currency=eur", r.IntN(1000)))
		if r.IntN(3) == 0 {
			q = post("/v2/events", `{"type":"invoice.paid","text":"`+text(r, 30)+`"}`)
		}
		status, _, err := send(ctx, client, "http://"+net.JoinHostPort(host, port), q)
		if ctx.Err() == nil {
			on.Seen.Is(err == nil && (status == http.StatusOK) == allowed)
		}
	}
	return nil
}
