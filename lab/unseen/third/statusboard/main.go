// Statusboard shows the state of the services of a company, which a directory knows: once, or as it changes.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type board struct {
	directory healthpb.HealthClient
	followers []healthpb.HealthClient
	next      atomic.Uint32
}

func (b *board) status(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	s, err := b.directory.Check(ctx, &healthpb.HealthCheckRequest{Service: r.PathValue("service")})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, s.Status)
}

// follow sends each state as it comes, until the page is closed.
func (b *board) follow(w http.ResponseWriter, r *http.Request) {
	client := b.followers[int(b.next.Add(1))%len(b.followers)]
	states, err := client.Watch(r.Context(), &healthpb.HealthCheckRequest{Service: r.PathValue("service")})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		s, err := states.Recv()
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", s.Status)
		http.NewResponseController(w).Flush()
	}
}

func connect() healthpb.HealthClient {
	conn, err := grpc.NewClient(*web.Peer, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	return healthpb.NewHealthClient(conn)
}

// directory allows a connection 100 streams at once, as those of large clouds do.
func directory() {
	l, err := net.Listen("tcp", *web.Peer)
	if err != nil {
		log.Fatal(err)
	}
	s := grpc.NewServer(grpc.MaxConcurrentStreams(100))
	h := health.NewServer()
	for i := range 50 {
		h.SetServingStatus(fmt.Sprintf("service%d", i), healthpb.HealthCheckResponse_SERVING)
	}
	healthpb.RegisterHealthServer(s, h)
	log.Fatal(s.Serve(l))
}

func main() {
	flag.Parse()
	if *web.Back {
		directory()
	}
	b := &board{directory: connect()}
	b.followers = []healthpb.HealthClient{b.directory}
	if form.Fixed {
		b.followers = []healthpb.HealthClient{connect(), connect(), connect(), connect()}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /services/{service}", b.status)
	mux.HandleFunc("GET /services/{service}/follow", b.follow)
	web.Serve(mux)
}
