//go:build go1.23

package afterinloop

import "time"

func today(in chan int, idle time.Duration) {
	for {
		select {
		case <-in:
		case <-time.After(idle):
			return
		}
	}
}
