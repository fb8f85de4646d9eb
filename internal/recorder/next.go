package recorder

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/google/pprof/profile"
)

// A span is a profile that somebody waits for. It is put together from windows, so that it neither disturbs the ring
// nor hinders Cut. Its fields are guarded by CPU.mu.
type span struct {
	left   time.Duration // still to be profiled
	pieces []Window
	over   bool          // it is complete, or given up
	err    error         // why it was given up
	done   chan struct{} // closed when it is over
}

const (
	// maxSpans is how many profiles may run at once: a case's own and a few people's.
	maxSpans = 4
	// patience is how much longer than the profile itself Next waits, for a profiler that somebody else holds or a
	// window that cannot be cut.
	patience = 15 * time.Second
	// lastPiece is how long Next waits for the current window once its context has ended.
	lastPiece = time.Second
)

// Next profiles the next d, at most MaxSpan. If ctx ends before, the part until then is the result, and the Note says
// so. The windows continue meanwhile: the result of Next is put together from as many as it takes. Unless Run is
// running, it is simply one profile.
func (c *CPU) Next(ctx context.Context, d time.Duration) (Window, error) {
	if d < tooShort || d > MaxSpan {
		return Window{}, fmt.Errorf("recorder: a CPU profile of %s: it must be from %s to %s", d, tooShort, MaxSpan)
	}
	s, err := c.ask(d)
	if err != nil {
		return Window{}, err
	}
	if s == nil {
		w, err := take(ctx, c.cfg.Take, nil, d)
		if err != nil {
			return Window{}, fmt.Errorf("recorder: %w", err)
		}
		return shorter(w, d, ctx.Err()), nil
	}
	timer := time.NewTimer(d + patience + c.cfg.Window)
	defer timer.Stop()
	select {
	case <-s.done:
	case <-timer.C:
		err = errors.New("it was not complete in time")
	case <-ctx.Done():
		err = ctx.Err()
		c.flush()
	}
	return c.collect(s, d, err)
}

// ask enters a span and ends the current window, so that the next one serves it. It is nil unless Run is running.
func (c *CPU) ask(d time.Duration) (*span, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		return nil, nil
	}
	if len(c.spans) >= maxSpans {
		return nil, ErrBusy
	}
	s := &span{left: d, done: make(chan struct{})}
	c.spans = append(c.spans, s)
	if c.current != nil {
		c.current.end()
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return s, nil
}

// flush ends the current window and waits for it, but not long.
func (c *CPU) flush() {
	ctx, cancel := context.WithTimeout(context.Background(), lastPiece)
	defer cancel()
	c.cut(ctx)
}

// collect takes the span back and puts its pieces together.
func (c *CPU) collect(s *span, d time.Duration, err error) (Window, error) {
	c.mu.Lock()
	c.spans = slices.DeleteFunc(c.spans, func(o *span) bool { return o == s })
	pieces, why := s.pieces, c.status.Why
	if s.err != nil {
		err = s.err
	}
	c.mu.Unlock()
	if len(pieces) == 0 {
		if why != "" {
			err = fmt.Errorf("%w (%s)", err, why)
		}
		return Window{}, fmt.Errorf("recorder: no CPU profile: %w", err)
	}
	w, joinErr := joinWindows(pieces)
	if joinErr != nil {
		return Window{}, fmt.Errorf("recorder: joining %d windows of a CPU profile: %w", len(pieces), joinErr)
	}
	return shorter(w, d, err), nil
}

// shorter notes why a profile is not as long as it was asked to be.
func shorter(w Window, asked time.Duration, why error) Window {
	if got := w.Ended.Sub(w.Began); why != nil && asked-got >= tooShort {
		w.Note = joinNotes(w.Note, fmt.Sprintf("%s of the %s asked for: %v", number.Duration(got),
			number.Duration(asked), why))
	}
	return w
}

// add gives the span a window that it waited for. CPU.mu is held.
func (s *span) add(w Window) {
	if s.over {
		return
	}
	s.pieces = append(s.pieces, w)
	s.left -= w.Ended.Sub(w.Began)
	if s.left < tooShort {
		s.end(nil)
	}
}

// end completes the span, or gives it up. CPU.mu is held.
func (s *span) end(err error) {
	if !s.over {
		s.over, s.err = true, err
		close(s.done)
	}
}

// maxUnpacked bounds what a profile may grow to when it is unpacked: hundreds of times what a usual one has.
const maxUnpacked = 128 << 20

// joinWindows makes one window of windows that follow each other. The gaps between them are missing from the result,
// and its note says so.
func joinWindows(ws []Window) (Window, error) {
	if len(ws) == 1 {
		w := ws[0]
		w.Data = slices.Clone(w.Data)
		return w, nil
	}
	out := Window{Began: ws[0].Began, Ended: ws[len(ws)-1].Ended}
	var profiles []*profile.Profile
	gap := out.Ended.Sub(out.Began)
	for _, w := range ws {
		p, err := parse(w.Data, maxUnpacked)
		if err != nil {
			return Window{}, err
		}
		profiles = append(profiles, p)
		gap -= w.Ended.Sub(w.Began)
		out.Note = joinNotes(out.Note, w.Note)
	}
	merged, err := profile.Merge(profiles)
	if err != nil {
		return Window{}, err
	}
	var b bytes.Buffer
	if err := merged.Write(&b); err != nil {
		return Window{}, err
	}
	out.Data = b.Bytes()
	out.Note = joinNotes(out.Note, fmt.Sprintf("joined from %d windows; %s between them are missing", len(ws),
		number.Duration(gap)))
	return out, nil
}

// parse reads a gzipped profile of at most limit bytes, unpacked.
func parse(data []byte, limit int64) (*profile.Profile, error) {
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	raw, err := io.ReadAll(io.LimitReader(zr, limit+1))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	if int64(len(raw)) > limit {
		return nil, errors.New("the profile is too large to be joined")
	}
	return profile.ParseUncompressed(raw)
}
