//go:build unix

package cputime

import (
	"testing"
	"time"
)

// TestProcess works until a millisecond of CPU time is used, however long that takes, and then stops.
func TestProcess(t *testing.T) {
	began, ok := Process()
	if !ok {
		t.Fatal("no CPU time")
	}
	for used := began; used < began+time.Millisecond; used, ok = Process() {
		if !ok || used < began {
			t.Fatalf("%v after %v (available: %v)", used, began, ok)
		}
	}
}
