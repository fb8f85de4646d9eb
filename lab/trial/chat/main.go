// Chat has rooms. Browsers follow a room by server-sent events, for as long as they like, and say something by POST.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/trial/kit"
)

type server struct {
	rooms *rooms
}

// follow sends what is said in a room until the browser leaves, or the seconds it asked for are over.
func (s *server) follow(w http.ResponseWriter, r *http.Request) {
	flusher, ok := w.(http.Flusher)
	if !ok {
		http.Error(w, "streams are not possible here", http.StatusNotImplemented)
		return
	}
	said, leave := s.rooms.join(r.PathValue("room"))
	defer leave()
	seconds, err := strconv.Atoi(r.FormValue("seconds"))
	if err != nil || seconds < 1 || seconds > 3600 {
		seconds = 3600
	}
	end := time.NewTimer(time.Duration(seconds) * time.Second)
	defer end.Stop()
	heartbeat := time.NewTicker(5 * time.Second)
	defer heartbeat.Stop()
	w.Header().Set("Content-Type", "text/event-stream")
	for {
		select {
		case text := <-said:
			fmt.Fprintf(w, "data: %s\n\n", strconv.Quote(text))
		case <-heartbeat.C:
			fmt.Fprint(w, ": alive\n\n")
		case <-end.C:
			return
		case <-r.Context().Done():
			return
		}
		flusher.Flush()
	}
}

func (s *server) say(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Text string `json:"text"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 4096)).Decode(&m); err != nil {
		http.Error(w, "not a message", http.StatusBadRequest)
		return
	}
	s.rooms.say(r.PathValue("room"), m.Text)
	w.WriteHeader(http.StatusAccepted)
}

func run(ctx context.Context, env *kit.Env) error {
	s := &server{rooms: newRooms()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rooms/{room}", s.follow)
	mux.HandleFunc("POST /rooms/{room}", s.say)
	return env.Serve(ctx, mux)
}

func main() {
	env := kit.Parse("chat")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
