package worker

import (
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A statsReply is the body of /stats. A record counts once for each group that has it.
type statsReply struct {
	Done   uint64                `json:"done"`   // records stored
	Failed uint64                `json:"failed"` // records that could not be read and were left out
	Bytes  uint64                `json:"bytes"`  // of the messages in the records stored, decompressed
	Groups map[string]groupReply `json:"groups"`

	Fetched *fetchedReply `json:"fetched,omitempty"`
}

// A fetchedReply is what the timer has fetched.
type fetchedReply struct {
	Messages uint64  `json:"messages"`
	Seconds  float64 `json:"seconds"` // that the last time took
}

type groupReply struct {
	Done   uint64  `json:"done"`
	Failed uint64  `json:"failed"`
	Bytes  int64   `json:"bytes"`       // stored
	Age    float64 `json:"age_seconds"` // of the oldest record of the last batch when it was stored

	Calls uint64  `json:"store_calls,omitempty"`        // of the database
	Call  float64 `json:"store_call_seconds,omitempty"` // that one took, on average
}

func (w *Worker) stats() statsReply {
	reply := statsReply{Groups: map[string]groupReply{}}
	for _, g := range w.groups {
		n := g.numbers
		r := groupReply{Done: n.done.Load(), Failed: n.failed.Load(), Bytes: n.bytes.Load(),
			Age: time.Duration(n.oldest.Load()).Seconds(), Calls: n.calls.Load()}
		if r.Calls > 0 {
			r.Call = time.Duration(n.callTime.Load()).Seconds() / float64(r.Calls)
		}
		reply.Groups[g.name] = r
		reply.Done += r.Done
		reply.Failed += r.Failed
		reply.Bytes += n.read.Load()
	}
	if f := w.fetcher; f != nil {
		reply.Fetched = &fetchedReply{f.fetched.Load(), time.Duration(f.took.Load()).Seconds()}
	}
	return reply
}

func (w *Worker) serveStats(rw http.ResponseWriter, _ *http.Request) {
	serve.WriteJSON(rw, http.StatusOK, w.stats())
}

// A readyReply is the body of /readyz.
type readyReply struct {
	Ready    bool     `json:"ready"`
	Stopping bool     `json:"stopping,omitempty"`
	Waiting  []string `json:"waiting,omitempty"` // groups that have stored nothing yet
}

// serveReady answers 200 when each group has stored records, 503 before that and once the worker stops.
func (w *Worker) serveReady(rw http.ResponseWriter, _ *http.Request) {
	reply := readyReply{Stopping: w.stopping.Load()}
	for _, g := range w.groups {
		if g.numbers.done.Load() == 0 {
			reply.Waiting = append(reply.Waiting, g.name)
		}
	}
	reply.Ready = len(reply.Waiting) == 0 && !reply.Stopping
	serve.WriteReady(rw, reply.Ready, reply)
}
