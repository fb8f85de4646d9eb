// Package sidecar is the price of a hop: a process beside a service that its calls of Redis go through.
//
// The problem: an article's delivery service spent much of its CPU in the sidecar that found Redis for it, at some
// 3,000 calls a second, and was mended by calling Redis directly. What a hop costs is nowhere to be read.
//
// The approach: a forwarder of bytes as a process of its own (`lab sidecar`), a real Redis, and the client that the
// lab's services use, in this process; the same calls in turns, direct and through it. CPU time is the kernel's account
// of each process.
//
// The limits: the article's sidecar also looked up names in the service's own process; this one does not even read what
// it forwards, so its figures are the least that a hop costs. All share one machine. CPU of other processes is known on
// Linux only.
package sidecar
