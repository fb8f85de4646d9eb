package target

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// Capture takes one artefact. A CPU profile, and the deltas of mutex and block profiles, span d; d is ignored for
// snapshots. It returns an *EmptyError when the target has nothing of this kind.
//
// It waits and tries again while another profiler holds the CPU profiler, and asks for less when the target's own
// write timeout is shorter than d. It never returns a profile that is empty or cut.
func (t *HTTP) Capture(ctx context.Context, kind string, d time.Duration) (Profile, error) {
	switch kind {
	case casefile.CPU:
		return t.captureCPU(ctx, d)
	case casefile.Mutex, casefile.Block:
		if seen := t.seen.Load(); seen != nil && (*seen)[kind] == 0 {
			return Profile{}, notArmed(kind)
		}
		return t.fetch(ctx, kind, kind, d)
	case casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.ThreadCreate:
		return t.fetch(ctx, kind, kind, 0)
	}
	return Profile{}, fmt.Errorf("unknown kind of evidence %q", kind)
}

// ForceGC has the target collect its garbage, and waits until it has. For measurements only: it costs the target a
// whole GC cycle.
func (t *HTTP) ForceGC(ctx context.Context) error {
	return t.get(ctx, "heap", "gc=1", func(r io.Reader) error {
		_, err := io.Copy(io.Discard, io.LimitReader(r, maxProfile))
		return err
	})
}

// notArmed says why a mutex or block profile is empty.
func notArmed(kind string) error {
	call := "runtime.SetMutexProfileFraction"
	if kind == casefile.Block {
		call = "runtime.SetBlockProfileRate"
	}
	return &EmptyError{"the target does not record it (" + call + " is not called), or no one has waited yet"}
}

// Waits between tries for a CPU profiler that is in use: 15 s in all, longer than most people profile.
var busyWaits = [...]time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}

func (t *HTTP) captureCPU(ctx context.Context, d time.Duration) (Profile, error) {
	var notes []string
	for try := 0; ; {
		p, err := t.fetch(ctx, casefile.CPU, "profile", d)
		var status *StatusError
		switch {
		case err == nil:
			p.Note = strings.Join(notes, "; ")
			return p, nil
		case !errors.As(err, &status):
			return p, err
		case strings.Contains(status.Text, "already in use") && try < len(busyWaits):
			if err := sleep(ctx, busyWaits[try]); err != nil {
				return p, fmt.Errorf("waiting for the CPU profiler, which somebody else holds: %w", err)
			}
			try++
			notes = append(notes[:0], fmt.Sprintf("somebody else held the CPU profiler; got it at try %d", try+1))
		case strings.Contains(status.Text, "WriteTimeout") && d > time.Second:
			d = max(d/2, time.Second)
			notes = append(notes[:0], fmt.Sprintf("cut to %s by the server's WriteTimeout", d))
		default:
			return p, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// patience is how long a target may take beyond what the capture spans. A goroutine profile of 500,000 takes 8 s
// (shared/facts.md), and a sick process is slower.
const patience = 60 * time.Second

func (t *HTTP) fetch(ctx context.Context, kind, name string, span time.Duration) (Profile, error) {
	ctx, cancel := context.WithTimeout(ctx, span+patience)
	defer cancel()
	query := ""
	if span > 0 {
		query = "seconds=" + strconv.Itoa(max(int(span.Round(time.Second).Seconds()), 1))
	}
	p := Profile{Kind: kind, Taken: time.Now(), Seconds: span.Seconds()}
	err := t.get(ctx, name, query, func(r io.Reader) (err error) {
		p.Data, err = io.ReadAll(io.LimitReader(r, maxProfile+1))
		if err != nil {
			return err
		}
		return checkProfile(p.Data)
	})
	p.Cost = time.Since(p.Taken) - span
	return p, err
}

// checkProfile refuses what is not a whole gzipped profile, so that a case never holds an empty or cut file. What the
// profile says is for package diagnose to judge.
func checkProfile(data []byte) error {
	switch {
	case len(data) > maxProfile:
		return fmt.Errorf("the profile is larger than %d MiB", maxProfile>>20)
	case len(data) == 0:
		return errors.New("the answer is empty")
	case data[0] == '<' || strings.HasPrefix(http.DetectContentType(data), "text/html"):
		return errors.New("the answer is an HTML page, not a profile; is the URL that of net/http/pprof?")
	case !bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		return errors.New("the answer is not a gzipped pprof profile; is the URL that of net/http/pprof?")
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		_, err = io.Copy(io.Discard, io.LimitReader(zr, 16*maxProfile))
	}
	if err != nil {
		return fmt.Errorf("the profile is cut or damaged: %w", err)
	}
	return nil
}
