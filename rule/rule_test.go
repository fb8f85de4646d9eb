package rule

import (
	"time"
)

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

func same(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
