package tablepercall

import "net/http"

func status(code string) int {
	codes := map[string]int{ // want `this map is filled anew at every call`
		"ok":        200,
		"created":   201,
		"not found": 404,
		"conflict":  409,
	}
	return codes[code]
}

func allowed(r *http.Request) bool {
	methods := map[string]bool{"GET": true, "HEAD": true, "POST": true, "PUT": true} // want `this map is filled anew`
	return methods[r.Method]
}

func unit(name string) (float64, bool) {
	factors := map[string]float64{"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12} // want `this map is filled anew`
	f, ok := factors[name]
	return f, ok
}

func direct(kind int) string {
	return map[int]string{1: "one", 2: "two", 3: "three", 4: "four"}[kind] // want `this map is filled anew`
}

type rule struct {
	name string
	most int
}

func check(values map[string]int) bool {
	limits := map[string]rule{ // want `this map is filled anew`
		"a": {"first", 1}, "b": {"second", 2}, "c": {"third", 3}, "d": {"fourth", 4},
	}
	for name, r := range limits {
		if values[name] > r.most {
			return false
		}
	}
	return true
}

// What follows is fine.

var kinds = map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}

func global(k string) int { return kinds[k] }

func two(k string) int { return map[string]int{"a": 1, "b": 2}[k] }

func ofArguments(a, b, c, d int, k string) int {
	return map[string]int{"a": a, "b": b, "c": c, "d": d}[k]
}

func returned() map[string]int {
	m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	return m
}

func changed(k string) map[string]bool {
	seen := map[string]bool{"a": true, "b": true, "c": true, "d": true}
	seen[k] = true
	return seen
}

func given(f func(map[string]int)) {
	m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	f(m)
}

func lists(k string) []int {
	m := map[string][]int{"a": {1}, "b": {2}, "c": {3}, "d": {4}}
	return m[k]
}

func calls(k string) int {
	m := map[string]int{"a": len(k), "b": 2, "c": next(), "d": 4}
	return m[k]
}

func next() int { return 1 }

func init() {
	m := map[string]int{"a": 1, "b": 2, "c": 3, "d": 4}
	kinds["e"] = m["a"]
}
