package queryagain

import (
	"net/http"
	"net/url"
)

func page(w http.ResponseWriter, r *http.Request) string {
	from := r.URL.Query().Get("from")
	to := r.URL.Query().Get("to") // want `parses the query again`
	if from == "" {
		return r.URL.Query().Get("day") // want `parses the query again`
	}
	return from + to
}

func both(u *url.URL) bool {
	return u.Query().Get("a") != "" && u.Query().Get("b") != "" // want `parses the query again`
}

func each(u *url.URL, names []string) (all []string) {
	for _, n := range names {
		all = append(all, u.Query().Get(n)) // want `parses the query at each turn`
	}
	return all
}

// What follows is fine.

func kept(r *http.Request) (string, string) {
	q := r.URL.Query()
	return q.Get("a"), q.Get("b")
}

func either(u *url.URL, long bool) string {
	if long {
		return u.Query().Get("a")
	} else if u.Host != "" {
		return u.Query().Get("b")
	}
	switch u.Path {
	case "/":
		return u.Query().Get("c")
	case "/d":
		return u.Query().Get("d")
	}
	return u.Query().Get("e")
}

func two(a, b *url.URL) bool { return a.Query().Get("x") == b.Query().Get("x") }

func changed(u *url.URL) string {
	before := u.Query().Encode()
	u.RawQuery = "a=1"
	return before + u.Query().Encode()
}

func urls(all []*url.URL) (names []string) {
	for _, u := range all {
		names = append(names, u.Query().Get("name"))
	}
	return names
}

func found(u *url.URL, names []string) string {
	for _, n := range names {
		if n == "" {
			return u.Query().Get("n")
		}
	}
	return ""
}
