package hoist

import "testing"

var isNumberPattern = "42"

func TestIsNumber(t *testing.T) {
	if !isNumber(isNumberPattern) {
		t.Error(isNumberPattern)
	}
}
