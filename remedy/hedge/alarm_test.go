package hedge

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAlarmsOfALine: each call is notified when it is late and not before. Those that returned never are. All use one
// timer.
func TestAlarmsOfALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := alarm{epoch: time.Now()}
		told := make([]time.Duration, 100)
		all := make([]waiting, len(told))
		for i := range all {
			now := time.Since(a.epoch)
			all[i] = waiting{due: now + 10*ms, call: caller(func() { told[i] = time.Since(a.epoch) })}
			a.add(&all[i], now)
			time.Sleep(ms)
			if i%3 == 1 && !a.remove(&all[i]) {
				t.Errorf("call %d was notified before it was late", i)
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		for i, at := range told {
			want := time.Duration(i)*ms + 10*ms
			if i%3 == 1 {
				want = 0
			}
			if at != want {
				t.Errorf("call %d was notified at %v, want %v", i, at, want)
			}
		}
		if a.set || a.head != nil || a.tail != nil {
			t.Error("the line is empty and the timer is still set")
		}
	})
}

type caller func()

func (c caller) late() { c() }
