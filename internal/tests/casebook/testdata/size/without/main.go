// Command without is a service before it imports Casebook: size_test.go says what it grows by.
package main

import (
	"net/http"
	_ "net/http/pprof"
)

func main() {
	if err := http.ListenAndServe("127.0.0.1:0", nil); err != nil {
		panic(err)
	}
}
