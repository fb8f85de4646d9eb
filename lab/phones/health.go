package phones

import (
	"net/http"

	"github.com/gocasebook/casebook/lab/serve"
)

// A readyReply is the body of /readyz.
type readyReply struct {
	Ready    bool  `json:"ready"`
	Stopping bool  `json:"stopping,omitempty"`
	Warmed   int64 `json:"warmed"` // entries loaded so far
	Goal     int64 `json:"goal"`   // entries to load
}

// serveReady answers 200 when the caches are warm, 503 before that and once the gateway stops.
func (g *Gateway) serveReady(w http.ResponseWriter, _ *http.Request) {
	reply := readyReply{Stopping: g.stopping.Load(), Warmed: g.warm.loaded.Load(), Goal: g.warm.goal}
	reply.Ready = reply.Warmed >= reply.Goal && !reply.Stopping
	serve.WriteReady(w, reply.Ready, reply)
}
