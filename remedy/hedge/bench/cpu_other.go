//go:build !unix

package main

import "time"

// cpuTime is not available here; the column shows NaN.
func cpuTime() time.Duration { return 0 }
