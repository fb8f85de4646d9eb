// Package procs is lab/holdout2/bellhop.
package procs

import "runtime"

func start() {
	runtime.GOMAXPROCS(1) // the small instances have one core
	println("started")
}

// asked only asks.
func asked() int { return runtime.GOMAXPROCS(0) }

// flagged is what somebody sets.
func flagged(n int) {
	if n > 0 {
		runtime.GOMAXPROCS(n)
	}
}
