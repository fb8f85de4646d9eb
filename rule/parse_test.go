package rule

import (
	"strings"
	"testing"
)

func TestParseBoundsTheFile(t *testing.T) {
	if _, err := Parse(make([]byte, maxFile+1), nil); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error is %v", err)
	}
}
