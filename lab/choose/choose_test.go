package choose

import (
	"slices"
	"testing"
)

func TestNamed(t *testing.T) {
	all := []string{"nats", "nats-slow", "etcd"}
	for _, c := range []struct {
		pattern string
		want    []string // none where it is an error
	}{
		{"", all},
		{"nats", []string{"nats"}},
		{"nats.*|etcd", all},
		{"nat", nil},
		{"(", nil},
	} {
		some, err := Named(all, func(s string) string { return s }, c.pattern)
		if !slices.Equal(some, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("Named(%q) = %v, %v, want %v", c.pattern, some, err, c.want)
		}
	}
	if !slices.Equal(all, []string{"nats", "nats-slow", "etcd"}) {
		t.Errorf("what it chose from is %v now", all)
	}
}
