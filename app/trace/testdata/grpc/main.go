// Command grpc writes the trace of a gRPC service, and what gRPC's own statistics say of the same calls (package
// stats): number and delays by method, of server and client. The service is that of gRPC's interoperability tests, with
// code of ours behind its methods: one answers at once, one asks the first and takes 20 ms, one computes for 4 ms, one
// fails after 8 ms, and one sends a stream. In app/:
//
//	go run ./trace/testdata/grpc trace/testdata/grpc/grpc && gzip -9n trace/testdata/grpc/grpc.trace
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"os"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	pb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
)

// callers call at once, each so many times each method.
const callers, rounds = 2, 30

func main() {
	out, err := os.Create(os.Args[1] + ".trace")
	check(err)
	seen := &ledger{calls: make(map[string][]time.Duration)}
	conn, stop := start(seen)
	client := pb.NewTestServiceClient(conn)
	_, err = client.EmptyCall(context.Background(), &pb.Empty{}) // connects
	check(err)
	seen.reset()
	check(trace.Start(out))
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range rounds {
				call(client)
			}
		})
	}
	all.Wait()
	time.Sleep(10 * time.Millisecond) // the server's side ends after the client's
	trace.Stop()
	check(out.Close())
	stop()
	seen.write(os.Args[1] + ".json")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// start starts the service, and connects to it.
func start(seen *ledger) (conn *grpc.ClientConn, stop func()) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	conn, err = grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithStatsHandler(book{seen, "gRPC client"}))
	check(err)
	s := grpc.NewServer(grpc.StatsHandler(book{seen, "gRPC server"}))
	pb.RegisterTestServiceServer(s, &service{client: pb.NewTestServiceClient(conn)})
	go s.Serve(l)
	return conn, func() { conn.Close(); s.Stop() }
}

func call(client pb.TestServiceClient) {
	ctx := context.Background()
	_, err := client.EmptyCall(ctx, &pb.Empty{})
	check(err)
	_, err = client.EmptyCall(ctx, &pb.Empty{}) // with nothing between the two
	check(err)
	_, err = client.UnaryCall(ctx, &pb.SimpleRequest{})
	check(err)
	_, err = client.CacheableUnaryCall(ctx, &pb.SimpleRequest{})
	check(err)
	if _, err = client.UnimplementedCall(ctx, &pb.Empty{}); status.Code(err) != codes.Unavailable {
		log.Fatal(err)
	}
	stream, err := client.StreamingOutputCall(ctx, &pb.StreamingOutputCallRequest{})
	check(err)
	for {
		if _, err := stream.Recv(); err == io.EOF {
			return
		}
	}
}

// service is what is behind the methods.
type service struct {
	pb.UnimplementedTestServiceServer
	client pb.TestServiceClient
}

func (s *service) EmptyCall(context.Context, *pb.Empty) (*pb.Empty, error) { return &pb.Empty{}, nil }

func (s *service) UnaryCall(ctx context.Context, _ *pb.SimpleRequest) (*pb.SimpleResponse, error) {
	_, err := s.client.EmptyCall(ctx, &pb.Empty{})
	time.Sleep(20 * time.Millisecond)
	return &pb.SimpleResponse{}, err
}

func (s *service) CacheableUnaryCall(context.Context, *pb.SimpleRequest) (*pb.SimpleResponse, error) {
	for start := time.Now(); time.Since(start) < 4*time.Millisecond; {
	}
	return &pb.SimpleResponse{}, nil
}

func (s *service) UnimplementedCall(context.Context, *pb.Empty) (*pb.Empty, error) {
	time.Sleep(8 * time.Millisecond)
	return nil, status.Error(codes.Unavailable, "come back later")
}

func (s *service) StreamingOutputCall(_ *pb.StreamingOutputCallRequest,
	to grpc.ServerStreamingServer[pb.StreamingOutputCallResponse]) error {
	for range 3 {
		time.Sleep(2 * time.Millisecond)
		if err := to.Send(&pb.StreamingOutputCallResponse{}); err != nil {
			return err
		}
	}
	return nil
}

// A ledger is what gRPC says that calls took.
type ledger struct {
	mu    sync.Mutex
	calls map[string][]time.Duration // guarded by mu; by "gRPC server TestService/UnaryCall"
}

func (l *ledger) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.calls)
}

// times are those of traces.Times that a test compares.
type times struct {
	Count int64         `json:"count"`
	Total time.Duration `json:"total_ns"`
	P50   time.Duration `json:"p50_ns"`
	P99   time.Duration `json:"p99_ns"`
}

func (l *ledger) write(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sums := make(map[string]times)
	for method, ds := range l.calls {
		slices.Sort(ds)
		t := times{Count: int64(len(ds)), P50: ds[(len(ds)-1)/2], P99: ds[(len(ds)-1)*99/100]}
		for _, d := range ds {
			t.Total += d
		}
		sums[method] = t
	}
	text, err := json.MarshalIndent(sums, "", "  ")
	check(err)
	check(os.WriteFile(name, append(text, '\n'), 0o644))
}

// book is a stats.Handler of one side.
type book struct {
	*ledger
	side string
}

type methodKey struct{}

func (b book) TagRPC(ctx context.Context, info *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, methodKey{}, strings.TrimPrefix(info.FullMethodName, "/grpc.testing."))
}

func (b book) HandleRPC(ctx context.Context, s stats.RPCStats) {
	end, ok := s.(*stats.End)
	if !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := b.side + " " + ctx.Value(methodKey{}).(string)
	b.calls[key] = append(b.calls[key], end.EndTime.Sub(end.BeginTime))
}

func (b book) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

func (b book) HandleConn(context.Context, stats.ConnStats) {}
