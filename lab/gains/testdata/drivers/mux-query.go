package main

import (
	"net/http"
	"net/http/httptest"

	"github.com/gorilla/mux"
)

func work() func() {
	r := mux.NewRouter()
	r.HandleFunc("/search", func(http.ResponseWriter, *http.Request) {}).Queries("q", "{q}", "page", "{page:[0-9]+}")
	req := httptest.NewRequest("GET", "/search?q=shoes&page=3&sort=price&colour=red&size=42&utm_source=mail", nil)
	return func() {
		var m mux.RouteMatch
		if !r.Match(req, &m) {
			panic("no match")
		}
	}
}
