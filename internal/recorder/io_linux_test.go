package recorder

import (
	"math"
	"testing"
)

func TestLineNumber(t *testing.T) {
	for _, tt := range []struct {
		text string
		want float64
	}{
		{"rchar: 5\nsyscr: 123\nsyscw: 4\n", 123},
		{"syscr: 123", 123},
		{"syscr: \n", math.NaN()},
		{"syscr: x", math.NaN()},
		{"", math.NaN()},
	} {
		if got := lineNumber([]byte(tt.text), "syscr: "); got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%q gave %v, want %v", tt.text, got, tt.want)
		}
	}
}
