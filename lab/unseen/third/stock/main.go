// Stock answers how much of a product is there, which the warehouse of its region knows.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

// warehouses makes clients of warehouses.
type warehouses struct {
	mu   sync.Mutex
	kept map[string]healthpb.HealthClient
}

func dial(address string) (healthpb.HealthClient, error) {
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	return healthpb.NewHealthClient(conn), nil
}

func (ws *warehouses) client(address string) (healthpb.HealthClient, error) {
	if !form.Fixed {
		return dial(address)
	}
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if c, ok := ws.kept[address]; ok {
		return c, nil
	}
	c, err := dial(address)
	if err == nil {
		ws.kept[address] = c
	}
	return c, err
}

type shop struct{ warehouses *warehouses }

func (s *shop) stock(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	client, err := s.warehouses.client(*web.Peer)
	if err == nil {
		_, err = client.Check(ctx, &healthpb.HealthCheckRequest{Service: r.PathValue("product")})
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, "some")
}

func (s *shop) name(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, "product", r.PathValue("product"))
}

func warehouse() {
	l, err := net.Listen("tcp", *web.Peer)
	if err != nil {
		log.Fatal(err)
	}
	s, h := grpc.NewServer(), health.NewServer()
	for i := range 100 {
		h.SetServingStatus(fmt.Sprintf("p%d", i), healthpb.HealthCheckResponse_SERVING)
	}
	healthpb.RegisterHealthServer(s, h)
	log.Fatal(s.Serve(l))
}

func main() {
	flag.Parse()
	if *web.Back {
		warehouse()
	}
	s := &shop{&warehouses{kept: make(map[string]healthpb.HealthClient)}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /products/{product}/stock", s.stock)
	mux.HandleFunc("GET /products/{product}", s.name)
	web.Serve(mux)
}
