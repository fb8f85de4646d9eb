// Package race tells tests whether the race detector is on, as internal/race of the standard library does. The detector
// makes a loop over data ten times as slow, and finds nothing where one goroutine works: such a test calls Skip, or
// takes a part of its data. internal/tests/suite runs the packages that import this one without the detector too. Only
// tests import it.
package race

import "testing"

// Skip skips a test under the race detector.
func Skip(t testing.TB) {
	t.Helper()
	if Enabled {
		t.Skip("one goroutine works on much data here: make test runs this without the race detector")
	}
}

// Part says whether a test takes the i-th of its inputs: all of them, and under the race detector each eighth.
func Part(i int) bool { return !Enabled || i%8 == 0 }
