package casebook

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// The watch calls functions of its host: OnEvent, the Logger's handler, Attachments, Draw, a Target. Any of them may
// hang, panic, end its goroutine, or return an error whose text panics. None of that may stop the watch, or the host.

// hostPatience is how long to wait for a function of the host that should have returned.
const hostPatience = 5 * time.Second

var errAbandoned = errors.New("it did not return when asked to, and was left running")

// callHost calls a function of the host. insideHost finds its name on the stack.
//
//go:noinline
func callHost(f func()) { f() }

// insideHost reports whether the caller was called by callHost: then it must not wait for the watch to end, because the
// watch waits for it.
func insideHost() bool {
	pcs := make([]uintptr, 1024)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "/casebook.callHost") {
			return true
		}
		if !more {
			return false
		}
	}
}

// apart calls f on a goroutine of its own and waits for it. The stack that f needs is free again when it returns: a
// goroutine that waits keeps the stack of what it did before, and a watch from outside has ten that wait, some of them
// in a thousand targets. f ends the caller's goroutine as it would without apart, and a panic of f is the caller's.
func apart(f func()) {
	returned, panicked := false, any(nil)
	done := make(chan struct{})
	own.Go(func() {
		defer close(done)
		defer func() { panicked = recover() }()
		callHost(f)
		returned = true
	})
	<-done
	switch {
	case panicked != nil:
		panic(panicked)
	case !returned:
		runtime.Goexit()
	}
}

// inTime calls a function of the host on a separate goroutine, and waits until it returns, or until ctx is done and the
// patience is over.
func inTime[T any](ctx context.Context, doing string, f func(context.Context) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1) // buffered: the sender never waits
	caller := own.Go(func() {
		r := result{err: fmt.Errorf("%s ended its goroutine instead of returning", doing)}
		defer func() {
			if p := recover(); p != nil {
				r.err = fmt.Errorf("%s panicked: %v", doing, p)
			}
			done <- r
		}()
		var got result
		callHost(func() { got.value, got.err = f(ctx) })
		got.err = speakable(got.err)
		r = got
	})
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	patience := time.NewTimer(hostPatience)
	defer patience.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-patience.C:
		caller.GiveUp()
		var none T
		return none, fmt.Errorf("%s: %w", doing, errAbandoned)
	}
}

// speakable is err, or what is known of it if its text panics.
func speakable(err error) (safe error) {
	if err == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			safe = fmt.Errorf("an error of type %T, whose text panicked: %v", err, p)
		}
	}()
	_ = err.Error()
	return err
}
