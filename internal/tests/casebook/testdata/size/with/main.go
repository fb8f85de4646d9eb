// Command with is the service of ../without that watches itself.
package main

import (
	"net/http"
	_ "net/http/pprof"

	"github.com/gocasebook/casebook"
)

func main() {
	stop, err := casebook.Start(casebook.Config{Dir: "cases"})
	if err != nil {
		panic(err)
	}
	defer stop()
	if err := http.ListenAndServe("127.0.0.1:0", nil); err != nil {
		panic(err)
	}
}
