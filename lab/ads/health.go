package ads

import (
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A readyReply is the body of /readyz.
type readyReply struct {
	Ready    bool  `json:"ready"`
	Stopping bool  `json:"stopping,omitempty"`
	Version  int64 `json:"version"` // of the catalogue; 0: none that may serve
}

// serveReady answers 200 when there is a catalogue that may serve, 503 before that and once the service stops.
func (d *Delivery) serveReady(w http.ResponseWriter, _ *http.Request) {
	reply := readyReply{Stopping: d.stopping.Load()}
	if c, err := d.current(time.Now()); err == nil {
		reply.Version = c.version
	}
	reply.Ready = reply.Version > 0 && !reply.Stopping
	serve.WriteReady(w, reply.Ready, reply)
}
