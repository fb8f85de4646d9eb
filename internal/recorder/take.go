package recorder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/cputime"
	"github.com/gocasebook/casebook/internal/own"
)

// takeSelf profiles the calling process for d.
func takeSelf(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
	return profileSelf(func() { wait(ctx, cut, d) })
}

// takeSelfCalm does so, too, but ends only in a moment of calm, or after twice d.
func takeSelfCalm(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
	return profileSelf(func() { untilCalm(ctx, cut, d, cputime.Process) })
}

// profileSelf profiles while f runs.
func profileSelf(f func()) (Window, error) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		return Window{}, fmt.Errorf("starting the CPU profile: %w", err)
	}
	writer := own.Hold() // runtime/pprof's
	defer writer.GiveUp()
	w := Window{Began: time.Now()}
	f()
	w.Ended = time.Now()
	pprof.StopCPUProfile() // returns when b is complete
	w.Data = b.Bytes()
	return w, nil
}

// wait is true once d has passed, and false if cut or ctx comes before.
func wait(ctx context.Context, cut <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-cut:
	case <-ctx.Done():
	}
	return false
}

// inUse reports whether an error is the runtime's "cpu profiling already in use", which net/http/pprof passes on as
// text. There is no value to compare with.
func inUse(err error) bool { return strings.Contains(err.Error(), "already in use") }

// takeAllowance is how long a Take may need beyond its window, for one that asks another process.
const takeAllowance = 60 * time.Second

// A takeFunc is CPUConfig.Take.
type takeFunc = func(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error)

// take calls it as a guest does: it outlives panics, bounds the time, and believes nothing.
func take(ctx context.Context, how takeFunc, cut <-chan struct{}, d time.Duration) (w Window, err error) {
	defer func() {
		if r := recover(); r != nil {
			w, err = Window{}, fmt.Errorf("taking a CPU profile panicked: %v", r)
		}
	}()
	limited, cancel := context.WithTimeout(ctx, d+takeAllowance)
	defer cancel()
	began := time.Now()
	w, err = how(limited, cut, d)
	switch {
	case err != nil:
		return Window{}, err
	case !bytes.HasPrefix(w.Data, []byte{0x1f, 0x8b}):
		return Window{}, errors.New("the CPU profile is empty or not gzipped")
	}
	if w.Began.IsZero() || w.Ended.Before(w.Began) {
		w.Began, w.Ended = began, time.Now()
	}
	return w, nil
}
