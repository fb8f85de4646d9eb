package server

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/fleet"
)

// targets lists what this server watches.
func (s *Server) targets(w http.ResponseWriter, _ *http.Request) {
	list := []fleet.Target{}
	problem := ""
	if s.cfg.Fleet != nil {
		list, problem = s.cfg.Fleet.Targets(), s.cfg.Fleet.Problem()
	}
	answer := map[string]any{"targets": list}
	if problem != "" {
		answer["problem"] = problem
	}
	answerJSON(w, http.StatusOK, answer)
}

func (s *Server) target(w http.ResponseWriter, r *http.Request) {
	if st, ok := s.statusOf(w, r); ok {
		answerJSON(w, http.StatusOK, st)
	}
}

// statusOf is the live state of the target that a request names. It answers where there is none.
func (s *Server) statusOf(w http.ResponseWriter, r *http.Request) (st fleet.Status, ok bool) {
	if s.cfg.Fleet != nil {
		st, ok = s.cfg.Fleet.Status(r.PathValue("id"))
	}
	if !ok {
		answerProblem(w, http.StatusNotFound, "there is no such target; GET /api/v1/targets lists what this server "+
			"watches (--target, --targets)")
	}
	return st, ok
}

const (
	liveBeat = 10 * time.Second       // between two signs of life of a quiet stream
	livePace = 500 * time.Millisecond // between two states: no person reads faster
	liveTime = 5 * time.Minute        // of a stream. A browser opens the next by itself, if its token is still good
)

// events sends a target's state and events as they come (Server-Sent Events, the HTML standard, 9.2).
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	st, ok := s.statusOf(w, r)
	if !ok {
		return
	}
	l, ok := s.cfg.Fleet.Listen(st.ID)
	if !ok {
		w.Header().Set("Retry-After", "10")
		answerProblem(w, http.StatusServiceUnavailable, "too many listen to this target; try again")
		return
	}
	defer l.Close()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for nginx
	ctx, cancel := context.WithTimeout(r.Context(), liveTime)
	defer cancel()
	out := &stream{w: w, control: http.NewResponseController(w)}
	if out.send("status", st) == nil {
		s.follow(ctx, l, out)
	}
}

// follow sends until the reader, the target or the server is gone.
func (s *Server) follow(ctx context.Context, l *fleet.Listener, out *stream) {
	beat := time.NewTicker(liveBeat)
	defer beat.Stop()
	id := l.ID()
	for {
		fresh := true
		select {
		case <-ctx.Done():
			return
		case <-s.closing:
			return
		case <-beat.C:
		case e, more := <-l.C:
			if !more {
				_ = out.send("gone", struct{}{})
				return
			}
			if e.Line != nil && out.send("event", e.Line) != nil {
				return
			}
			fresh = e.Line != nil || time.Since(out.last) >= livePace
		}
		if !fresh {
			continue
		}
		st, ok := s.cfg.Fleet.Status(id)
		if !ok || out.send("status", st) != nil {
			return
		}
		out.last = time.Now()
	}
}

// A stream is the answer of an event source.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	last    time.Time // when a state was sent
}

func (o *stream) send(event string, v any) error {
	data, err := json.Marshal(v) // has no line break
	if err != nil {
		return err
	}
	text := append([]byte("event: "+event+"\ndata: "), data...)
	if _, err := o.w.Write(append(text, "\n\n"...)); err != nil {
		return err
	}
	return o.control.Flush()
}
