// Package answers uses what only an LRU can say.
package answers

import lru "github.com/hashicorp/golang-lru/v2"

var all, _ = lru.New[string, int](1000)

func put(id string, n int) (evicted bool) { return all.Add(id, n) }
