package casebook

import (
	"context"
	"os"
	"os/signal"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// listen starts to receive the signals that Config names; nil if it names none.
func (w *Watch) listen() chan os.Signal {
	if len(w.cfg.Signals) == 0 {
		return nil
	}
	got := make(chan os.Signal, 1)
	signal.Notify(got, w.cfg.Signals...)
	return got
}

// awaitSignals opens a case for every signal received, until ctx ends.
func (w *Watch) awaitSignals(ctx context.Context, got chan os.Signal) {
	if got == nil {
		return
	}
	defer signal.Stop(got)
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-got:
			w.request(newJob("signal", "the process received "+s.String(), nil))
		}
	}
}

// request opens a case for which nobody waits.
func (w *Watch) request(j *job) {
	if at, ok := w.submit(j); ok {
		w.emit(Event{Kind: Tripped, Trigger: j.trigger, CaseID: j.id})
	} else if at != "" {
		w.emit(Event{Kind: Joined, Trigger: j.trigger, CaseID: at})
	}
}

// lastCaseTimeout limits the last case: somebody waits for the service to end.
const lastCaseTimeout = 5 * time.Second

// lastCase keeps what the process looked like at its end, if Config asks for it.
func (w *Watch) lastCase(ctx context.Context) {
	if !w.cfg.CaptureAtEnd {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastCaseTimeout)
	defer cancel()
	j := newJob("end", "the watch was ended", []string{
		casefile.CPU, casefile.Goroutine, casefile.GoroutineDump, casefile.Metrics, casefile.Heap, casefile.Runtime,
	})
	j.brief = true
	w.mu.Lock()
	w.current = j
	w.mu.Unlock()
	w.emit(Event{Kind: Tripped, Trigger: j.trigger, CaseID: j.id})
	w.finish(ctx, j)
}

// lastHeapDump writes the heap dump of the end, if Config asks for it.
func (w *Watch) lastHeapDump() {
	if w.cfg.HeapDumpAtEnd == "" {
		return
	}
	if err := WriteHeapDump(w.cfg.HeapDumpAtEnd); err != nil {
		w.fail(err)
	}
}
