package cli_test

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// attacks reports whether the tests run in full, as make attack runs them.
func attacks() bool { return os.Getenv("CASEBOOK_ATTACKS") != "" }

// TestBehaviours: whatever a target does, the command ends with a message that says what happened and what to do.
func TestBehaviours(t *testing.T) {
	witness, asked := newWitness(t)
	tried := 0
	for _, b := range behaviours() {
		if b.slow && !attacks() {
			continue
		}
		if b.index != "" {
			tried++
			t.Run("index "+b.name, func(t *testing.T) {
				t.Parallel()
				h := newHostile(t, b, witness, false)
				r := inProcess(t, "capture", "--dir", t.TempDir(), "--before", "0s", "--profile", "1s", h.url)
				wantSaid(t, r, 2, b.index)
			})
		}
		if b.beyond != "" {
			tried++
			t.Run("beyond "+b.name, func(t *testing.T) {
				t.Parallel()
				h := newHostile(t, b, witness, true)
				r := inProcess(t, "capture", "--dir", t.TempDir(), "--before", "0s", "--profile", "1s", "--kinds",
					"goroutine", h.url)
				code := 0
				if b.found {
					code = 1
				}
				wantSaid(t, r, code, b.beyond)
			})
		}
	}
	t.Cleanup(func() {
		if n := asked.Load(); n != 0 {
			t.Errorf("another host was asked %d times", n)
		}
		t.Logf("attack: %d behaviours of targets: each with its message and exit code, %d requests to another host",
			tried, asked.Load())
	})
}

// wantSaid wants an exit code, and one of the texts between the bars.
func wantSaid(t *testing.T, r result, code int, text string) {
	t.Helper()
	said := r.errors
	if strings.ContainsAny(said, "\x1b\a\u202e") {
		t.Errorf("the terminal is commanded: %q", said)
	}
	t.Logf("%d %s", r.code, said)
	contains := func(text string) bool { return strings.Contains(said, text) }
	if r.code != code || !slices.ContainsFunc(strings.Split(text, "|"), contains) {
		t.Errorf("exit code %d and\n%s\nwant %d and %q", r.code, said, code, text)
	}
}
