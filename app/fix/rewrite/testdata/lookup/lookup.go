// Package lookup looks for things.
package lookup

import (
	"slices"
	"strings"
)

// common is lab/ads/common_nested.go.
func common(ids, allowed []int64) []int {
	var found []int
	for i, id := range ids {
		for _, other := range allowed {
			if id == other {
				found = append(found, i)
				break
			}
		}
	}
	return found
}

func without(all, gone []string) (out []string) {
	for _, s := range all {
		if !slices.Contains(gone, strings.ToLower(s)) {
			out = append(out, s)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

type user struct {
	name   string
	groups []string
}

type policy struct{ allowed []string }

func (p *policy) permitted(users []user) (n int) {
	for _, u := range users {
		for _, g := range u.groups {
			if contains(p.allowed, g) {
				n++
			}
		}
	}
	return n
}

func any(users []user, wanted []string) bool {
	for i := range users {
		for _, w := range wanted {
			if users[i].name == w {
				return true
			}
		}
	}
	return false
}

func named(users []user, wanted []string) bool {
	found := false
	for _, u := range users {
		for _, w := range wanted {
			if w == u.name {
				found = true
			}
		}
	}
	return found
}

func skip(users []user, wanted []string) (n int) {
outer:
	for _, u := range users {
		for _, w := range wanted {
			if w == u.name {
				continue outer
			}
		}
		n++
	}
	return n
}

// count counts each match.
func count(users []user, wanted []string) (n int) {
	for _, u := range users {
		for _, w := range wanted {
			if w == u.name {
				n++
			}
		}
	}
	return n
}

// unique grows what it looks through.
func unique(all []string) (out []string) {
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// own looks through a list of each turn.
func own(users []user, name string) (n int) {
	for _, u := range users {
		if slices.Contains(u.groups, name) {
			n++
		}
	}
	return n
}

// floats may hold what is not equal to itself.
func floats(all, wanted []float64) (n int) {
	for _, f := range all {
		if slices.Contains(wanted, f) {
			n++
		}
	}
	return n
}

// calls tells others, who may have the list.
func calls(all, wanted []string, tell func(string)) {
	for _, s := range all {
		tell(s)
		if slices.Contains(wanted, s) {
			return
		}
	}
}

// writes changes the list.
func writes(all, wanted []string) {
	for i, s := range all {
		if slices.Contains(wanted, s) {
			wanted[i] = ""
		}
	}
}

// element uses what it found.
func element(all, wanted []string) (out []string) {
	for _, s := range all {
		for _, w := range wanted {
			if s == w {
				out = append(out, w)
				break
			}
		}
	}
	return out
}

// once is in no loop.
func once(wanted []string, s string) bool { return slices.Contains(wanted, s) }
