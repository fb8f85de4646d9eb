package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/bytedance/gopkg/util/gctuner"

	"github.com/gocasebook/casebook/remedy/gctune"
)

// A variant is one way to set the collector, applied in the child before its work begins. It returns a func that says
// at the end what it did, or nil.
type variant struct {
	name, text string
	apply      func() (done func(*figures), err error)
}

const (
	oursName  = "gctune"
	againName = "the same again"
)

// ours is what the others are compared with.
var ours = variant{oursName, "package gctune as it comes", applyOurs}

// oursEvery is ours with another interval: -pair uses it to show what looking costs.
func oursEvery(interval time.Duration) variant {
	return variant{oursName + ":" + interval.String(), "package gctune, Interval " + interval.String(),
		func() (func(*figures), error) {
			return startOurs(gctune.Config{Interval: interval})
		}}
}

// variants are what people do today.
var variants = []variant{
	{againName, "how much two runs of the same differ", applyOurs},
	{"GOGC=100", "the default", func() (func(*figures), error) { return nil, nil }},
	{"GOMEMLIMIT", "GOGC=off, GOMEMLIMIT at the target",
		func() (func(*figures), error) { return setFixed(off, target) }},
	{"ballast", "a quarter of the target, never touched", applyBallast},
	{"gctuner", "bytedance, threshold at 70 % of the limit, as its README says", func() (func(*figures), error) {
		gctuner.Tuning(limit / 10 * 7)
		return nil, nil
	}},
	{"automemlimit", "GOMEMLIMIT at 90 % of the limit, GOGC=100", func() (func(*figures), error) {
		_, err := memlimit.SetGoMemLimitWithOpts(memlimit.WithRatio(0.9), memlimit.WithProvider(memlimit.FromCgroup))
		return nil, err
	}},
}

func applyOurs() (func(*figures), error) { return startOurs(gctune.Config{}) }

func startOurs(cfg gctune.Config) (func(*figures), error) {
	t, err := gctune.Start(cfg)
	if errors.Is(err, gctune.ErrNoLimit) { // no cgroup could be made
		cfg.Limit = limit
		t, err = gctune.Start(cfg)
	}
	if err != nil {
		return nil, err
	}
	return func(f *figures) {
		f.Tuner = fmt.Sprintf("%+v", t.Stats())
		if err := t.Stop(); err != nil {
			f.Tuner += ", ended: " + err.Error()
		}
	}, nil
}

func applyBallast() (func(*figures), error) {
	ballast := make([]byte, target/4)
	return func(*figures) { runtime.KeepAlive(ballast) }, nil
}

// off is a GOGC that never triggers.
const off = -1

func setFixed(gogc int, bytes int64) (func(*figures), error) {
	debug.SetGCPercent(gogc)
	debug.SetMemoryLimit(bytes)
	return nil, nil
}

// fixed is the variant of one fixed setting; 0 MiB is no memory limit.
func fixed(gogc int, mib int64) variant {
	name := fmt.Sprintf("fixed:%d,%d", gogc, mib)
	text := fmt.Sprintf("GOGC=%d GOMEMLIMIT=%dMiB", gogc, mib)
	switch {
	case mib == 0:
		text = fmt.Sprintf("GOGC=%d, no GOMEMLIMIT", gogc)
	case gogc == off:
		text = fmt.Sprintf("GOGC=off GOMEMLIMIT=%dMiB", mib)
	}
	bytes := mib << 20
	if mib == 0 {
		bytes = math.MaxInt64
	}
	return variant{name, text, func() (func(*figures), error) { return setFixed(gogc, bytes) }}
}

func variantNamed(name string) (variant, error) {
	for _, v := range append([]variant{ours}, variants...) {
		if v.name == name {
			return v, nil
		}
	}
	if rest, ok := strings.CutPrefix(name, oursName+":"); ok {
		if interval, err := time.ParseDuration(rest); err == nil {
			return oursEvery(interval), nil
		}
	}
	if rest, ok := strings.CutPrefix(name, "fixed:"); ok {
		g, m, _ := strings.Cut(rest, ",")
		gogc, err := strconv.Atoi(g)
		mib, err2 := strconv.ParseInt(m, 10, 64)
		if err == nil && err2 == nil {
			return fixed(gogc, mib), nil
		}
	}
	return variant{}, fmt.Errorf("there is no variant %q", name)
}
