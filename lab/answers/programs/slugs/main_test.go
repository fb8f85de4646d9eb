package main

import (
	"slices"
	"testing"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"A new House":      "a-new-house",
		"  What -- now?  ": "what-now",
		"Über uns!":        "ber-uns",
		"100 % of 2026":    "100-of-2026",
		"snake_case":       "snake-case",
		"...":              "",
		"":                 "",
	} {
		if got := slug(title); got != want {
			t.Errorf("of %q comes %q, wanted %q", title, got, want)
		}
	}
}

func TestSlugs(t *testing.T) {
	if got := slugs([]string{"B c", "A"}); !slices.Equal(got, []string{"b-c", "a"}) {
		t.Errorf("the slugs are %q", got)
	}
}
