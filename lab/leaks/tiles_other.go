//go:build !unix

package main

import "net/http"

// tiles maps memory by hand, which is done otherwise here.
func tiles() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "needs a Unix", http.StatusNotImplemented)
	}
}
