package sprintfkey

import (
	"fmt"
	"sync"
)

type campaign int

type region string

func (r region) String() string { return "region " + string(r) }

func get(m map[string]int, user string, c campaign) int {
	return m[fmt.Sprintf("%s:%d", user, c)] // want `use a struct of these parts`
}

func twice(m map[string]int, user, place string) int {
	key := fmt.Sprintf("%s/%v", user, place) // want `use a struct of these parts`
	if n, ok := m[key]; ok {
		return n
	}
	m[key] = 1
	return 1
}

var seen sync.Map

func mark(a, b string) {
	seen.LoadOrStore(fmt.Sprintf("<%s|%s>", a, b), true) // want `use a struct of these parts`
}

func forget(m map[string]int, a string, n uint64) {
	delete(m, fmt.Sprintf("%s-%d", a, n)) // want `use a struct of these parts`
}

// What follows is fine.

func one(m map[string]int, n int) int { return m[fmt.Sprintf("%d", n)] } // perfsprint's

func padded(m map[string]int, a string, n int) int { return m[fmt.Sprintf("%s-%08d", a, n)] }

func stringer(m map[string]int, a string, r region) int { return m[fmt.Sprintf("%s-%s", a, r)] }

func logged(m map[string]int, a, b string) int {
	key := fmt.Sprintf("%s:%s", a, b)
	fmt.Println(key)
	return m[key]
}

func text(a, b string) string { return fmt.Sprintf("%s:%s", a, b) }

func list(l []string, a, b int) string { return l[len(fmt.Sprintf("%d%d", a, b))] }

func floats(m map[string]int, x, y float64) int { return m[fmt.Sprintf("%v,%v", x, y)] }

func fill(names []string, user string) map[string]bool {
	m := make(map[string]bool)
	for _, n := range names {
		m[fmt.Sprintf("%s:%s", user, n)] = true
	}
	return m
}
