package instance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/room"
)

// Capture takes one artefact. A CPU profile, an execution trace, and the deltas of mutex, block and allocs profiles
// span d (allocs is a snapshot when d is 0); d is ignored for other kinds. It returns an *EmptyError when the target
// has nothing of this kind, or when to take it would harm the target.
//
// It waits and tries again while another profiler holds the one that it needs, and asks for less when the target's own
// write timeout is shorter than d. It never returns evidence that is empty or cut. How long the target stood still is
// not known from outside.
func (t *HTTP) Capture(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	used := usedSince(t.proc.Load())
	p, err := t.capture(ctx, kind, d)
	p.Used = used()
	if err != nil {
		p.Data = nil
		p.Release()
	}
	return p, err
}

func (t *HTTP) capture(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	switch kind {
	case casefile.CPU:
		return t.captureExclusive(ctx, kind, "profile", d)
	case casefile.Trace:
		return t.captureTrace(ctx, d)
	case casefile.Mutex, casefile.Block:
		return t.captureWaits(ctx, kind, d)
	case casefile.Allocs:
		if d > 0 {
			return t.captureDelta(ctx, kind, d)
		}
		return t.fetch(ctx, kind, kind, 0)
	case casefile.Heap, casefile.Goroutine, casefile.ThreadCreate:
		return t.fetch(ctx, kind, kind, 0)
	case casefile.GoroutineLeak:
		return t.captureLeak(ctx)
	case casefile.GoroutineDump:
		return t.captureDump(ctx)
	case casefile.Metrics:
		return t.captureExpvar(ctx)
	case casefile.Runtime:
		return t.captureRuntime()
	case casefile.Prometheus:
		return t.capturePrometheus(ctx)
	}
	return Profile{}, fmt.Errorf("unknown kind of evidence %q", kind)
}

// ForceGC has the target collect its garbage, and waits until it has. It costs the target a whole GC cycle.
func (t *HTTP) ForceGC(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.patience())
	defer cancel()
	return t.get(ctx, "heap", "gc=1", func(r io.Reader) error {
		_, err := io.Copy(io.Discard, io.LimitReader(r, maxProfile))
		return err
	})
}

// captureExclusive fetches what a process can take once at a time.
func (t *HTTP) captureExclusive(ctx context.Context, kind, name string, d time.Duration) (Profile, error) {
	return t.takeExclusive(ctx, kind, d, func(d time.Duration) (Profile, error) { return t.fetch(ctx, kind, name, d) })
}

// takeExclusive takes it by a function that is given how long, again and again while somebody else holds the profiler.
func (t *HTTP) takeExclusive(ctx context.Context, kind string, d time.Duration,
	take func(time.Duration) (Profile, error)) (Profile, error) {
	var notes []string
	for try := 0; ; {
		p, err := take(d)
		var status *StatusError
		busy := errors.As(err, &status) && isBusy(status.Text)
		if busy && (try == 0 || try == len(busyWaits)) {
			if held := t.busy(ctx, kind, time.Duration(try/len(busyWaits))*waited()); held != nil {
				return p, held
			}
		}
		switch {
		case err == nil:
			if len(notes) > 0 {
				p.note(strings.Join(notes, "; "))
			}
			return p, nil
		case status == nil:
			return p, err
		case busy && try < len(busyWaits):
			if err := sleep(ctx, busyWaits[try]); err != nil {
				return p, fmt.Errorf("waiting for the %s, which is in use: %w", profiler(kind), err)
			}
			try++
			notes = append(notes[:0], fmt.Sprintf("somebody else held the %s; got it at attempt %d", profiler(kind),
				try+1))
		case strings.Contains(status.Text, "WriteTimeout") && d > time.Second:
			d = max(d/2, time.Second)
			notes = append(notes[:0], fmt.Sprintf("cut to %s by the server's WriteTimeout", d))
		default:
			return p, optional(err, kind)
		}
	}
}

// optional makes an EmptyError of a 404: a mux may offer only a part of net/http/pprof, and old Go versions have less.
func optional(err error, kind string) error {
	var status *StatusError
	if errors.As(err, &status) && status.Status == http.StatusNotFound {
		return &EmptyError{fmt.Sprintf("the target offers no %s (%s answered 404)", kind, status.URL)}
	}
	return err
}

// patience is how long a target may take beyond what the capture spans. A goroutine profile of 500,000 goroutines takes
// 8 s of CPU (Go 1.26, stacks of 30 frames), and a sick process is slower. One that has just failed to answer its index
// page in seconds gets less: mostly nothing comes, and the next kind of evidence waits.
const (
	patience       = 60 * time.Second
	silentPatience = 10 * time.Second
)

// patience is that for this target now.
func (t *HTTP) patience() time.Duration {
	if t.mute.Load() {
		return silentPatience
	}
	return patience
}

func (t *HTTP) fetch(ctx context.Context, kind, name string, span time.Duration) (Profile, error) {
	query := ""
	if span > 0 {
		query = secondsOf(span)
	}
	return t.fetchQuery(ctx, kind, name, query, span)
}

// secondsOf asks for whole seconds, at least one.
func secondsOf(span time.Duration) string {
	return "seconds=" + strconv.Itoa(max(int(span.Round(time.Second).Seconds()), 1))
}

func (t *HTTP) fetchQuery(ctx context.Context, kind, name, query string, span time.Duration) (Profile, error) {
	return fetchWith(ctx, t.party, answer{kind, largest(kind)}, span, t.patience(),
		func(ctx context.Context, read func(io.Reader) error) error {
			return t.get(ctx, name, query, read)
		})
}

// A tooLargeError says that more came than evidence of a kind may weigh.
type tooLargeError struct {
	kind  string
	bytes int64
	after time.Duration // since the request
}

func (e *tooLargeError) Error() string {
	next := "is the URL that of net/http/pprof?"
	if e.kind == casefile.Trace {
		next = "trace for less time (--profile)"
	}
	return fmt.Sprintf("the answer is larger than %d MiB, the limit for a %s; %s", e.bytes>>20, e.kind, next)
}

// An answer is what is asked for, and how many bytes of it are kept.
type answer struct {
	kind  string
	limit int64
}

// fetchWith fills a Profile from the answer to one request, which ask sends.
func fetchWith(ctx context.Context, party *room.Party, of answer, span, patience time.Duration,
	ask func(context.Context, func(io.Reader) error) error) (Profile, error) {
	ctx, cancel := context.WithTimeout(ctx, span+patience)
	defer cancel()
	p := Profile{Kind: of.kind, Taken: time.Now(), Seconds: span.Seconds()}
	err := ask(ctx, func(r io.Reader) (err error) {
		p.Data, p.lease, err = party.ReadAll(r, of.limit)
		if errors.Is(err, room.ErrTooLarge) {
			return &tooLargeError{of.kind, of.limit, time.Since(p.Taken)}
		}
		if err != nil {
			return err
		}
		return check(of.kind, p.Data)
	})
	p.Cost = max(time.Since(p.Taken)-span, 0)
	return p, err
}

// largest is how many bytes evidence of a kind may have.
func largest(kind string) int64 {
	switch kind {
	case casefile.GoroutineDump:
		return maxDump
	case casefile.Metrics, casefile.Prometheus:
		return maxPage
	}
	return maxProfile
}
