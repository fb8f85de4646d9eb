// Command server looks something up in a slow place for each request, by HTTP or gRPC, and remembers it under a lock:
// what casebook prove and casebook load are shown queues with.
//
// As it was written first it takes the lock, asks, remembers and lets go: one request at a time gets through. -fixed
// asks before it takes the lock. The slow place is a peer of the process that answers -io (10 ms) after it was asked,
// over a TCP connection each.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
)

// A shop knows the price of things, which a peer tells it.
type shop struct {
	grpc_health_v1.UnimplementedHealthServer
	peer  string
	fixed bool

	mu     sync.Mutex // guards what follows
	prices map[string]string
	held   holds
}

// A holds is for how long the lock was held: what the service time of its queue is.
type holds struct {
	Count  float64 `json:"count"`
	Mean   float64 `json:"mean"`   // seconds
	Square float64 `json:"square"` // mean of the squares
}

func (h *holds) add(d time.Duration) {
	h.Count++
	h.Mean += (d.Seconds() - h.Mean) / h.Count
	h.Square += (d.Seconds()*d.Seconds() - h.Square) / h.Count
}

// price asks the peer and remembers what it says.
func (s *shop) price(thing string) (string, error) {
	if s.fixed {
		p, err := ask(s.peer, thing)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.prices[thing] = p
		return p, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	began := time.Now()
	p, err := ask(s.peer, thing)
	s.prices[thing] = p
	s.held.add(time.Since(began))
	return p, err
}

func ask(peer, thing string) (string, error) {
	conn, err := net.Dial("tcp", peer)
	if err != nil {
		return "", fmt.Errorf("asking for a price: %w", err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintln(conn, thing); err != nil {
		return "", fmt.Errorf("asking for a price: %w", err)
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("asking for a price: %w", err)
	}
	return answer, nil
}

// Check is the gRPC method that clients call; its request's service is the thing.
func (s *shop) Check(_ context.Context, req *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse,
	error) {
	if _, err := s.price(req.GetService()); err != nil {
		return nil, err
	}
	return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}, nil
}

// ServeHTTP answers /price?of=THING, and /held with the times for which the lock was held.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/held" {
		s.mu.Lock()
		defer s.mu.Unlock()
		_ = json.NewEncoder(w).Encode(s.held) // whoever asked has gone when this fails
		return
	}
	p, err := s.price(r.URL.Query().Get("of"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, p)
}

// slowPlace answers each connection's line after a time.
func slowPlace(l net.Listener, after time.Duration) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			line, err := bufio.NewReader(conn).ReadString('\n')
			if err == nil {
				time.Sleep(after)
				_, _ = fmt.Fprint(conn, "12.50 for "+line) // whoever asked has gone when this fails
			}
		}()
	}
}

func main() { os.Exit(run()) }

func run() int {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	byGRPC := flag.Bool("grpc", false, "serve gRPC in place of HTTP")
	fixed := flag.Bool("fixed", false, "do not hold the lock while asking")
	io := flag.Duration("io", 10*time.Millisecond, "how long the slow place takes")
	flag.Parse()
	peer, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		go slowPlace(peer, *io)
		s := &shop{peer: peer.Addr().String(), fixed: *fixed, prices: make(map[string]string)}
		err = s.serve(*addr, *byGRPC)
	}
	fmt.Fprintln(os.Stderr, "server:", err)
	return 1
}

// serve answers until it fails.
func (s *shop) serve(addr string, byGRPC bool) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	if byGRPC {
		srv := grpc.NewServer()
		grpc_health_v1.RegisterHealthServer(srv, s)
		reflection.Register(srv)
		return srv.Serve(l)
	}
	srv := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	return srv.Serve(l)
}
