package recorder

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestUntilCalm(t *testing.T) {
	const d = 10 * time.Second
	for _, tt := range []struct {
		name     string
		busy     func(at time.Duration) bool // burns one core then
		unknown  bool
		want     time.Duration
		cutAfter time.Duration
	}{
		{name: "idle", busy: func(time.Duration) bool { return false }, want: d},
		{name: "always busy", busy: func(time.Duration) bool { return true }, want: d},
		{name: "a spike before", busy: func(at time.Duration) bool {
			return at > 9*time.Second &&
				at < 9500*time.Millisecond
		}, want: d},
		{name: "a spike across", busy: func(at time.Duration) bool {
			return at > 9800*time.Millisecond &&
				at < 10250*time.Millisecond
		}, want: 10400 * time.Millisecond},
		{name: "busy from then on", busy: func(at time.Duration) bool { return at > 9800*time.Millisecond },
			want: 2 * d},
		{name: "busy, but not known", unknown: true,
			busy: func(at time.Duration) bool { return at > 9800*time.Millisecond }, want: d},
		{name: "cut early", busy: func(time.Duration) bool { return false }, want: 3 * time.Second,
			cutAfter: 3 * time.Second},
		{name: "cut while busy", busy: func(at time.Duration) bool { return at > 9800*time.Millisecond },
			want: 12 * time.Second, cutAfter: 12 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				cpu := func() (used time.Duration, ok bool) { // to 10 ms
					for at := time.Duration(0); at < time.Since(began); at += 10 * time.Millisecond {
						if tt.busy(at) {
							used += 10 * time.Millisecond
						}
					}
					return used, !tt.unknown
				}
				cut := make(chan struct{})
				if tt.cutAfter > 0 {
					go func() { time.Sleep(tt.cutAfter); close(cut) }()
				}
				untilCalm(t.Context(), cut, d, cpu)
				if got := time.Since(began); got != tt.want {
					t.Errorf("it ended after %s, want %s", got, tt.want)
				}
			})
		})
	}
}
