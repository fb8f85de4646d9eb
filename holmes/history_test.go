package holmes

import (
	"testing"
	"time"
)

// What is set while Holmes runs does not make it blind for ten intervals.
func TestHistoryGoesOnWhenOptionsChange(t *testing.T) {
	old := WithGoroutineDump(10, 25, 10_000, 0, time.Minute)
	for _, c := range []struct {
		name string
		from string // interval
		set  []Option
	}{
		{"thresholds", "5s", []Option{WithGoroutineDump(10, 20, 5000, 0, time.Minute)}},
		{"a longer interval", "1s", []Option{WithCollectInterval("30s")}},
		{"a shorter interval", "30s", []Option{WithCollectInterval("1s")}},
		{"nothing of it", "5s", []Option{WithTextDump(), WithCPUMax(90)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJudge(t, goroutine, old, WithCollectInterval(c.from)).calm(1000)
			j.apply(c.set...)
			if !j.see(1260) {
				t.Error("26 % over the mean of the ten samples before did not fire in the next sample")
			}
			if got := j.record.before(goroutine, j.now); got != 1000 {
				t.Errorf("the mean before is %g, want 1000", got)
			}
		})
	}
}

func TestWarmUpGoesOnWhenOptionsChange(t *testing.T) {
	j := newJudge(t, cpu, WithCollectInterval("5s"))
	for i := range baselineSamples - 1 {
		if j.see(99) {
			t.Fatalf("sample %d of %d fired", i+1, baselineSamples)
		}
		j.apply(WithCPUMax(200 + i))
	}
	if !j.see(99) {
		t.Error("the tenth sample did not fire")
	}
}

// A kind that is enabled later is judged by what was collected before, and one that is disabled for a moment does not
// forget its cool-down.
func TestSwitchesKeepHistoryAndCooldown(t *testing.T) {
	j := newJudge(t, goroutine, WithGoroutineDump(10, 25, 5000, 0, time.Hour))
	enable := func(on bool) { j.o.kinds[goroutine].Enable = on; j.apply() }
	enable(false)
	j.calm(1000)
	enable(true)
	if !j.see(1300) {
		t.Fatal("what was enabled after ten samples did not fire in the next one")
	}
	enable(false)
	j.see(1000)
	enable(true)
	if j.see(6000) {
		t.Error("it fired again within its cool-down of an hour")
	}
}

// holmes begins with an empty history, but is warm, after Stop and Start. Here both go on.
func TestHistoryGoesOnAfterStop(t *testing.T) {
	t.Parallel()
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), always(time.Nanosecond))
	h.EnableGoroutineDump().Start()
	told.next(t, "goroutine")
	h.Stop()
	h.record.mu.Lock()
	before := h.record.collected
	h.record.mu.Unlock()
	for len(told) > 0 {
		<-told
	}
	h.Start()
	told.next(t, "goroutine")
	if n := h.Status().Ticks; before < baselineSamples || n >= baselineSamples {
		t.Errorf("the first trip after a restart came with sample %d; %d were there before", n, before)
	}
}

// The mean is over the ten values before, not over what came with them or after.
func TestMeanIsOfTheTenBefore(t *testing.T) {
	var p past
	start := time.Unix(1_700_000_000, 0)
	for i := range 100 {
		p.add(start.Add(time.Duration(i)*time.Second), float64(i))
	}
	if mean, n := p.mean(start.Add(95 * time.Second)); mean != 89.5 || n != baselineSamples {
		t.Errorf("before 95 it is %g of %d values, want that of 85 to 94", mean, n)
	}
	if mean, n := new(past).mean(start); mean != 0 || n != 0 {
		t.Errorf("of nothing it is %g of %d values", mean, n)
	}
}
