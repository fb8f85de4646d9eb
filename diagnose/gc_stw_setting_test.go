package diagnose

import "testing"

// TestWaitsForCalls: only the one setting of GODEBUG keeps loops from being stopped.
func TestWaitsForCalls(t *testing.T) {
	for debug, want := range map[string]bool{
		"": false, "asyncpreemptoff=1": true, "gctrace=1,asyncpreemptoff=1": true, "asyncpreemptoff=0": false,
		"asyncpreemptoff=10": false, "asynctimerchan=1": false,
	} {
		if got := (&settings{debug: debug}).waitsForCalls(); got != want {
			t.Errorf("GODEBUG=%s: %v, want %v", debug, got, want)
		}
	}
}
