package recorder

import (
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/trace"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/own"
)

// TraceConfig says what a flight recorder may cost. Its zero value is useful.
type TraceConfig struct {
	// MaxCost is what the recorder may cost, as a share of the CPU that the process uses in its busy seconds (half a
	// core or more; below that, of half a core). Zero means 0.01; less than zero means that it never runs. Once armed
	// it may cost five times as much for a minute, and pays that back.
	MaxCost float64
	// Window is how far the trace should reach back, 1 s to 1 min. Zero means 5 s. The runtime keeps whole seconds, so
	// that it is up to 2 s more, and it is less when MaxBytes does not suffice.
	Window time.Duration
	// MaxBytes bounds the memory that the recorder may hold, 4 MiB to 1 GiB. Zero means 64 MiB. The runtime keeps 2 s
	// of trace and more whatever it is asked, so if that is estimated at more than MaxBytes the recorder is off. A
	// snapshot needs as much again while it is made.
	MaxBytes uint64
	// ArmFor is how long a warning keeps the recorder armed, 1 s to 1 h. Zero means 60 s.
	ArmFor time.Duration
}

// Defaults of TraceConfig's zero fields.
const (
	DefaultMaxCost     = 0.01
	DefaultTraceWindow = 5 * time.Second
	DefaultMaxBytes    = 64 << 20
	DefaultArmFor      = time.Minute
)

// withDefaults fills in zero fields and checks the rest.
func (c TraceConfig) withDefaults() (TraceConfig, error) {
	if c.MaxCost == 0 {
		c.MaxCost = DefaultMaxCost
	}
	if c.Window == 0 {
		c.Window = DefaultTraceWindow
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = DefaultMaxBytes
	}
	if c.ArmFor == 0 {
		c.ArmFor = DefaultArmFor
	}
	var errs []error
	if math.IsNaN(c.MaxCost) || c.MaxCost > 1 {
		errs = append(errs, fmt.Errorf("field MaxCost is %g; it must be at most 1, all that the process uses",
			c.MaxCost))
	}
	if c.Window < time.Second || c.Window > time.Minute {
		errs = append(errs, fmt.Errorf("field Window is %s; it must be from 1s to 1m", c.Window))
	}
	if c.MaxBytes < 4<<20 || c.MaxBytes > 1<<30 {
		errs = append(errs, fmt.Errorf("field MaxBytes is %d; it must be from 4 MiB to 1 GiB", c.MaxBytes))
	}
	if c.ArmFor < time.Second || c.ArmFor > time.Hour {
		errs = append(errs, fmt.Errorf("field ArmFor is %s; it must be from 1s to 1h", c.ArmFor))
	}
	return c, errors.Join(errs...)
}

// generation is how long the runtime collects before it hands a part of the trace on (runtime/trace.go,
// traceAdvancePeriod). The ring holds up to one such part more than asked for, and another is being filled.
const generation = time.Second

// ringBytes is what the runtime is asked to hold.
func (c TraceConfig) ringBytes() uint64 { return c.MaxBytes / 2 }

// held is the memory that the recorder holds at a rate of bytes a second.
func (c TraceConfig) held(rate float64) float64 {
	more := 2 * generation.Seconds()
	return min(rate*(c.Window.Seconds()+more), float64(c.ringBytes())+rate*more)
}

// A Trace keeps the last seconds of this process's execution trace with the runtime's flight recorder, where and when
// that is cheap enough. Make it with NewTrace; its methods are safe for concurrent use.
//
// What it would cost is estimated from what runtime/metrics tells for free: see estimate.go. Where that stays below
// TraceConfig.MaxCost for 10 s the recorder is on, and it stays on until the cost is above for 10 s, or has used up an
// account sooner: see governor. Where it costs more, it is armed by Warn, up to five times MaxCost. Beyond that, and
// beyond MaxBytes, it is off after 3 s.
type Trace struct {
	cfg  TraceConfig
	open func(trace.FlightRecorderConfig) flight
	wake chan struct{} // holds one: the governor has changed its mind
	asks chan *ask

	mu      sync.Mutex    // guards what follows; a leaf
	done    chan struct{} // closed when Run ends; nil while it does not run
	load    *loadReader   // nil while it does not run
	gov     governor
	on      bool      // the flight recorder runs
	changed time.Time // on, or the reason why not
	blocked error     // why the last start failed; nil if it did not

	reader *own.Goroutine // runtime/trace's; nil before the first start
}

// A flight is what is used of trace.FlightRecorder.
type flight interface {
	Start() error
	Stop()
	WriteTo(io.Writer) (int64, error)
}

// NewTrace checks the configuration. It starts nothing.
func NewTrace(cfg TraceConfig) (*Trace, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("recorder: Trace: %w", err)
	}
	return &Trace{
		cfg:  cfg,
		open: func(c trace.FlightRecorderConfig) flight { return trace.NewFlightRecorder(c) },
		wake: make(chan struct{}, 1),
		asks: make(chan *ask),
		gov:  newGovernor(cfg),
	}, nil
}

// Observe estimates the cost again. It is meant to be called once a sample. It allocates nothing and waits for nothing:
// the recorder is started and stopped by Run. Without a running Run it does nothing.
func (t *Trace) Observe(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.load == nil || t.cfg.MaxCost < 0 {
		return
	}
	l, ok := t.load.read(now)
	if !ok {
		return
	}
	t.gov.step(now, l.estimated())
	t.signal()
}

// Warn says that trouble may be coming, and why: the recorder runs for ArmFor from now on although it costs more than
// MaxCost. A further warning prolongs that.
func (t *Trace) Warn(now time.Time, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cfg.MaxCost < 0 {
		return
	}
	t.gov.arm(now, now.Add(t.cfg.ArmFor), why)
	t.signal()
}

// signal wakes Run if there is something for it to do. mu is held.
func (t *Trace) signal() {
	if t.gov.run == t.on {
		return
	}
	select {
	case t.wake <- struct{}{}:
	default:
	}
}
