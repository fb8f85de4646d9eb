// Lobby tells clients, over gRPC, when a hall opens or closes. They watch all day.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

const halls = 25

func hall(i int) string { return fmt.Sprintf("hall-%d", i%halls) }

// steward opens and closes one hall after the other.
func steward(s *health.Server) {
	for i := 0; ; i++ {
		state := grpc_health_v1.HealthCheckResponse_SERVING
		if i/halls%2 == 1 {
			state = grpc_health_v1.HealthCheckResponse_NOT_SERVING
		}
		s.SetServingStatus(hall(i), state)
		time.Sleep(40 * time.Millisecond)
	}
}

func watch(conn *grpc.ClientConn, name string) error {
	req := &grpc_health_v1.HealthCheckRequest{Service: name}
	stream, err := grpc_health_v1.NewHealthClient(conn).Watch(context.Background(), req)
	for err == nil {
		_, err = stream.Recv()
	}
	return err
}

func load(addr string) error {
	failed := make(chan error)
	for range 10 {
		conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return err
		}
		for w := range 70 {
			go func() { failed <- watch(conn, hall(w)) }()
		}
	}
	return <-failed
}

func main() {
	port := flag.Int("port", 7000, "pprof; gRPC on the next")
	l := flag.Bool("load", false, "watch")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		log.Fatal(load(addr))
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	s := health.NewServer()
	for i := range halls {
		s.SetServingStatus(hall(i), grpc_health_v1.HealthCheckResponse_SERVING)
	}
	go steward(s)
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), nil)
	g := grpc.NewServer(grpc.MaxConcurrentStreams(1000))
	grpc_health_v1.RegisterHealthServer(g, s)
	log.Fatal(g.Serve(ln))
}
