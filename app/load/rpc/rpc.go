// Package rpc makes gRPC calls for a load.
//
// The problem: to call a method of another program, the caller must know its messages; and a load should not spend CPU
// on turning JSON into protobuf before each call.
//
// The approach: a target is a URL, grpc://HOST/package.Service/Method, with the message as JSON in the body and
// metadata in the headers, so that HTTP's targets and templates work for gRPC. The method is looked up once, through
// the server's reflection (grpc.reflection.v1, or v1alpha) or in a FileDescriptorSet. JSON becomes protobuf once for
// each different body. Calls use google.golang.org/grpc with a codec that passes bytes through: answers are read but
// not decoded.
//
// The limits: unary methods only. A status of UNAVAILABLE counts as a failed connection, whether the client or the
// server produced it: gRPC does not distinguish the two.
package rpc

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// A Config says how servers are reached.
type Config struct {
	Protoset    []byte      // a FileDescriptorSet; nil asks the servers' reflection
	TLS         *tls.Config // for grpcs; nil means the system's roots
	Connections int         // calls are shared out over so many a server; 0 means 1
	// Dial opens connections: a load.Guard's Dialer.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

const (
	maxAnswer = 64 << 20 // bytes
	// at most this long after a failed connection, so that a server that comes back is seen
	connectAgain    = time.Second
	describeTimeout = 10 * time.Second
	maxEncoded      = 4096 // bodies of a method that are kept as protobuf
	maxEncodedBytes = 64 << 20
)

// A Caller builds calls. Its Call is used by one goroutine at a time; the calls themselves run at once.
type Caller struct {
	cfg     Config
	servers map[string]*server // by scheme and host
}

// A server is the connections to one host and the methods that were found there.
type server struct {
	conns   []*grpc.ClientConn
	methods map[string]*method
}

// New makes a Caller. Close closes its connections.
func New(cfg Config) *Caller { return &Caller{cfg: cfg, servers: make(map[string]*server)} }

// Close closes all connections.
func (c *Caller) Close() {
	for _, s := range c.servers {
		for _, conn := range s.conns {
			_ = conn.Close() // nothing is owed to it any more
		}
	}
}

// server returns the one that a URL names, connected when it is first called.
func (c *Caller) server(scheme, host string) (*server, error) {
	key := scheme + "://" + host
	if s := c.servers[key]; s != nil {
		return s, nil
	}
	addr := host
	if _, _, err := net.SplitHostPort(host); err != nil {
		return nil, fmt.Errorf("the host %s has no port: want one such as 127.0.0.1:9090", host)
	}
	cred := insecure.NewCredentials()
	if scheme == "grpcs" {
		cred = credentials.NewTLS(c.cfg.TLS)
	}
	s := &server{methods: make(map[string]*method)}
	for range max(c.cfg.Connections, 1) {
		conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(cred), grpc.WithNoProxy(),
			grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn,
				error) {
				return c.cfg.Dial(ctx, "tcp", addr)
			}),
			grpc.WithUserAgent("casebook-load"), grpc.WithDisableServiceConfig(), grpc.WithDisableRetry(),
			grpc.WithIdleTimeout(0),
			grpc.WithConnectParams(grpc.ConnectParams{
				Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 2, Jitter: 0.2,
					MaxDelay: connectAgain},
				MinConnectTimeout: connectAgain,
			}),
			grpc.WithDefaultCallOptions(grpc.ForceCodecV2(bytesCodec{}), grpc.MaxCallRecvMsgSize(maxAnswer)))
		if err != nil {
			return nil, fmt.Errorf("connecting to %s: %w", addr, err)
		}
		s.conns = append(s.conns, conn)
	}
	c.servers[key] = s
	return s, nil
}

// method returns the one that a URL's path names, looked up when it is first called.
func (c *Caller) method(ctx context.Context, s *server, path string) (*method, error) {
	if m := s.methods[path]; m != nil {
		return m, nil
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	m, err := findMethod(ctx, s.conns[0], c.cfg.Protoset, path)
	if err != nil {
		return nil, err
	}
	s.methods[path] = m
	return m, nil
}

// Prepare makes the call that a request describes.
func (c *Caller) Prepare(ctx context.Context, i uint64, req *http.Request) (*Call, error) {
	s, err := c.server(req.URL.Scheme, req.URL.Host)
	if err != nil {
		return nil, err
	}
	m, err := c.method(ctx, s, req.URL.Path)
	if err != nil {
		return nil, err
	}
	var body []byte
	if req.Body != nil {
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, fmt.Errorf("reading the body: %w", err)
		}
	}
	call := &Call{conn: s.conns[i%uint64(len(s.conns))], path: req.URL.Path}
	if call.message, err = m.encode(body); err != nil {
		return nil, err
	}
	call.metadata, err = metadataOf(req.Header)
	return call, err
}

// metadataOf returns a request's headers as metadata, without those that are HTTP's own.
func metadataOf(h http.Header) (metadata.MD, error) {
	var md metadata.MD
	for name, values := range h {
		key := strings.ToLower(name)
		switch {
		case key == "user-agent" || key == "content-type" || key == "te":
			continue
		case strings.HasPrefix(key, "grpc-"):
			return nil, fmt.Errorf("the header %s is gRPC's own: leave it out, and give a deadline with --timeout",
				name)
		}
		if md == nil {
			md = make(metadata.MD, len(h))
		}
		md[key] = values
	}
	return md, nil
}

// errNoMethod is the answer to a URL whose path names no method.
var errNoMethod = errors.New("want a URL such as grpc://127.0.0.1:9090/package.Service/Method")
