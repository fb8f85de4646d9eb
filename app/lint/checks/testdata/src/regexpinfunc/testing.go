package regexpinfunc

import (
	"regexp"
	"testing"
)

// Check helps tests: how long these take is nobody's concern.
func Check(t *testing.T, s string) {
	if !regexp.MustCompile(`k+`).MatchString(s) {
		t.Error(s)
	}
}
