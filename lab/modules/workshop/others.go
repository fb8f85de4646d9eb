package main

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"log"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/gomodule/redigo/redis"
	"github.com/miekg/dns"
	"github.com/tidwall/redcon"
	"golang.org/x/crypto/bcrypt"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// A door lets in who knows the password. It speaks the protocol of health checks, for which gRPC brings the code.
type door struct {
	healthpb.UnimplementedHealthServer
	hash []byte
}

func (d *door) Check(_ context.Context, r *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	if err := bcrypt.CompareHashAndPassword(d.hash, []byte(r.GetService())); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	return &healthpb.HealthCheckResponse{Status: healthpb.HealthCheckResponse_SERVING}, nil
}

func beginGRPC(o serve.Options, _ string) error {
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	hash, err := bcrypt.GenerateFromPassword([]byte("sesame"), 8)
	if err != nil {
		return err
	}
	s := grpc.NewServer()
	healthpb.RegisterHealthServer(s, &door{hash: hash})
	go func() { log.Fatal(s.Serve(l)) }()
	return nil
}

func askGRPC(o serve.Options) (func(int) error, error) {
	var clients []healthpb.HealthClient
	for range 8 {
		conn, err := grpc.NewClient(o.Own(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, err
		}
		clients = append(clients, healthpb.NewHealthClient(conn))
	}
	return func(i int) error {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err := clients[i%len(clients)].Check(ctx, &healthpb.HealthCheckRequest{Service: "sesame"})
		return err
	}, nil
}

// nearest is the word of a list that is nearest to one with typing errors.
func nearest(words []string, typed string) (best string) {
	least := len(typed) + 1
	for _, w := range words {
		if d := levenshtein.ComputeDistance(w, typed); d < least {
			best, least = w, d
		}
	}
	return best
}

func dictionary() (words []string) {
	for i := range 12_000 {
		words = append(words, fmt.Sprintf("%s%d", strings.Repeat("abcdefg"[i%7:i%7+1], i%5+1), i*7919%100_000))
	}
	return words
}

func beginRedcon(o serve.Options, _ string) error {
	words := dictionary()
	go func() {
		log.Fatal(redcon.ListenAndServe(o.Own(), func(c redcon.Conn, cmd redcon.Command) {
			switch {
			case len(cmd.Args) == 2 && strings.EqualFold(string(cmd.Args[0]), "get"):
				c.WriteBulkString(nearest(words, string(cmd.Args[1])))
			default:
				c.WriteString("OK")
			}
		}, func(redcon.Conn) bool { return true }, nil))
	}()
	time.Sleep(100 * time.Millisecond)
	return nil
}

func askRedcon(o serve.Options) (func(int) error, error) {
	pool := &redis.Pool{MaxIdle: room, Dial: func() (redis.Conn, error) {
		return redis.Dial("tcp", o.Own(), redis.DialReadTimeout(patience))
	}}
	return func(i int) error {
		c := pool.Get()
		defer c.Close()
		_, err := redis.String(c.Do("GET", fmt.Sprint("abc", i)))
		return err
	}, nil
}

// A signer answers with an address and its signature.
type signer struct {
	key  *dns.DNSKEY
	sign crypto.Signer
}

func (s *signer) ServeDNS(w dns.ResponseWriter, q *dns.Msg) {
	m := new(dns.Msg).SetReply(q)
	m.Authoritative = true
	a := &dns.A{A: net.IPv4(10, 0, 0, 1),
		Hdr: dns.RR_Header{Name: q.Question[0].Name, Rrtype: dns.TypeA, Class: dns.ClassINET, Ttl: 60}}
	now := uint32(time.Now().Unix())
	sig := &dns.RRSIG{Inception: now, Expiration: now + 3600, KeyTag: s.key.KeyTag(), SignerName: "example.org.",
		Algorithm: s.key.Algorithm, Hdr: dns.RR_Header{Ttl: 60}}
	if err := sig.Sign(s.sign, []dns.RR{a}); err != nil {
		m.Rcode = dns.RcodeServerFailure
	} else {
		m.Answer = []dns.RR{a, sig}
	}
	if err := w.WriteMsg(m); err != nil {
		log.Print(err)
	}
}

func beginDNS(o serve.Options, _ string) error {
	key := &dns.DNSKEY{Hdr: dns.RR_Header{Name: "example.org.", Rrtype: dns.TypeDNSKEY, Class: dns.ClassINET},
		Flags: 256, Protocol: 3, Algorithm: dns.RSASHA256}
	private, err := key.Generate(2048)
	if err != nil {
		return err
	}
	sign, ok := private.(crypto.Signer)
	if !ok {
		return errors.New("the key does not sign")
	}
	server := &dns.Server{Addr: o.Own(), Net: "udp", Handler: &signer{key, sign}}
	go func() { log.Fatal(server.ListenAndServe()) }()
	time.Sleep(100 * time.Millisecond)
	return nil
}

func askDNS(o serve.Options) (func(int) error, error) {
	c := &dns.Client{Net: "udp", Timeout: patience, UDPSize: 4096}
	var n atomic.Int64
	return func(int) error {
		_, _, err := c.Exchange(new(dns.Msg).SetQuestion(fmt.Sprintf("host%d.example.org.", n.Add(1)%6000), dns.TypeA),
			o.Own())
		return err
	}, nil
}
