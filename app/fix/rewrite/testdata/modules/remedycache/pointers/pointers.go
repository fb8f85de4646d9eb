// Package pointers keeps what has pointers.
package pointers

import lru "github.com/hashicorp/golang-lru/v2"

type user struct{ name string }

var users, _ = lru.New[string, *user](1000)

func get(id string) (*user, bool) { return users.Get(id) }
