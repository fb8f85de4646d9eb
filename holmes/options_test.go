package holmes

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/settings"
)

// holmes starts a ticker with the interval, whatever it is, and a ticker of 0 panics.
func TestIntervalZeroDoesNotPanic(t *testing.T) {
	for _, interval := range []string{"0s", "-1s", "", "1", "soon", "9999h"} {
		if _, err := New(WithCollectInterval(interval)); err == nil ||
			!strings.Contains(err.Error(), "WithCollectInterval") {
			t.Errorf("New with the interval %q returns %v; want an error that names WithCollectInterval", interval, err)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for name, opt := range map[string]Option{
		"WithCPUDump":       WithCPUDump(-1, 25, 70, time.Minute),
		"WithMemDump":       WithMemDump(10, -25, 70, time.Minute),
		"WithGCHeapDump":    WithGCHeapDump(10, 25, -70, time.Minute),
		"WithThreadDump":    WithThreadDump(10, 25, 70, -time.Minute),
		"WithGoroutineDump": WithGoroutineDump(3000, 25, 5000, 2000, time.Minute),
		"WithCPUMax":        WithCPUMax(-1),
		"WithCPUCore":       WithCPUCore(math.NaN()),
		"WithDumpPath":      WithDumpPath(""),
		"WithShrinkThread":  WithShrinkThread(10, -time.Second),
		"WithRetention":     WithRetention(-1, 0),
	} {
		if _, err := New(opt); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("New returns %v; want an error that names %s", err, name)
		}
	}
	if _, err := New(nil, WithLogger(nil), WithProfileReporter(nil)); err != nil {
		t.Errorf("nil options, loggers and reporters are refused: %v", err)
	}
}

func TestSetIsAllOrNothing(t *testing.T) {
	h := mustNew(t)
	before := h.options()
	if err := h.Set(WithCPUMax(50), WithCollectInterval("0s")); err == nil {
		t.Fatal("Set takes an interval of 0s")
	}
	if h.options() != before {
		t.Errorf("a Set that failed has left %+v", h.options())
	}
}

// holmes sends a new interval over a channel with a buffer of one, which nobody reads before Start.
func TestTwoIntervalsBeforeStartDoNotBlock(t *testing.T) {
	h := mustNew(t, WithCollectInterval("1s"), WithCollectInterval("2s"), WithCollectInterval("3s"))
	must(t, h.Set(WithCollectInterval("4s")))
	if got := h.options().interval; got != 4*time.Second {
		t.Errorf("the interval is %s, want 4s", got)
	}
}

func TestSamplingStaysWithinTheWatchsBounds(t *testing.T) {
	for interval, want := range map[string]time.Duration{"1ms": settings.Interval.Least, "1s": time.Second,
		"1h": settings.Interval.Most} {
		o := mustNew(t, WithCollectInterval(interval)).options()
		if got := o.sampling(); got != want {
			t.Errorf("at %s, samples are %s apart, want %s", interval, got, want)
		}
		if err := checkRules(o.rules(ofHost())); err != nil {
			t.Errorf("at %s: %v", interval, err)
		}
	}
}

func TestDefaults(t *testing.T) {
	o := mustNew(t).options()
	want := [numKinds]typeOption{ // consts.go of mosn.io/holmes v1.0.2
		mem:       {false, 10, 80, 25, time.Minute},
		cpu:       {false, 10, 70, 25, time.Minute},
		thread:    {false, 10, 70, 25, time.Hour},
		goroutine: {false, 3000, 200_000, 20, 10 * time.Minute},
		gcHeap:    {false, 10, 40, 20, time.Minute},
	}
	if o.kinds != want || o.interval != 5*time.Second || o.DumpPath != "/tmp" || o.DumpProfileType != binaryDump ||
		o.DumpFullStack {
		t.Errorf("the defaults are %+v", o)
	}
}

func TestEnableReporterNeedsOne(t *testing.T) {
	log := newMemo()
	h := mustNew(t, WithLogger(log))
	h.EnableProfileReporter()
	if h.options().report.active || !log.has("WithProfileReporter") {
		t.Error("a reporter that is not there was enabled, or nothing says how to set one")
	}
	must(t, h.Set(WithProfileReporter(make(keeper))))
	h.DisableProfileReporter()
	if h.options().report.active {
		t.Error("the reporter is active after DisableProfileReporter")
	}
	h.EnableProfileReporter()
	if !h.options().report.active {
		t.Error("the reporter is not active after EnableProfileReporter")
	}
}
