package rpc_test

import (
	"context"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/rpc"
	"github.com/gocasebook/casebook/app/load/targets"
)

// A server is gRPC's health service; a request's service name chooses the answer.
type server struct {
	addr  string
	mu    sync.Mutex // guards what follows
	peers map[string]bool
	users []string // metadata x-user
	hung  func()   // called when a call hangs; nil: nothing
}

// startServer registers reflection with reflect; nil: none.
func startServer(t testing.TB, reflect func(*grpc.Server)) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{addr: l.Addr().String(), peers: make(map[string]bool)}
	srv := grpc.NewServer(grpc.UnaryInterceptor(s.answer))
	grpc_health_v1.RegisterHealthServer(srv, health.NewServer())
	if reflect != nil {
		reflect(srv)
	}
	var served sync.WaitGroup
	served.Go(func() { _ = srv.Serve(l) })
	t.Cleanup(func() {
		srv.Stop()
		served.Wait()
	})
	return s
}

func v1(s *grpc.Server) { reflection.RegisterV1(s) }
func v1alpha(s *grpc.Server) {
	grpc_reflection_v1alpha.RegisterServerReflectionServer(s,
		reflection.NewServer(reflection.ServerOptions{Services: s}))
}

func (s *server) answer(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any,
	error) {
	p, _ := peer.FromContext(ctx)
	md, _ := metadata.FromIncomingContext(ctx)
	s.mu.Lock()
	s.peers[p.Addr.String()] = true
	s.users = append(s.users, md.Get("x-user")...)
	s.mu.Unlock()
	if check, ok := req.(*grpc_health_v1.HealthCheckRequest); ok {
		switch check.Service {
		case "hang":
			s.mu.Lock()
			hung := s.hung
			s.mu.Unlock()
			if hung != nil {
				hung()
			}
			<-ctx.Done()
			return nil, ctx.Err()
		case "down":
			return nil, status.Error(codes.Unavailable, "not today")
		case "full":
			return nil, status.Error(codes.ResourceExhausted, "come back later")
		}
	}
	return handler(ctx, req)
}

func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, addr)
}

func caller(t testing.TB, cfg rpc.Config) *rpc.Caller {
	cfg.Dial = dial
	c := rpc.New(cfg)
	t.Cleanup(c.Close)
	return c
}

