package diagnose

import (
	"testing"
)

// TestPurposeOf: a name alone says what a function is meant to do.
func TestPurposeOf(t *testing.T) {
	for name, want := range map[string]purpose{
		"main.(*ArrayCache).Has":              searches,
		"example.org/shop.IsIdInList":         searches,
		"main.(*Store).GetUserByID":           searches,
		"main.indexOf[...]":                   searches,
		"main.removeDuplicates":               gathers,
		"main.(*matcher).commonKeywords":      matches,
		"main.findNearest":                    different,
		"main.(*SkipList).find":               different,
		"main.isPrime":                        different,
		"main.findNewline":                    different,
		"main.total":                          different,
		"main.(*handler).process":             unnamed,
		"main.(*handler).serve.func1":         unnamed,
		"main.(*Server).handleContains.func2": searches,
	} {
		if got := purposeOf(name, true); got != want {
			t.Errorf("purposeOf(%s) = %d, want %d", name, got, want)
		}
	}
	if got := purposeOf("main.(*ring).get", false); got != unnamed {
		t.Errorf("a get that does not leave its loop is %d, want %d", got, unnamed)
	}
}

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
