package rule

import (
	"strings"
	"testing"
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

func TestParseBoundsTheFile(t *testing.T) {
	if _, err := Parse(make([]byte, maxFile+1), nil); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error is %v", err)
	}
}
