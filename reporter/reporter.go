// Package reporter tells people and machines of a finished case.
//
// The problem: we do not control the receivers. A webhook hangs, a collector is down for a night, a command runs
// forever, a disk is full; and none of that may slow the watch, grow its memory or take the service down.
//
// A Reporter is a name and a function. A Queue gives each of them a goroutine, a bounded queue, a timeout and retries
// of its own, turns panics into errors, and counts what it sent, gave up and dropped. Put never waits.
//
//	Slog        one line in the service's log
//	File        one JSON object a line, rotated
//	Webhook     a Message as JSON, or a text for Slack and what understands Slack's incoming webhooks
//	Exec        a command of yours
//	Collector   the whole case as a zip, by way of a folder that survives a SIGKILL
//
// File and Webhook write the JSON of Message, whose fields are the schema.
//
// Secrets: of a URL, errors and logs name the scheme and the host alone, for a webhook's path is often its password;
// nor do they show headers, tokens, or an answer that repeats one of these. No report holds a value of the
// environment.
//
// Limits: what waits in a Queue is lost with the process, except for what a Collector or a Webhook has in its spool;
// the case stays where it was written either way. A report may arrive twice (the answer to the first try was lost):
// Webhook and Collector send an Idempotency-Key. A Send that ignores its context holds up its own reporter and no
// other.
package reporter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/gocasebook/casebook/casefile"
)

// A Report is one finished case.
type Report struct {
	Case    casefile.Case
	Folder  string            // path of the case's folder
	Service string            // empty means the target's name
	Labels  map[string]string // nil means the target's labels
}

// A Reporter is a way to tell of cases. Make your own by giving Name and Send, or take one from a constructor and
// change its fields.
type Reporter struct {
	// Name tells the reporters of a queue apart, in logs and status: 1 to 64 printable characters.
	Name string
	// Send tells of one case. It may be called again for the same case, should return soon after ctx is done, and must
	// not change what the report holds: other reporters read it. An *Error says that trying again is of no use, or
	// when it would be.
	Send func(ctx context.Context, r Report) error
	// Timeout bounds one call of Send. Zero means DefaultTimeout.
	Timeout time.Duration
	// Retry says how often and when a failed Send is repeated.
	Retry Retry

	outbox *outbox // of a reporter that keeps what it has to send on disk; see Collector
	fault  error   // why the constructor's arguments cannot work; NewQueue tells it, and so does Send
}

// Spools reports whether the reporter keeps what it has to send on disk until it has arrived.
func (r Reporter) Spools() bool { return r.outbox != nil }

// DefaultTimeout bounds a Send whose reporter names no other time.
const DefaultTimeout = 30 * time.Second

// validate names the field at fault.
func (r *Reporter) validate() error {
	var errs []error
	if r.Name == "" || len(r.Name) > 64 || strings.ContainsFunc(r.Name,
		func(c rune) bool { return !unicode.IsPrint(c) }) {
		errs = append(errs, fmt.Errorf("field Name is %.80q; it must be 1 to 64 printable characters", r.Name))
	}
	if r.fault != nil {
		errs = append(errs, r.fault)
	} else if r.Send == nil {
		errs = append(errs, errors.New("field Send is nil; it is the function that delivers a report"))
	}
	if r.Timeout < 0 {
		errs = append(errs, fmt.Errorf("field Timeout is %s; it must not be negative", r.Timeout))
	}
	errs = append(errs, r.Retry.validate())
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("reporter %.80q: %w", r.Name, err)
	}
	return nil
}

// faulty is the reporter that a constructor without an error returns for arguments that cannot work.
func faulty(name string, err error) Reporter {
	return Reporter{Name: name, fault: err, Send: func(context.Context, Report) error { return final(err) }}
}

// service is what people call the process.
func (r *Report) service() string {
	if r.Service != "" {
		return r.Service
	}
	return r.Case.Target.Name
}

func (r *Report) labels() map[string]string {
	if r.Labels != nil {
		return r.Labels
	}
	return r.Case.Target.Labels
}
