//go:build unix

package recorder_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/gocasebook/casebook/internal/victimtest"
)

// The windows hold a spike that was over before anybody looked, also a spike across the end of a window.
func TestSpikeIsInAWindow(t *testing.T) {
	const length = 500 * time.Millisecond
	for _, quiet := range []time.Duration{0, 100 * time.Millisecond, 900 * time.Millisecond} {
		t.Run(fmt.Sprint("after=", quiet), func(t *testing.T) {
			c, stop := runReal(t, recorder.CPUConfig{Window: time.Second, Keep: maxKeep}) // on a starved machine it needs many
			defer stop()
			<-time.After(quiet)
			victimtest.Spike(length)
			found := 0
			for _, w := range c.Cut(t.Context()) {
				found += profiletest.Samples(t, w.Data, "victimtest.Spike")
			}
			if found < 10 { // 50 at 100 Hz, except in a gap; a machine with thrice the work lost half of them
				t.Errorf("%d samples of the spike are in the windows, want 10 or more", found)
			}
		})
	}
}
