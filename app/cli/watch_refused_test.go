package cli_test

import (
	"strings"
	"testing"
)

// A target that does not answer at the start does not keep another one from being watched. It is reported at once and
// at the end.
func TestOneOfTwoDoesNotAnswer(t *testing.T) {
	t.Parallel()
	r := casebook(t, t.TempDir(), "watch", "--for", "2s", start(t), "http://127.0.0.1:1")
	r.want(t, 2, "watching victim", "127.0.0.1:1 lost: http://127.0.0.1:1/debug/pprof/: nothing listens there",
		"tried again every 15s",
		"watched  victim", "casebook: http://127.0.0.1:1/debug/pprof/: nothing listens there")
	if strings.Contains(r.errors, "watched  :") {
		t.Errorf("a watch that never began is summed up:\n%s", r.errors)
	}
}

// When none answers there is nothing to wait for.
func TestNoneOfTwoAnswers(t *testing.T) {
	t.Parallel()
	casebook(t, t.TempDir(), "watch", "http://127.0.0.1:1", "http://[::1]:1").want(t, 2,
		"casebook: http://127.0.0.1:1/debug/pprof/", "http://[::1]:1/debug/pprof/: nothing listens")
}
