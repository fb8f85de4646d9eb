package hedgegrpc

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/remedy/hedge"
)

func TestMain(m *testing.M) {
	os.Exit(leaktest.Check(m.Run(), "remedy/hedge", "google.golang.org/grpc"))
}

// A health server answers at once. For a service whose name begins with "held" it holds back the first request until
// its client has left. The server recognises hedges by their number: it counts the requests of each service, and its
// client sends a hedge only when the first attempt has arrived. Without that, on a busy machine, a first attempt that
// takes longer than the delay to arrive would come second.
type health struct {
	healthpb.UnimplementedHealthServer
	left   chan struct{}
	hedged chan struct{} // receives one value for each hedge that was answered
	hurt   codes.Code    // of the second request

	mu      sync.Mutex // guards seen
	arrived *sync.Cond // of mu: seen has changed
	seen    map[string]int
}

func newHealth(hurt codes.Code) *health {
	h := &health{seen: map[string]int{}, left: make(chan struct{}, 10), hedged: make(chan struct{}, 10), hurt: hurt}
	h.arrived = sync.NewCond(&h.mu)
	return h
}

// after is an interceptor that runs after that of the hedges.
func (h *health) after(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker,
	opts ...grpc.CallOption) error {
	if hedge.Attempt(ctx) == 0 {
		return invoke(ctx, method, req, reply, cc, opts...)
	}
	h.mu.Lock()
	for h.seen[req.(*healthpb.HealthCheckRequest).Service] == 0 {
		h.arrived.Wait()
	}
	h.mu.Unlock()
	defer func() { h.hedged <- struct{}{} }()
	return invoke(ctx, method, req, reply, cc, opts...)
}

func (h *health) Check(ctx context.Context, req *healthpb.HealthCheckRequest) (*healthpb.HealthCheckResponse, error) {
	h.mu.Lock()
	h.seen[req.Service]++
	n := h.seen[req.Service]
	h.arrived.Broadcast()
	h.mu.Unlock()
	_ = grpc.SetHeader(ctx, metadata.Pairs("attempt", fmt.Sprint(n)))
	_ = grpc.SetTrailer(ctx, metadata.Pairs("attempt-trailer", fmt.Sprint(n)))
	if strings.HasPrefix(req.Service, "held") && n == 1 {
		<-ctx.Done()
		h.left <- struct{}{}
		return nil, ctx.Err()
	}
	if n == 2 && h.hurt != codes.OK {
		return nil, status.Error(h.hurt, "hurt")
	}
	return &healthpb.HealthCheckResponse{Status: healthpb.HealthCheckResponse_SERVING}, nil
}

// dial returns a client of a server of its own, whose policy knows the method's latency.
func dial(t *testing.T, hurt codes.Code, idempotent bool) (healthpb.HealthClient, *health, *hedge.Policy) {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHealth(hurt)
	srv := grpc.NewServer()
	healthpb.RegisterHealthServer(srv, h)
	served := make(chan error, 1)
	go func() { served <- srv.Serve(lis) }()
	policy, err := hedge.New(hedge.Config{MinSamples: 20, MinDelay: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	cut, err := UnaryClientInterceptor(Config{Policy: policy, Idempotent: func(m string) bool {
		return idempotent && m == healthpb.Health_Check_FullMethodName
	}})
	if err != nil {
		t.Fatal(err)
	}
	cc, err := grpc.NewClient(lis.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithChainUnaryInterceptor(cut, h.after))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cc.Close(); srv.Stop(); <-served })
	client := healthpb.NewHealthClient(cc)
	for known := !idempotent; !known; _, known = policy.For(healthpb.Health_Check_FullMethodName).Delay() {
		if _, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{Service: "warm"}); err != nil &&
			hurt == codes.OK {
			t.Fatal(err)
		}
	}
	return client, h, policy
}

