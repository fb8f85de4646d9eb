package worker

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// ageBuckets reach from a batch that hardly lingered to a backlog of a minute, in seconds.
var ageBuckets = []float64{.05, .1, .2, .3, .5, .75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60}

// callBuckets are for calls of some hundred rows, in seconds.
var callBuckets = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10}

// groupNumbers are the numbers of one group.
type groupNumbers struct {
	done, failed atomic.Uint64 // records stored; records left out
	read         atomic.Uint64 // bytes of the records stored, decompressed
	bytes        atomic.Int64  // stored
	oldest       atomic.Int64  // age of the oldest record of the last batch when it was stored, in ns

	calls    atomic.Uint64 // of the database
	callTime atomic.Int64  // that they took, in ns

	age, call                             prometheus.Histogram
	pollErrors, storeErrors, commitErrors prometheus.Counter
}

// newGroupNumbers registers the numbers of a group, which is a label.
func newGroupNumbers(r prometheus.Registerer, name string) *groupNumbers {
	r = prometheus.WrapRegistererWith(prometheus.Labels{"group": name}, r)
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
		r.MustRegister(c)
		return c
	}
	n := &groupNumbers{
		age: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "worker_record_age_seconds", Help: "Age of a record when it was stored.", Buckets: ageBuckets}),
		call: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "worker_store_call_seconds", Help: "Time of a call of the database.", Buckets: callBuckets}),
		pollErrors:   counter("worker_poll_errors_total", "Errors in reading from the broker."),
		storeErrors:  counter("worker_store_errors_total", "Batches that could not be stored and were tried again."),
		commitErrors: counter("worker_commit_errors_total", "Offsets that could not be committed."),
	}
	of := func(name, help string, value func() float64) {
		r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
	}
	of("worker_records_total", "Records stored.", func() float64 { return float64(n.done.Load()) })
	of("worker_records_failed_total", "Records that could not be read and were left out.",
		func() float64 { return float64(n.failed.Load()) })
	of("worker_stored_bytes_total", "Bytes stored.", func() float64 { return float64(n.bytes.Load()) })
	r.MustRegister(n.age, n.call)
	return n
}

// stored counts a batch that is stored.
func (n *groupNumbers) stored(d decoded, now time.Time, bytes int64) {
	oldest := time.Duration(0)
	for _, made := range d.made {
		age := now.Sub(made)
		n.age.Observe(age.Seconds())
		oldest = max(oldest, age)
	}
	n.done.Add(uint64(len(d.batches)))
	n.failed.Add(uint64(d.failed))
	n.read.Add(uint64(d.bytes))
	n.bytes.Store(bytes)
	n.oldest.Store(int64(oldest))
}

// called counts a call of the database.
func (n *groupNumbers) called(took time.Duration) {
	n.call.Observe(took.Seconds())
	n.calls.Add(1)
	n.callTime.Add(int64(took))
}
