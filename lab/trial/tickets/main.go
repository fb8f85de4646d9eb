// Tickets is the board of a support desk.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	mu   sync.RWMutex // guards desk
	desk desk
}

func (s *server) board(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	rows := s.desk.board(r.FormValue("team"))
	s.mu.RUnlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(rows)
}

// imported takes the comments of another system.
func (s *server) imported(w http.ResponseWriter, r *http.Request) {
	var batch []comment
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&batch); err != nil {
		http.Error(w, "not comments", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range batch {
		// The other system counts its tickets from 1.
		batch[i].Ticket = fmt.Sprintf("ticket-%05d", (len(s.desk.comments)+i)%len(s.desk.tickets))
	}
	s.desk.comments = append(s.desk.comments, batch...)
	w.WriteHeader(http.StatusNoContent)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{desk: sampleDesk(240, 60, 400)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /board", s.board)
	mux.HandleFunc("POST /import", s.imported)
	return env.Serve(ctx, env.Instrument(mux))
}

func main() {
	env := kit.Parse("tickets")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
