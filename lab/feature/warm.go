package feature

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/gocasebook/casebook/lab/serve"
)

// warmBatch is how many users are asked for in one round trip: 128 groups, half a megabyte.
const warmBatch = 32

// A warmState is the progress of the warm-up.
type warmState struct {
	goal   int64
	loaded atomic.Int64
}

// Warm loads the users 1 to ComputeConfig.Warm, as a service does that must not meet its load with an empty cache;
// requests are served meanwhile. It returns when done, or with an error.
func (s *Compute) Warm(ctx context.Context) error {
	end := uint64(s.config.Warm) + 1
	for first := uint64(1); first < end; first += warmBatch {
		last := min(first+warmBatch, end)
		limited, cancel := context.WithTimeout(ctx, warmPatience)
		_, err := s.loadUsers(limited, first, last)
		cancel()
		if err != nil {
			return err
		}
		s.warm.loaded.Store(int64(last) - 1)
	}
	return nil
}

// A readyReply is the body of /readyz.
type readyReply struct {
	Ready    bool  `json:"ready"`
	Stopping bool  `json:"stopping,omitempty"`
	Warmed   int64 `json:"warmed"` // users loaded so far
	Goal     int64 `json:"goal"`   // users to load
}

// serveReady answers 200 when the cache is warm, 503 before that and once the service stops.
func (s *Compute) serveReady(w http.ResponseWriter, _ *http.Request) {
	reply := readyReply{Stopping: s.stopping.Load(), Warmed: s.warm.loaded.Load(), Goal: s.warm.goal}
	reply.Ready = reply.Warmed >= reply.Goal && !reply.Stopping
	serve.WriteReady(w, reply.Ready, reply)
}
