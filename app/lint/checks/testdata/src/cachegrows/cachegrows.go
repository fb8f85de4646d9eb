package cachegrows

import (
	"reflect"
	"regexp"
	"sync"
)

var patterns = map[string]*regexp.Regexp{}

func pattern(s string) *regexp.Regexp {
	if re, ok := patterns[s]; ok {
		return re
	}
	re := regexp.MustCompile(s)
	patterns[s] = re // want `patterns only grows`
	return re
}

var lookups sync.Map

func lookup(host string) any {
	if v, ok := lookups.Load(host); ok {
		return v
	}
	v := len(host)
	lookups.Store(host, v) // want `lookups only grows`
	return v
}

var made sync.Map

func once(name string) any {
	v, _ := made.LoadOrStore(name, new(sync.Mutex)) // want `made only grows`
	return v
}

var grouped struct {
	sync.Mutex
	m map[string]int
}

func group(s string) int {
	grouped.Lock()
	defer grouped.Unlock()
	if n, ok := grouped.m[s]; ok {
		return n
	}
	if grouped.m == nil {
		grouped.m = map[string]int{}
	}
	grouped.m[s] = len(s) // want `m only grows`
	return len(s)
}

var users map[int64]string

func user(id int64) string {
	name := users[id]
	if name == "" {
		name = "x"
		users[id] = name // want `users only grows`
	}
	return name
}

// What follows is fine.

var registry = map[string]func(){}

func Register(name string, f func()) {
	if _, dup := registry[name]; dup {
		panic("twice")
	}
	registry[name] = f
}

func Get(name string) func() { return registry[name] }

var types sync.Map

func fields(t reflect.Type) any {
	if v, ok := types.Load(t); ok {
		return v
	}
	v, _ := types.LoadOrStore(t, t.NumField())
	return v
}

var deleted = map[string]int{}

func size(s string) int {
	if n, ok := deleted[s]; ok {
		return n
	}
	deleted[s] = len(s)
	return len(s)
}

func forget(s string) { delete(deleted, s) }

var measured = map[string]int{}

func bounded(s string) int {
	if n, ok := measured[s]; ok {
		return n
	}
	if len(measured) < 1000 {
		measured[s] = len(s)
	}
	return len(s)
}

type level int

var levels = map[level]string{}

func name(l level) string {
	if s, ok := levels[l]; ok {
		return s
	}
	levels[l] = "x"
	return "x"
}

var counts = map[string]int{}

func count(s string) { counts[s]++ }

var filled = map[string]int{}

func init() {
	for _, s := range []string{"a", "b"} {
		if filled[s] == 0 {
			filled[s] = 1
		}
	}
}

var handed = map[string]int{}

func hand(s string) int {
	if n, ok := handed[s]; ok {
		return n
	}
	handed[s] = 1
	evict(handed)
	return 1
}

func evict(m map[string]int) { clear(m) }
