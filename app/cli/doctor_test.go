package cli_test

import (
	"encoding/json"
	"testing"

	"github.com/gocasebook/casebook/app/doctor"
)

// A real process, looked at by the command.
func TestDoctor(t *testing.T) {
	t.Parallel()
	url := start(t, "-traffic")
	r := casebook(t, t.TempDir(), "doctor", url)
	r.want(t, 0, "victim  "+url+"/debug/pprof/, pid ", "cpu             available", "mutex           off",
		"What watching costs it", "users of this machine: only ", "runtime.SetMutexProfileFraction(100)",
		"next  casebook watch "+url)
	narrow(t, r.out)
	r = casebook(t, t.TempDir(), "doctor", "--json", url)
	var c doctor.Checkup
	if err := json.Unmarshal([]byte(r.out), &c); err != nil || c.Exposure.Scope != doctor.Loopback {
		t.Errorf("%v: %+v", err, c)
	}
	casebook(t, t.TempDir(), "doctor", url, url).want(t, 2, "takes one URL")
	casebook(t, t.TempDir(), "doctor").want(t, 2, "needs the URL")
	casebook(t, t.TempDir(), "doctor", "http://127.0.0.1:1").want(t, 2, "nothing listens there")
}
