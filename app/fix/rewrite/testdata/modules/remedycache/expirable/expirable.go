// Package expirable keeps names for a while.
package expirable

import (
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
)

var names = expirable.NewLRU[int64, string](5000, nil, 10*time.Minute)

func name(id int64, load func(int64) string) string {
	if n, ok := names.Get(id); ok {
		return n
	}
	n := load(id)
	names.Add(id, n)
	return n
}
