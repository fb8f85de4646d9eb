package terminal

import (
	"strings"
	"testing"
)

// TestWrapError: prose is wrapped at the terminal's width, and the last words of a server stand as it wrote them.
func TestWrapError(t *testing.T) {
	const words = "  panic: a line of a server that is longer than the terminal, and that nobody may take apart, for " +
		"it is searched"
	got := wrapError("casebook: A was not ready within 30s (dial tcp 127.0.0.1:24031: connect: connection refused). "+
		"Does the command listen on it?; its last output:\n"+words,
		80)
	lines := strings.Split(got, "\n")
	if len(lines) != 3 || lines[2] != words {
		t.Fatalf("%d lines, want two of prose and what the server wrote:\n%s", len(lines), got)
	}
	for _, l := range lines[:2] {
		if len(l) > 80 {
			t.Errorf("a line of %d columns: %s", len(l), l)
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
