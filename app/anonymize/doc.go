// Package anonymize makes a copy of a case that can be shown to strangers: it still shows what is wrong, but not whose
// program it is.
//
// The problem: profiles and dumps contain the names of functions, packages and files, labels, addresses and argument
// values; case.json and the vitals contain URLs, labels and error texts. Each may be a secret, and a search for
// secrets only finds the ones that somebody thought of.
//
// The approach is a list of what stays, never a list of what goes. Every kind of evidence is parsed and written again
// from its numbers, times and lines, and from known words: functions and files of the standard library, states of
// goroutines, names of built-in signals, of runtime/metrics and of default rules. Every other word becomes its
// HMAC-SHA256 under a key. Anything that the parser does not understand is left out, and the result says so. Names
// keep their form (packages, receivers, function literals, the module cache), so that detectors can still distinguish
// the user's code from dependencies. The same word always has the same stand-in. Opinions are left out: what somebody
// wrote about a program has no form by which its names could be found.
//
// Limits: numbers stay: times, lines, sizes, counts, the process ID. So do the calls into the standard library.
// Somebody who has the source may recognise it. Execution traces are left out: their strings are user-defined tasks,
// regions and logs, and package internal/trace, which could rewrite them, cannot be imported. Detectors that know other
// people's packages by name (gRPC, Redis clients) only see the names that are kept.
package anonymize
