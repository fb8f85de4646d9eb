// Package serve is what the services of the lab share and none of them is about: flags, listeners, net/http/pprof, the
// graceful stop, JSON answers.
//
// A service is a function Main(ctx, args, stdout, stderr) that gives its exit code. It parses its flags, Flags among
// them, listens, prints where as one line of JSON (Announce), and serves until its context ends (Serve). Package phones
// shows all of it.
//
// Limits: plain HTTP on addresses that are given; no TLS, no configuration files, no reloading.
package serve
