package cli

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"kitten", "sitting", 3}, {"gc-cpu", "gc-cpu", 0}, {"gc-cup", "gc-cpu", 2}, {"abc", "xabc", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) is %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestWantsColor(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"an ordinary terminal", map[string]string{"TERM": "xterm-256color"}, true},
		{"nothing set", nil, true},
		{"NO_COLOR", map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{"NO_COLOR empty is not set", map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		{"dumb", map[string]string{"TERM": "dumb"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := wantsColor(func(name string) string { return c.env[name] }); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
