package recorder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/settings"
)

// A Window is one CPU profile of a stretch of time.
type Window struct {
	Began, Ended time.Time
	Data         []byte // gzipped pprof
	Note         string // what a reader must know, such as a gap before it; empty if nothing
}

// CPUConfig says how a CPU recorder works. Its zero value records the calling process.
type CPUConfig struct {
	// Window is the length of one profile, 100 ms to 5 min. Zero means 10 s. One of the calling process is longer, up
	// to twice as long, when the process is busier than usual when it should end.
	Window time.Duration
	// Keep is how much is kept, as a number of whole windows, 1 to 60. Zero means 3. Windows that were cut short count
	// by their length, so that there may be more of them: what is kept reaches back Keep × Window, unless that were
	// more than 120 windows or 32 MiB.
	Keep int
	// Take takes one profile of d, from now on. When cut is closed or ctx ends it should end at once and return what it
	// has; one that cannot be cut may ignore cut. It must not touch Window.Data afterwards. An error that says "already
	// in use" means that another user profiles. Run calls it once at a time, Next beside that while Run does not run.
	// Nil means the CPU profile of the calling process.
	Take func(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error)
}

// Defaults of CPUConfig's zero fields, and bounds.
const (
	DefaultWindow = 10 * time.Second
	DefaultKeep   = 3

	// MaxSpan is the longest profile that Next and Handler give.
	MaxSpan = settings.MostProfile

	minWindow = 100 * time.Millisecond
	maxKeep   = 60
)

// Errors of CPU.
var (
	ErrRunning = errors.New("recorder: it is already running")
	ErrStopped = errors.New("recorder: it was stopped before the profile was complete")
	ErrBusy    = errors.New("recorder: too many profiles are being taken at once; try again when one has ended")
)

// CPU takes CPU profiles one after another and keeps the last ones. Make it with NewCPU; its methods are safe for
// concurrent use.
type CPU struct {
	cfg    CPUConfig
	calmly takeFunc      // cfg.Take, but one that may take longer, for a window that nobody waits for
	wake   chan struct{} // holds a value: somebody asks for a profile while the loop waits for the profiler

	mu      sync.Mutex // guards what follows; a leaf, never held while anything waits
	running bool
	current *piece  // the current window; nil between two
	spans   []*span // profiles that somebody waits for
	ring    ring
	status  CPUStatus
}

// NewCPU checks the configuration. It starts nothing.
func NewCPU(cfg CPUConfig) (*CPU, error) {
	if cfg.Window == 0 {
		cfg.Window = DefaultWindow
	}
	if cfg.Keep == 0 {
		cfg.Keep = DefaultKeep
	}
	calmly := cfg.Take
	if cfg.Take == nil {
		cfg.Take, calmly = takeSelf, takeSelfCalm
	}
	var errs []error
	if cfg.Window < minWindow || cfg.Window > MaxSpan {
		errs = append(errs, fmt.Errorf("field Window is %s; it must be from %s to %s", cfg.Window, minWindow, MaxSpan))
	}
	if cfg.Keep < 1 || cfg.Keep > maxKeep {
		errs = append(errs, fmt.Errorf("field Keep is %d; it must be from 1 to %d", cfg.Keep, maxKeep))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("recorder: CPU: %w", err)
	}
	return &CPU{
		cfg:    cfg,
		calmly: calmly,
		wake:   make(chan struct{}, 1),
		ring:   ring{reach: time.Duration(cfg.Keep) * cfg.Window},
		status: CPUStatus{State: Stopped, Why: "Run was not called yet"},
	}, nil
}

// A State says what a CPU recorder is doing.
type State string

// States of a CPU recorder.
const (
	Running      State = "running"
	StandingBack State = "standing back" // a profile could not be taken; it tries again
	Stopped      State = "stopped"
)

// CPUStatus tells how a CPU recorder fares.
type CPUStatus struct {
	State State
	Why   string    // why it is not running; empty if it is
	Since time.Time // when State began; zero before the first Run

	Taken   int // windows taken
	Failed  int // tries that gave none
	Dropped int // windows larger than 8 MiB, which are not kept
	Kept    int // windows kept now
	Bytes   int // of those

	// Gap and LongestGap are the unrecorded time between two windows, the last and the longest, while running. Ending a
	// window takes nearly all of it, so their sum, TotalGap, is an upper bound for the CPU time that windows cost
	// beyond the samples themselves.
	Gap, LongestGap, TotalGap time.Duration
}

// Status tells how the recorder fares.
func (c *CPU) Status() CPUStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.status
	s.Kept, s.Bytes = len(c.ring.windows), c.ring.bytes
	return s
}

// Cut ends the current window and returns the windows kept, including it, oldest first. The data belongs to the caller.
// A window that cannot be cut is waited for, until it or ctx ends. While nothing is being recorded Cut returns what
// there is.
func (c *CPU) Cut(ctx context.Context) []Window {
	c.cut(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ring.copies()
}

// Kept returns the windows that are complete, oldest first, and waits for nothing. Their data are not to be changed.
func (c *CPU) Kept() []Window {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.ring.windows)
}

// cut ends the current window and waits until it is kept, or ctx ends.
func (c *CPU) cut(ctx context.Context) {
	c.mu.Lock()
	p := c.current
	if p != nil {
		p.end()
	}
	c.mu.Unlock()
	if p == nil {
		return
	}
	select {
	case <-p.done:
	case <-ctx.Done():
	}
}
