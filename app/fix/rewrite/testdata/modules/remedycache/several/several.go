// Package several keeps values of several types.
package several

import "github.com/patrickmn/go-cache"

var all = cache.New(0, 0)

func put(id string, n int) {
	all.Set(id, n, 0)
	all.Set(id+" name", "name", 0)
}
