package sortkept

import (
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"
)

type user struct {
	name string
	age  int
}

type store struct {
	mu    sync.RWMutex
	users map[string]*user
	order []string
}

func (s *store) names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]string, 0, len(s.users))
	for name := range s.users {
		out = append(out, name)
	}
	sort.Strings(out) // want `s.users is sorted anew at each call`
	return out
}

func (s *store) list() (all []*user) {
	for _, u := range s.users {
		all = append(all, u)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].age < all[j].age }) // want `keep it in its order`
	return all
}

func (s *store) keys() []string {
	return slices.Sorted(maps.Keys(s.users)) // want `s.users is sorted anew`
}

func (s *store) first() string {
	sort.Strings(s.order) // want `s.order is sorted anew`
	return s.order[0]
}

func (s *store) copied() []string {
	out := slices.Clone(s.order)
	slices.SortFunc(out, strings.Compare) // want `s.order is sorted anew`
	return out
}

var routes = map[string]int{"/": 1}

func paths() []string {
	all := slices.Collect(maps.Keys(routes))
	slices.Sort(all) // want `routes is sorted anew`
	return all
}

// What follows is fine.

func (s *store) add(name string) {
	s.order = append(s.order, name)
	sort.Strings(s.order)
}

func (s *store) olderThan(age int) (all []*user) {
	for _, u := range s.users {
		if u.age > age {
			all = append(all, u)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].age < all[j].age })
	return all
}

func (s *store) but(name string) (all []string) {
	for n := range s.users {
		if n == name {
			continue
		}
		all = append(all, n)
	}
	sort.Strings(all)
	return all
}

func sorted(names []string) []string {
	out := slices.Clone(names)
	sort.Strings(out)
	return out
}

type answer struct{ fields map[string]string }

func (a *answer) text() string { // one answer's
	keys := make([]string, 0, len(a.fields))
	for k := range a.fields {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return strings.Join(keys, ",")
}

func (s *store) with(more []string) []string {
	var out []string
	for n := range s.users {
		out = append(out, n)
	}
	for _, n := range more {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func init() {
	all := slices.Collect(maps.Keys(routes))
	slices.Sort(all)
}
