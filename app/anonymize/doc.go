// Package anonymize makes a case that can be shown to strangers: what is wrong stays to be seen, and whose program it
// is does not.
//
// The problem: profiles and dumps hold the names of functions, packages and files, labels, addresses and values of
// arguments; case.json and the vitals hold URLs, labels and error texts. Each may be a secret, and a search for
// secrets finds those that one thought of.
//
// The approach is a list of what stays, and never one of what goes. Every kind of evidence is read as what it is and
// written anew from its numbers, times and lines, and from words that are known: the standard library's functions and
// files, states of goroutines, names of built-in signals, of runtime/metrics and of default rules. Every other word
// becomes its HMAC-SHA256 under a key. What is not understood is left out, and the result says so. Names keep their
// form (packages, receivers, function literals, the module cache), so that detectors tell the user's code from
// dependencies as before; the same word has the same stand-in wherever it is.
//
// Limits: numbers stay, among them times, lines, sizes, the process ID and how many of what; so does which standard
// library a function calls. Who has the source may recognise it. Execution traces are left out: their strings are
// user-defined tasks, regions and logs, and package internal/trace, which could rewrite them, is not open to others.
// Detectors that know other people's packages by name (gRPC, Redis clients) see only those that are kept.
package anonymize
