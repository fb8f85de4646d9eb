package phones

import (
	"net/http"
	"net/http/pprof"
	"runtime"
)

// profiles is net/http/pprof on a mux of its own: package net/http/pprof also adds itself to the default mux, which
// nothing here serves.
func profiles() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// setProfileRates turns on the profiles that are off unless asked for. They are settings of the process.
func setProfileRates(c Config) {
	runtime.SetMutexProfileFraction(c.MutexFraction)
	runtime.SetBlockProfileRate(c.BlockRate)
}
