//go:build !unix

package casefile

// dontWait: no file elsewhere makes who opens it wait.
const dontWait = 0
