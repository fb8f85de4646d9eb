package hedge

import (
	"testing"
	"time"
)

// feed gives a kind calls of one latency, 100 per second, and returns when the last ended.
func feed(k *kind, from time.Duration, calls int, took time.Duration) time.Duration {
	for range calls {
		from += 10 * time.Millisecond
		k.observe(from, took, k.delay(), false)
	}
	return from
}

func testKind(t *testing.T) *kind {
	t.Helper()
	cfg, err := Config{}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return newKind(cfg, time.Now())
}

func near(got, want time.Duration) bool { return got > want*93/100 && got < want*107/100 }

func TestDelayIsUnknownWithFewSamples(t *testing.T) {
	k := testKind(t)
	now := feed(k, 0, 99, 20*time.Millisecond)
	if k.delay() != 0 {
		t.Errorf("after 99 calls the delay is %v, want none", k.delay())
	}
	feed(k, now, 11, 20*time.Millisecond)
	if !near(k.delay(), 20*time.Millisecond) {
		t.Errorf("after 110 calls of 20 ms the delay is %v", k.delay())
	}
}

func TestDelayFollowsChange(t *testing.T) {
	k := testKind(t)
	now := feed(k, 0, 3000, 20*time.Millisecond)
	now = feed(k, now, 100, 60*time.Millisecond) // 1 s
	if !near(k.delay(), 60*time.Millisecond) {
		t.Errorf("1 s after latency rose from 20 to 60 ms the delay is %v", k.delay())
	}
	now = feed(k, now, 3000, 60*time.Millisecond)
	feed(k, now, 2500, 20*time.Millisecond) // 25 s, five half-lives
	if !near(k.delay(), 20*time.Millisecond) {
		t.Errorf("25 s after latency fell from 60 to 20 ms the delay is %v", k.delay())
	}
}

func TestDelayIsNeverBelowTheMinimum(t *testing.T) {
	k := testKind(t)
	feed(k, 0, 200, 30*time.Microsecond)
	if k.delay() != time.Millisecond {
		t.Errorf("with calls of 30 µs the delay is %v, want 1ms", k.delay())
	}
}

func TestQuickFailuresDoNotCount(t *testing.T) {
	k := testKind(t)
	now := feed(k, 0, 300, 20*time.Millisecond)
	before := k.latencies.total()
	k.observe(now, time.Millisecond, k.delay(), true)
	if k.latencies.total() != before {
		t.Error("a call that failed after 1 ms was taken for a latency")
	}
	k.observe(now, time.Second, k.delay(), true)
	if k.latencies.total() != before+1 {
		t.Error("a call that was cut short after 1 s was not counted as late")
	}
}

func TestRisenMedian(t *testing.T) {
	k := testKind(t)
	now := feed(k, 0, 6000, 20*time.Millisecond) // a minute
	if v := k.slow(now, now, k.delay()); v != granted {
		t.Fatalf("while all is well the verdict is %d", v)
	}
	now = feed(k, now, 1000, 100*time.Millisecond) // 10 s
	if v := k.slow(now, now, k.delay()); v != slowForLong {
		t.Errorf("10 s after the median rose fivefold the verdict is %d, want %d", v, slowForLong)
	}
	back := feed(k, now, 3000, 20*time.Millisecond)
	if v := k.slow(back, back, k.delay()); v != granted {
		t.Errorf("30 s after it fell again the verdict is %d, want none", v)
	}
}

// TestRisenMedianIsTheNewNormal: latency that stays high for long is no longer an incident.
func TestRisenMedianIsTheNewNormal(t *testing.T) {
	k := testKind(t)
	now := feed(k, 0, 6000, 20*time.Millisecond)
	now = feed(k, now, 6000, 70*time.Millisecond)
	if !k.risen.Load() {
		t.Error("a minute after the median rose from 20 to 70 ms it is taken for normal")
	}
	feed(k, now, 24_000, 70*time.Millisecond)
	if k.risen.Load() {
		t.Error("five minutes after the median rose from 20 to 70 ms it is not taken for normal")
	}
}

func TestLostHedgesLeaveProbes(t *testing.T) {
	k := testKind(t)
	for range lostMax {
		k.loses()
	}
	got := 0
	for now := time.Duration(0); now < 10*time.Second; now += 10 * time.Millisecond {
		if k.slow(now, now, time.Millisecond) == granted {
			got++
		}
	}
	if got != 10 {
		t.Errorf("%d hedges were let through in 10 s, want one a second", got)
	}
	k.won()
	if v := k.slow(time.Minute, time.Minute, time.Millisecond); v != granted {
		t.Errorf("after a hedge has won the verdict is %d", v)
	}
}

func TestLateCalls(t *testing.T) {
	const delay = 5 * time.Millisecond
	tests := []struct {
		name  string
		calls int
		every time.Duration
		late  func(i int) bool
		want  bool
	}{
		{"no calls before", 1, time.Millisecond, func(int) bool { return true }, false},
		{"one in twenty", 1000, time.Millisecond, func(i int) bool { return i%20 == 0 }, false},
		{"one of three", 1000, time.Millisecond, func(i int) bool { return i%3 == 0 }, false},
		{"two of three", 1000, time.Millisecond, func(i int) bool { return i%3 != 0 }, true},
		{"the last 40 of 1000", 1000, time.Millisecond, func(i int) bool { return i >= 960 }, true},
		{"the last 10 of 1000", 1000, time.Millisecond, func(i int) bool { return i >= 990 }, false},
		{"all, 20 a second", 40, 50 * time.Millisecond, func(int) bool { return true }, true},
		{"all, 2 a second: too few to tell", 40, 500 * time.Millisecond, func(int) bool { return true }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var late lateCalls
			start := 10 * time.Minute
			for i := range tt.calls {
				start += tt.every
				late.begin(start, delay)
				if tt.late(i) {
					late.late(start, delay)
				}
			}
			if got := late.high(start, delay); got != tt.want {
				t.Errorf("high is %v, want %v", got, tt.want)
			}
		})
	}
}

// TestLateCallsOfABurst: the late calls of a burst are found late together, long after the others returned.
func TestLateCallsOfABurst(t *testing.T) {
	var late lateCalls
	const start, delay = time.Minute, 3 * time.Second
	for range 1000 {
		late.begin(start, delay)
	}
	for range 50 {
		late.late(start, delay)
		if late.high(start, delay) {
			t.Fatal("50 late calls of 1000 that began together are taken for most")
		}
	}
}

func TestLateCallsAreBounded(t *testing.T) {
	var late lateCalls
	for range 100_000 {
		late.begin(time.Second, time.Millisecond)
		late.late(time.Second, time.Millisecond)
	}
	if !late.high(time.Second, time.Millisecond) {
		t.Error("100000 late calls of 100000 in one slot are not taken for most")
	}
	word := late.slot[slotOf(time.Second, time.Millisecond)%lateSlots].Load()
	if uint32(word>>32) != slotOf(time.Second, time.Millisecond) {
		t.Error("a full slot's count ran over into its tag")
	}
}
