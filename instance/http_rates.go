package instance

import (
	"bufio"
	"context"
	"errors"
	"io"
	"maps"
	"strconv"
	"strings"
	"time"
)

// Records is how many records each profile has, by its name, as the index page said last; nil before the first answer.
// A profile that the target does not list is not in it.
func (t *HTTP) Records() map[string]int {
	c := t.seen.Load()
	if c == nil {
		return nil
	}
	return maps.Clone(*c)
}

// CutsAt reports whether the target's server refuses profiles that span d, because its WriteTimeout is no longer than
// that. It asks for a difference of thread profiles, which is refused at once if so, and does not wait for it. Recent
// Go extends the server's deadline instead (net/http/pprof, configureWriteDeadline).
func (t *HTTP) CutsAt(ctx context.Context, d time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, refusedWithin)
	defer cancel()
	err := t.get(ctx, "threadcreate", secondsOf(d), func(io.Reader) error { return nil })
	var status *StatusError
	return errors.As(err, &status) && strings.Contains(status.Text, "WriteTimeout")
}

// refusedWithin is how long a refusal may take.
const refusedWithin = time.Second

// errNoFraction says that the mutex profile is no text of runtime/pprof.
var errNoFraction = errors.New("the text of the mutex profile does not say how it is sampled")

// MutexFraction asks how mutex waits are sampled: one of so many, 0 for none (runtime.SetMutexProfileFraction). The
// runtime says nothing of the kind about blocking.
func (t *HTTP) MutexFraction(ctx context.Context) (n int, err error) {
	err = t.get(ctx, "mutex", "debug=1", func(r io.Reader) error {
		lines := bufio.NewScanner(io.LimitReader(r, 4<<10)) // it is the third line (runtime/pprof, writeMutex)
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "sampling period="); ok {
				n, err = strconv.Atoi(text)
				return err
			}
		}
		return errNoFraction
	})
	return n, err
}
