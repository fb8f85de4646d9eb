package ads

import (
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/lab/serve"
)

// A readyReply is the body of /readyz.
type readyReply struct {
	Ready    bool  `json:"ready"`
	Stopping bool  `json:"stopping,omitempty"`
	Version  int64 `json:"version"` // of the catalogue; 0: none that may serve
}

// serveHealth says that the process answers.
func (d *Delivery) serveHealth(w http.ResponseWriter, _ *http.Request) {
	serve.WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// serveReady answers 200 when there is a catalogue that may serve, 503 before that and once the service stops.
func (d *Delivery) serveReady(w http.ResponseWriter, _ *http.Request) {
	reply := readyReply{Stopping: d.stopping.Load()}
	if c, err := d.current(time.Now()); err == nil {
		reply.Version = c.version
	}
	reply.Ready = reply.Version > 0 && !reply.Stopping
	status := http.StatusOK
	if !reply.Ready {
		status = http.StatusServiceUnavailable
	}
	serve.WriteJSON(w, status, reply)
}
