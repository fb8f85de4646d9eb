package casebook

import (
	"errors"
	"syscall"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

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