// calls are those of one target.
func calls(t testing.TB, c *rpc.Caller, target targets.Target) func(uint64) (load.Call, error) {
	t.Helper()
	set, err := targets.Compile([]targets.Target{target}, targets.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return func(i uint64) (load.Call, error) {
		req, err := set.Request(i)
		if err != nil {
			return nil, err
		}
		call, err := c.Prepare(t.Context(), i, req)
		if err != nil {
			return nil, err
		}
		return call.Do, nil
	}
}

const check = "/grpc.health.v1.Health/Check"

// TestOutcomes sends ten calls each, through both versions of reflection and with a protoset.
func TestOutcomes(t *testing.T) {
	for _, how := range []struct {
		name     string
		reflect  func(*grpc.Server)
		protoset []byte
	}{{"v1", v1, nil}, {"v1alpha", v1alpha, nil}, {"protoset", nil, protoset(t)}} {
		s := startServer(t, how.reflect)
		for _, c := range []struct {
			body   string
			ok     uint64
			errors load.Errors
			codes  map[string]uint64
			text   string
		}{
			{``, 10, load.Errors{}, map[string]uint64{"OK": 10}, ""},
			{`{"service": ""}`, 10, load.Errors{}, map[string]uint64{"OK": 10}, ""},
			{`{"service": "shop{{seq}}"}`, 0, load.Errors{GRPC: 10}, map[string]uint64{"NOT_FOUND": 10},
				"NOT_FOUND: unknown service"},
			{`{"service": "full"}`, 0, load.Errors{GRPC: 10}, map[string]uint64{"RESOURCE_EXHAUSTED": 10},
				"come back later"},
			{`{"service": "down"}`, 0, load.Errors{Connection: 10}, map[string]uint64{"UNAVAILABLE": 10}, "not today"},
			{`{"service": "hang"}`, 0, load.Errors{Timeout: 10}, nil, "/Check"},
		} {
			t.Run(how.name+"/"+c.body, func(t *testing.T) {
				timeout := time.Minute
				if c.errors.Timeout > 0 {
					timeout = 100 * time.Millisecond
				}
				res, err := load.Run(t.Context(), load.Config{Rate: 200, Duration: 50 * time.Millisecond,
					Timeout: timeout,
					Call: calls(t, caller(t, rpc.Config{Protoset: how.protoset}),
						targets.Target{Method: "POST", URL: "grpc://" + s.addr + check, Body: []byte(c.body)})})
				if err != nil {
					t.Fatal(err)
				}
				if res.Sent != 10 || res.OK != c.ok || res.Errors != c.errors ||
					!reflect.DeepEqual(res.Codes, c.codes) {
					t.Errorf("sent %d, ok %d, errors %+v, codes %v; want 10, %d, %+v, %v; %v", res.Sent, res.OK,
						res.Errors, res.Codes, c.ok,
						c.errors, c.codes, res.FirstErrors)
				}
				for class, text := range res.FirstErrors {
					if !strings.Contains(text, c.text) {
						t.Errorf("%s: %s, want %q", class, text, c.text)
					}
				}
			})
		}
	}
}

// protoset is the health service's descriptors as protoc would write them.
func protoset(t *testing.T) []byte {
	t.Helper()
	b, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(grpc_health_v1.File_grpc_health_v1_health_proto)}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMetadataAndConnections(t *testing.T) {
	s := startServer(t, v1)
	target := targets.Target{Method: "POST", URL: "grpc://" + s.addr + check,
		Header: http.Header{"X-User": {"u{{seq}}"}, "Content-Type": {"application/json"}}}
	res, err := load.Run(t.Context(), load.Config{Rate: 200, Duration: 60 * time.Millisecond,
		Call: calls(t, caller(t, rpc.Config{Connections: 3}), target)})
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if res.OK != 12 || len(s.peers) != 3 || len(s.users) != 12 || !strings.Contains(strings.Join(s.users, " "), "u12") {
		t.Errorf("%d answers over %d connections, users %v; want 12 over 3, u1 to u12; %v", res.OK, len(s.peers),
			s.users, res.FirstErrors)
	}
}

func TestRefused(t *testing.T) {
	s := startServer(t, v1)
	mute := startServer(t, nil)
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for _, c := range []struct {
		name, url, body string
		protoset        []byte
		header          http.Header
		want            string
	}{
		{"no path", "grpc://" + s.addr, "", nil, nil, "want a URL such as grpc://"},
		{"half a path", "grpc://" + s.addr + "/grpc.health.v1.Health", "", nil, nil, "names no method"},
		{"no port", "grpc://127.0.0.1" + check, "", nil, nil, "has no port"},
		{"unknown service", "grpc://" + s.addr + "/shop.Orders/Get", "", nil, nil,
			"no service shop.Orders: there is grpc.health.v1.Health, grpc.reflection.v1.ServerReflection"},
		{"unknown method", "grpc://" + s.addr + "/grpc.health.v1.Health/Chek", "", nil, nil,
			"no method Chek: it has Check, List, Watch"},
		{"a stream", "grpc://" + s.addr + "/grpc.health.v1.Health/Watch", "", nil, nil, "is a stream: only unary"},
		{"a message for a service", "grpc://" + s.addr + "/grpc.health.v1.HealthCheckRequest/Get", "", nil, nil,
			"is not a service"},
		{"body of another kind", "grpc://" + s.addr + check, `{"servise": "a"}`, nil, nil,
			"its fields are service (string)"},
		{"no JSON", "grpc://" + s.addr + check, `service=a`, nil, nil,
			"is not grpc.health.v1.HealthCheckRequest as JSON"},
		{"gRPC's own header", "grpc://" + s.addr + check, "", nil, http.Header{"Grpc-Timeout": {"1S"}},
			"give a deadline with --timeout"},
		{"no reflection", "grpc://" + mute.addr + check, "", nil, nil, "give its descriptors with --protoset"},
		{"nobody there", "grpc://" + gone.Addr().String() + check, "", nil, nil, "connection refused"},
		{"TLS asked of a plain server", "grpcs://" + s.addr + check, "", nil, nil, "grpc:// or grpcs://"},
		{"protoset of another service", "grpc://" + s.addr + "/shop.Orders/Get", "", protoset(t), nil,
			"there is grpc.health.v1.Health"},
		{"no protoset", "grpc://" + s.addr + check, "", []byte("syntax = \"proto3\";"), nil, "--descriptor_set_out"},
		{"empty protoset", "grpc://" + s.addr + check, "", []byte{}, nil, "is not a FileDescriptorSet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := calls(t, caller(t, rpc.Config{Protoset: c.protoset}),
				targets.Target{Method: "POST", URL: c.url, Body: []byte(c.body), Header: c.header})(0)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestCancel: calls that hang are abandoned, and are not errors.
func TestCancel(t *testing.T) {
	s := startServer(t, v1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.mu.Lock()
	s.hung = func() { cancel() }
	s.mu.Unlock()
	res, err := load.Run(ctx, load.Config{Rate: 100, Duration: time.Hour, Timeout: time.Minute,
		Call: calls(t, caller(t, rpc.Config{}), targets.Target{Method: "POST", URL: "grpc://" + s.addr + check,
			Body: []byte(`{"service": "hang"}`)})})
	if err == nil || res.Abandoned == 0 || res.Abandoned != res.Sent || res.Errors != (load.Errors{}) {
		t.Errorf("err = %v, sent %d, abandoned %d, errors %+v; want all abandoned", err, res.Sent, res.Abandoned,
			res.Errors)
	}
}

// BenchmarkPrepare is what a call costs before it is sent, on the goroutine that keeps the schedule.
func BenchmarkPrepare(b *testing.B) {
	s := startServer(b, v1)
	for _, c := range []struct{ name, body string }{{"constant", `{"service": "a"}`},
		{"template", `{"service": "a{{seq}}"}`}} {
		b.Run("body="+c.name, func(b *testing.B) {
			prepare := calls(b, caller(b, rpc.Config{}),
				targets.Target{Method: "POST", URL: "grpc://" + s.addr + check, Body: []byte(c.body)})
			b.ReportAllocs()
			var i uint64
			for b.Loop() {
				if _, err := prepare(i); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