func TestHedgeAnswers(t *testing.T) {
	client, h, policy := dial(t, codes.OK, true)
	var header, trailer metadata.MD
	var from peer.Peer
	finished := []error{}
	resp, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{Service: "held"}, grpc.Header(&header),
		grpc.Trailer(&trailer), grpc.Peer(&from), grpc.OnFinish(func(err error) { finished = append(finished, err) }))
	if err != nil || resp.GetStatus() != healthpb.HealthCheckResponse_SERVING {
		t.Fatalf("got %v, %v; want the hedge's answer", resp, err)
	}
	<-h.left // the server has seen the first attempt's client leave
	if got := header.Get("attempt"); len(got) != 1 || got[0] != "2" {
		t.Errorf("the header is of attempt %v, want 2", got)
	}
	if got := trailer.Get("attempt-trailer"); len(got) != 1 || got[0] != "2" {
		t.Errorf("the trailer is of attempt %v, want 2", got)
	}
	if from.Addr == nil {
		t.Error("the peer was not filled in")
	}
	if len(finished) != 1 || finished[0] != nil {
		t.Errorf("OnFinish was called with %v, want once with no error", finished)
	}
	if s := policy.Stats(); s.Won != 1 || s.InFlight != 0 {
		t.Errorf("counters are %+v, want one hedge that won", s)
	}
}

func TestAnswersThatAreErrors(t *testing.T) {
	client, _, _ := dial(t, codes.NotFound, true)
	_, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{Service: "held"})
	if status.Code(err) != codes.NotFound {
		t.Errorf("got %v, want the hedge's NotFound, which is an answer", err)
	}
}

// TestUnavailableDoesNotWin: the hedge fails at once, so the call ends as its first attempt does, when the caller
// leaves.
func TestUnavailableDoesNotWin(t *testing.T) {
	client, h, policy := dial(t, codes.Unavailable, true)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { <-h.hedged; cancel() }() // the machine decides how long a hedge takes, so this is no deadline
	_, err := client.Check(ctx, &healthpb.HealthCheckRequest{Service: "held"})
	if status.Code(err) != codes.Canceled {
		t.Errorf("got %v, want the end of the first attempt, whose caller left", err)
	}
	if s := policy.Stats(); s.Hedged != 1 || s.Won != 0 {
		t.Errorf("counters are %+v, want one hedge that did not win", s)
	}
}

func TestUnmarkedIsNotHedged(t *testing.T) {
	client, _, policy := dial(t, codes.OK, false)
	if _, err := client.Check(t.Context(), &healthpb.HealthCheckRequest{Service: "x"}); err != nil {
		t.Fatal(err)
	}
	if s := policy.Stats(); s.Calls != 0 {
		t.Errorf("a method that nobody marked went to the policy: %+v", s)
	}
	ctx := hedge.WithIdempotent(t.Context(), true)
	if _, err := client.Check(ctx, &healthpb.HealthCheckRequest{Service: "x"}); err != nil {
		t.Fatal(err)
	}
	if s := policy.Stats(); s.Calls != 1 {
		t.Errorf("a call whose context is marked did not go to the policy: %+v", s)
	}
}

func TestMarksOfTheProto(t *testing.T) {
	method := func(name string,
		level *descriptorpb.MethodOptions_IdempotencyLevel) *descriptorpb.MethodDescriptorProto {
		m := &descriptorpb.MethodDescriptorProto{Name: &name, InputType: proto.String(".users.Q"),
			OutputType: proto.String(".users.Q")}
		if level != nil {
			m.Options = &descriptorpb.MethodOptions{IdempotencyLevel: level}
		}
		return m
	}
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("users.proto"), Package: proto.String("users"),
		MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Q")}},
		Service: []*descriptorpb.ServiceDescriptorProto{{Name: proto.String("Users"),
			Method: []*descriptorpb.MethodDescriptorProto{
				method("Get", descriptorpb.MethodOptions_NO_SIDE_EFFECTS.Enum()),
				method("Put", descriptorpb.MethodOptions_IDEMPOTENT.Enum()),
				method("Add", nil),
			}}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := marks{files: &protoregistry.Files{}}
	if err := m.files.RegisterFile(file); err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]bool{"/users.Users/Get": true, "/users.Users/Put": true,
		"/users.Users/Add":  false,
		"/users.Users/None": false, "": false, "///": false} {
		for range 2 { // the second time from memory
			if got := m.idempotent(method); got != want {
				t.Errorf("%q is idempotent: %v, want %v", method, got, want)
			}
		}
	}
}

func TestConfigSaysWhatIsWrong(t *testing.T) {
	detached, err := hedge.New(hedge.Config{Detach: true})
	if err != nil {
		t.Fatal(err)
	}
	for want, cfg := range map[string]Config{"is nil": {}, "Detach": {Policy: detached}} {
		if _, err := UnaryClientInterceptor(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
