package diagnose

import "testing"

func TestSaysWait(t *testing.T) {
	for name, want := range map[string]bool{
		"main.busyWait": true, "main.(*pacer).wait": true, "main.(*trader).waitForListing": true,
		"clock.SleepUntil": true, "gpio.delayMicroseconds": true, "rate.(*Gate).Throttle": true, "main.spin": true,
		"main.(*queue).longestWait": false, "main.waitTimes": false, "main.(*pool).waitDurations": false,
		"main.waitingSince": false, "main.expired": false, "main.(*cache[...]).evict": false, "main.sleepers": false,
		"main.(*store).pausedUntil": false,
	} {
		if got := saysWait(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
