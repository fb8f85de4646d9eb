package gctune

import (
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestConfig(t *testing.T) {
	for _, c := range []struct {
		field string
		cfg   Config
	}{
		{"Limit", Config{Limit: 1}},
		{"Headroom", Config{Headroom: 0.95}},
		{"Ceiling", Config{Ceiling: 0.8}},
		{"MaxGCShare", Config{MaxGCShare: 0.6}},
		{"MinGOGC", Config{MinGOGC: 500, MaxGOGC: 400}},
		{"MaxGOGC", Config{MaxGOGC: 1_000_000}},
		{"Interval", Config{Interval: time.Nanosecond}},
	} {
		t.Run(c.field, func(t *testing.T) {
			if _, err := New(c.cfg); err == nil || !strings.Contains(err.Error(), "Config."+c.field) {
				t.Errorf("the error is %v, want one that names %s", err, c.field)
			}
		})
	}
}

func TestOperatorOf(t *testing.T) {
	for _, c := range []struct {
		name, gogc, limit string
		override          bool
		want              kept
	}{
		{"nothing set", "", "", false, kept{}},
		{"GOGC", "50", "", false, kept{gogc: true}},
		{"GOGC=off", "off", "", false, kept{gogc: true}},
		{"GOMEMLIMIT", "", "1GiB", false, kept{limit: true}},
		{"GOMEMLIMIT=off", "", "off", false, kept{}},
		{"both, overridden", "50", "1GiB", true, kept{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := map[string]string{"GOGC": c.gogc, "GOMEMLIMIT": c.limit}
			got := operatorOf(Config{OverrideEnv: c.override}, func(name string) string { return env[name] })
			if got != c.want {
				t.Errorf("kept is %+v, want %+v", got, c.want)
			}
		})
	}
}

// settingsNow are those of this process.
func settingsNow() settings {
	var r reading
	newRuntimeMetrics().read(&r)
	return settings{r.gogc, r.goLimit}
}

// With the real runtime: one tuner per process, and Stop restores what it found.
func TestStartStop(t *testing.T) {
	before := settingsNow()
	tuner, err := Start(Config{Limit: 1 << 30, OverrideEnv: true, Interval: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Start(Config{Limit: 1 << 30}); !errors.Is(err, ErrRunning) {
		t.Errorf("a second tuner: %v, %v; want ErrRunning", second, err)
	}
	third, err := New(Config{Limit: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if err := third.Run(t.Context()); !errors.Is(err, ErrRunning) {
		t.Errorf("Run beside a tuner returned %v, want ErrRunning", err)
	}
	if err := third.Stop(); err == nil {
		t.Error("Stop of a tuner that was not started gave no error")
	}
	for deadline := time.Now().Add(goesOn); tuner.Stats().Changes == 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("nothing was changed in %s: %+v", goesOn, tuner.Stats())
		}
	}
	if now := settingsNow(); now.limit > 1<<30/100*91 || now == before {
		t.Errorf("settings are %+v, want a GOMEMLIMIT of 91 %% of 1 GiB at most", now)
	}
	for range 2 {
		if err := tuner.Stop(); err != nil {
			t.Errorf("Stop: %v", err)
		}
	}
	if now := settingsNow(); now != before {
		t.Errorf("after Stop settings are %+v, want %+v as before", now, before)
	}
	again, err := Start(Config{Limit: 1 << 30})
	if err != nil {
		t.Fatalf("a tuner after the first has stopped: %v", err)
	}
	if err := again.Stop(); err != nil {
		t.Error(err)
	}
}

// goesOn limits the wait for what a starved machine does sooner or later.
const goesOn = 5 * time.Minute

// GOGC=off is recognised and restored.
func TestRestoresOff(t *testing.T) {
	old := debug.SetGCPercent(-1)
	defer debug.SetGCPercent(old)
	tuner, err := Start(Config{Limit: 1 << 30, OverrideEnv: true})
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(goesOn); tuner.Stats().Changes == 0 && time.Now().Before(deadline); {
		runtime.Gosched()
	}
	if err := tuner.Stop(); err != nil {
		t.Error(err)
	}
	if now := settingsNow(); now.gogc != -1 {
		t.Errorf("GOGC is %d after Stop, want off", now.gogc)
	}
}

func TestChangeString(t *testing.T) {
	c := Change{Reason: LessMemory, OldGOGC: -1, GOGC: 150, OldLimit: math.MaxInt64, Limit: 300 * mb,
		BoundLimit: 400 * mb, Target: 360 * mb,
		Used: 200 * mb, Others: 60 * mb, Live: 100 * mb, GCShare: 0.034}
	const want = "less memory: GOGC off → 150, GOMEMLIMIT off → 300MiB (target 360MiB of 400MiB, used 200MiB, others " +
		"60MiB, live heap 100MiB, GC 3.4 % of CPU, 0MiB above the target allowed)"
	if c.String() != want {
		t.Errorf("the change reads\n%s\nwant\n%s", c, want)
	}
	if got := Reason(99).String(); got != "reason 99" {
		t.Errorf("an unknown reason reads %q", got)
	}
}
