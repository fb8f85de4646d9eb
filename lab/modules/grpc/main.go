// Grpc is an HTTP front over a gRPC service that it also serves itself: unary health checks and a stream that watches.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type stock struct {
	conn *grpc.ClientConn
	addr string
	sick bool
}

func (s *stock) available(ctx context.Context) (string, error) {
	if s.sick {
		return s.dialled(ctx)
	}
	res, err := healthpb.NewHealthClient(s.conn).Check(ctx, &healthpb.HealthCheckRequest{Service: "stock"})
	return res.GetStatus().String(), err
}

// dialled makes a connection for each call.
func (s *stock) dialled(ctx context.Context) (string, error) {
	conn, err := grpc.NewClient(s.addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	res, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{Service: "stock"})
	return res.GetStatus().String(), err
}

func (s *stock) watch(ctx context.Context) {
	for {
		stream, err := healthpb.NewHealthClient(s.conn).Watch(ctx, &healthpb.HealthCheckRequest{Service: "stock"})
		for err == nil {
			_, err = stream.Recv()
		}
		time.Sleep(time.Second)
	}
}

func start(o serve.Options) error {
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	srv, h := grpc.NewServer(), health.NewServer()
	h.SetServingStatus("stock", healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(srv, h)
	go srv.Serve(l)
	s := &stock{addr: l.Addr().String(), sick: o.Sick}
	if s.conn, err = grpc.NewClient(s.addr, grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		return err
	}
	for range 20 { // long streams, as watches and subscriptions are
		go s.watch(context.Background())
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		status, err := s.available(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		fmt.Fprintln(w, status)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1200, Path: func(int) string { return "/" }})
}
