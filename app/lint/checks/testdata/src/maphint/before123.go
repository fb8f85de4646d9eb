//go:build go1.22

package maphint

// mapsloop says nothing of a copy in a file for a Go without package maps' Copy of iterators.
func copied(in map[string]user) map[string]user {
	m := make(map[string]user) // want `make it with that size`
	for k, v := range in {
		m[k] = v
	}
	return m
}
