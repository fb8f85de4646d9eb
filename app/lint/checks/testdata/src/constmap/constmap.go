package constmap

import "net/http"

type tags map[string]string

type metrics struct{}

func (metrics) WithTags(tags) metrics                         { return metrics{} }
func (metrics) Count(name string, n int, t map[string]string) {}

const backend = "backend"

func of(m metrics) metrics {
	return m.WithTags(tags{backend: "redis"}) // want `this map has the same entries at each pass`
}

func handled(m metrics) {
	m.Count("requests", 1, map[string]string{"kind": "http"}) // want `make it once, in a package variable`
}

func each(m metrics, items []string) {
	for range items {
		m.Count("items", 1, map[string]string{"kind": "item", "from": "queue"}) // want `the same entries`
	}
}

func asked(r *http.Request) bool {
	return has(map[string]bool{"a": true, "b": true, "c": true}, r.URL.Path) // want `the same entries`
}

func has(m map[string]bool, k string) bool { return m[k] }

func codes(n int) string {
	return name(map[int]string{1: "one", 2: "two"}, n) // want `the same entries`
}

func name(m map[int]string, n int) string { return m[n] }

// What follows is fine.

func tagged(m metrics, kind string) {
	m.Count("requests", 1, map[string]string{"kind": kind})
}

func empty(m metrics) { m.Count("requests", 1, map[string]string{}) }

func setupMetrics(m metrics) metrics { return m.WithTags(tags{backend: "redis"}) }

func slices(m metrics) { list([]string{"a", "b"}) }

func list([]string) {}

func kept() map[string]string {
	m := map[string]string{"kind": "own"}
	m["more"] = "changed"
	return m
}

var shared = metrics{}.WithTags(tags{backend: "redis"})
