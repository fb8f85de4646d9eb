package terminal

import "testing"

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
