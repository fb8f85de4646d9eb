package setup

// pprofFile is the new file of a program that shall be watched from outside.
const pprofFile = `package main

import (
	"cmp"
	"log"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
)

// servePprof serves profiles to casebook and go tool pprof, on this machine alone unless PPROF_ADDR says otherwise. It
// also has waits recorded: one mutex wait of a hundred, and what blocks for a millisecond or longer.
func servePprof() {
	runtime.SetMutexProfileFraction(100)
	runtime.SetBlockProfileRate(1_000_000)
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	if err := http.ListenAndServe(cmp.Or(os.Getenv("PPROF_ADDR"), "127.0.0.1:6060"), mux); err != nil {
		log.Print("no profiles are served: ", err) // the service runs without them
	}
}
`

// insideFile is the new file of a program that shall watch itself.
const insideFile = `package main

import (
	"cmp"
	"log"
	"os"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/middleware"
	"github.com/gocasebook/casebook/vitals"
)

// requests measures the requests of the handlers that it wraps.
var requests = middleware.New()

// startCasebook watches this process until stop is called. Cases go into CASEBOOK_DIR, which should outlive the process.
func startCasebook() (stop func()) {
	end, err := casebook.Start(casebook.Config{
		Service: "SERVICE",
		Dir:     cmp.Or(os.Getenv("CASEBOOK_DIR"), casebook.DefaultDir),
		Sources: []vitals.Source{requests.Source()},
	})
	if err != nil {
		log.Print("casebook: ", err) // the service runs unwatched
		return func() {}
	}
	return func() { _ = end() }
}
`
