package messages

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gocasebook/casebook/lab/serve"
)

// A service answers the requests. It may be used by many goroutines.
type service struct {
	store       store
	registry    *prometheus.Registry
	ready       atomic.Bool
	done, bytes atomic.Uint64 // messages stored, and what they had
}

func newService(c Config) (*service, error) {
	st, err := openStore(c.Dir, c.Values)
	return &service{store: st, registry: serve.NewRegistry()}, err
}

func (s *service) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", serve.Health)
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		serve.WriteReady(w, s.ready.Load(), map[string]bool{"ready": s.ready.Load()})
	})
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) {
		serve.WriteJSON(w, http.StatusOK, statsReply{s.done.Load(), s.bytes.Load()})
	})
	mux.Handle("GET /metrics", serve.Metrics(s.registry))
	messages := http.NewServeMux()
	messages.HandleFunc("PUT /messages/{sender}", s.servePut)
	messages.HandleFunc("GET /messages/{sender}", s.serveGet)
	mux.Handle("/messages/", serve.Requests(s.registry, messages))
	return mux
}

// A statsReply is the body of /stats.
type statsReply struct {
	Done  uint64 `json:"done"`  // messages stored
	Bytes uint64 `json:"bytes"` // of them
}

func (s *service) servePut(w http.ResponseWriter, r *http.Request) {
	message, err := body(w, r)
	if err != nil {
		http.Error(w, "reading the message: "+err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.put(r.PathValue("sender"), message); err != nil {
		http.Error(w, "storing the message: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// body is a request's body, read into a buffer of its size, where the request says it.
func body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	limited := http.MaxBytesReader(w, r.Body, maxMessage)
	if r.ContentLength < 0 || r.ContentLength > maxMessage {
		return io.ReadAll(limited)
	}
	message := make([]byte, r.ContentLength)
	_, err := io.ReadFull(limited, message)
	return message, err
}

func (s *service) put(sender string, message []byte) error {
	err := s.store.put(sender, message)
	if err == nil {
		s.done.Add(1)
		s.bytes.Add(uint64(len(message)))
	}
	return err
}

func (s *service) serveGet(w http.ResponseWriter, r *http.Request) {
	message, err := s.store.get(r.PathValue("sender"))
	switch {
	case err != nil:
		http.Error(w, "reading the message: "+err.Error(), http.StatusInternalServerError)
	case message == nil:
		http.NotFound(w, r)
	default:
		_, _ = w.Write(message)
	}
}

// warm stores a message of each of so many senders, and says that the service is ready.
func (s *service) warm(ctx context.Context, senders, size int) error {
	message := Message(uint64(size), size)
	for i := range senders {
		if ctx.Err() != nil {
			return nil
		}
		if err := s.put(Sender(uint64(i)), message); err != nil {
			return fmt.Errorf("storing the first messages: %w", err)
		}
	}
	s.ready.Store(true)
	return nil
}

// Sender is the name of the i-th sender.
func Sender(i uint64) string { return fmt.Sprintf("sender-%07d", i) }

// Message is a message as senders compress them: a store cannot make it smaller.
func Message(seed uint64, size int) []byte {
	message := make([]byte, size)
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	_, _ = rand.NewChaCha8(key).Read(message) // it never fails
	return message
}
