package worker

import (
	"strings"
	"testing"
)

// TestBrokerGoesAway: the worker waits for the broker and continues when it is back, without losing a record.
func TestBrokerGoesAway(t *testing.T) {
	k := newTopic(t)
	k.send(t, 20)
	r := startWorker(t, k, t.TempDir())
	r.waitStored(t, 20)
	k.cluster.Close()
	if code, body := r.get(t, "/healthz"); code != 200 {
		t.Errorf("without a broker it answers %d %s", code, body)
	}
	k.start(t)
	k.send(t, 20)
	r.waitStored(t, 40)
	r.stopped(t)
	seen := map[string]bool{}
	for _, line := range r.lines(t) {
		seen[line] = true
	}
	if len(seen) != 40*eventsEach {
		t.Errorf("%d different events are stored, want %d", len(seen), 40*eventsEach)
	}
}

// TestNoBroker: a worker whose broker is not there yet waits for it, and stops when asked to.
func TestNoBroker(t *testing.T) {
	k := newTopic(t)
	k.cluster.Close()
	r := startWorker(t, k, t.TempDir())
	if code, body := r.get(t, "/readyz"); code != 503 ||
		!strings.Contains(body, `"waiting":["archive","table","counts"]`) {
		t.Errorf("/readyz answers %d %s, want 503 and who waits", code, body)
	}
	k.start(t)
	k.send(t, 5)
	r.waitStored(t, 5)
	k.cluster.Close()
	r.stopped(t)
	k.start(t) // for the cleanup
}
