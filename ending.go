package casebook

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
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

// create starts a case. On a full disk old cases beyond the limits are removed first. The others were meant to be kept,
// and something else may have filled the disk.
func (w *Watch) create(c casefile.Case) (*casefile.Writer, error) {
	out, err := casefile.Dir(w.cfg.Dir).Create(c)
	if isFull(err) && len(w.prune().Removed) > 0 {
		out, err = casefile.Dir(w.cfg.Dir).Create(c)
	}
	return out, err
}

// isFull reports whether an error is of a disk without room.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// unwritten reports a case without a folder to the log, OnEvent and the reporters: it is worth knowing that a rule
// tripped, even without evidence. The rest of the case is in an unfinished folder, if at all, and is reported again
// when the next start finishes it.
func (w *Watch) unwritten(id string, target casefile.Target, trigger casefile.Trigger, also []casefile.Trigger,
	err error) {
	w.fail(err)
	w.emit(Event{Kind: Failed, CaseID: id, Trigger: trigger, Err: err})
	s := w.running()
	if s == nil {
		return
	}
	trigger.Text += "; its case could not be written: " + cause(err)
	c := casefile.Case{Schema: casefile.Schema, ID: id, Tool: w.cfg.Tool, Opened: trigger.Time, Target: target,
		Trigger: trigger, Also: also}
	s.reports.Put(reporter.Report{Case: c, Service: target.Name, Labels: w.cfg.Labels})
}

// cause is a short form of an error, without paths: a message cuts long texts.
func cause(err error) string {
	var number syscall.Errno
	switch {
	case isFull(err):
		return "the disk is full"
	case errors.As(err, &number):
		return number.Error()
	}
	return err.Error()
}
