package brief

import "testing"

// TestCommandsStayWhole: a command that a sentence quotes is one code span.
func TestCommandsStayWhole(t *testing.T) {
	for text, want := range map[string]string{
		"nice 19: `echo 19 > /proc/7/autogroup`: this": "nice 19: `echo 19 > /proc/7/autogroup`: this",
		"(`a b`), `c`.":    "(`a b`), `c`.",
		"`open and more":   "`` `open `` and more",
		"`a b``c d` of it": "`` `a `` ```b``c``` `` d` `` of it",
	} {
		if got := (quoter{}).prose(text); got != want {
			t.Errorf("%s: %s; want %s", text, got, want)
		}
	}
}
