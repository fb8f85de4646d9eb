// Availability says whether a hotel has a room, by asking the hotel's own system, which may be slow.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

// patience is how long a guest waits for an answer.
const patience = 250 * time.Millisecond

type server struct {
	env   *kit.Env
	hotel *hotelClient
}

type result struct {
	rooms int
	err   error
}

// rooms asks the hotel, and gives up when the guest would.
func (s *server) rooms(ctx context.Context, hotel string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer := make(chan result)
	go func() {
		n, err := s.hotel.freeRooms(hotel)
		answer <- result{n, err} // trial:fault
	}()
	select {
	case r := <-answer:
		return r.rooms, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	n, err := s.rooms(r.Context(), r.PathValue("hotel"))
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		http.Error(w, "the hotel does not answer", http.StatusGatewayTimeout)
	case err != nil:
		s.env.Log.Warn("asking the hotel", "hotel", r.PathValue("hotel"), "error", err)
		http.Error(w, "the hotel cannot be asked", http.StatusBadGateway)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"hotel": r.PathValue("hotel"), "rooms": n})
	}
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{env: env, hotel: newHotelClient(env.Backend)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hotels/{hotel}/rooms", s.get)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("availability")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
