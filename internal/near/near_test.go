package near

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"gc-cpu", "gc-cpu", 0},
		{"gc-cup", "gc-cpu", 1}, {"ulr", "url", 1}, {"ca", "abc", 3}, {"abc", "xabc", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
