package recorder

import (
	"slices"
	"time"
)

const (
	// maxBytes bounds one window. A usual one has 10 to 100 KB; one of 8 MiB gzipped would need hundreds of thousands
	// of distinct stacks, which 10 s at 100 Hz cannot have below some hundred busy cores.
	maxBytes = 8 << 20
	// maxRing and maxWindows bound all of them, however often windows are cut.
	maxRing    = 32 << 20
	maxWindows = 120
)

// A ring keeps the last windows.
type ring struct {
	reach   time.Duration // how much time is kept at least
	windows []Window      // oldest first
	bytes   int           // of all
}

// add keeps w, and drops the oldest windows as long as the others reach back far enough, or are too many.
func (r *ring) add(w Window) {
	r.windows = append(r.windows, w)
	r.bytes += len(w.Data)
	for len(r.windows) > 1 && (r.covered(1) >= r.reach || r.bytes > maxRing || len(r.windows) > maxWindows) {
		r.bytes -= len(r.windows[0].Data)
		r.windows = slices.Delete(r.windows, 0, 1)
	}
}

// covered is the time in the windows from the i-th on.
func (r *ring) covered(i int) (d time.Duration) {
	for _, w := range r.windows[i:] {
		d += w.Ended.Sub(w.Began)
	}
	return d
}

func (r *ring) copies() []Window {
	out := slices.Clone(r.windows)
	for i := range out {
		out[i].Data = slices.Clone(out[i].Data)
	}
	return out
}
