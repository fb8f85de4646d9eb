package net_dns_tls

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"sync"
	"time"
)

const (
	bankName    = "bank.example"
	receiptSize = 16 // bytes
)

// A bank is the other side: in this process, behind TLS on a port of its own, found by a name. Its zero value listens
// at the first use, for the life of the process.
type bank struct {
	once     sync.Once
	port     string
	roots    *x509.CertPool
	resolver *net.Resolver
	serve    func(net.Listener) // nil serves payments, a line each
}

// dialer looks up the bank's name, opens a connection and shakes hands; address is where.
func (b *bank) dialer() (d *tls.Dialer, address string) {
	b.once.Do(b.open)
	return &tls.Dialer{
		NetDialer: &net.Dialer{Resolver: b.resolver, Timeout: 5 * time.Second},
		Config:    &tls.Config{ServerName: bankName, RootCAs: b.roots},
	}, net.JoinHostPort(bankName, b.port)
}

// open begins to listen: for TLS, and for the name server. A lab without a loopback cannot go on.
func (b *bank) open() {
	cert, err := certificate()
	if err != nil {
		panic("making the bank's certificate: " + err.Error())
	}
	b.roots = x509.NewCertPool()
	b.roots.AddCert(cert.Leaf)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}})
	if err != nil {
		panic("the loopback has no free port: " + err.Error())
	}
	_, b.port, _ = net.SplitHostPort(l.Addr().String())
	names, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic("the loopback has no free port: " + err.Error())
	}
	b.resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", names.LocalAddr().String())
	}}
	if b.serve == nil {
		b.serve = accept
	}
	go b.serve(l)
	go answerNames(names)
}

// certificate is one for the bank's name that signs itself.
func certificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: bankName}, DNSNames: []string{bankName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

func accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go serveBank(conn)
	}
}

// serveBank answers a connection's payments until it ends.
func serveBank(conn net.Conn) {
	defer conn.Close()
	for in := bufio.NewScanner(conn); in.Scan(); {
		if _, err := io.WriteString(conn, "paid 79.90 EUR.\n"); err != nil {
			return
		}
	}
}

// answerNames tells whoever asks for an IPv4 address that it is the loopback (RFC 1035, section 4).
func answerNames(conn net.PacketConn) {
	buf := make([]byte, 512)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if reply := nameReply(buf[:n]); reply != nil {
			conn.WriteTo(reply, from) // who does not hear it asks again
		}
	}
}

// Parts of a name server's message.
const (
	headerSize = 12
	typeA      = 1
)

// nameReply answers a query of one question; nil for what is none.
func nameReply(query []byte) []byte {
	end := headerSize
	for end < len(query) && query[end] != 0 { // labels, each behind its length
		end += 1 + int(query[end])
	}
	if end += 5; end > len(query) { // the root label, type and class
		return nil
	}
	reply := append([]byte(nil), query[:end]...)
	// an answer, recursion available, no error; one question
	copy(reply[2:], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0})
	if query[end-4] != 0 || query[end-3] != typeA {
		return reply
	}
	reply[7] = 1 // one answer
	// the question's name; for a minute
	return append(reply, 0xc0, headerSize, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1)
}
