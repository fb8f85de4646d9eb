package cpus_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab/cpus"
)

func TestSplit(t *testing.T) {
	all, err := cpus.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	first, rest := all.Split(1)
	if first.Count() != 1 || rest.Count() != all.Count()-1 {
		t.Errorf("%d CPUs are %d and %d", all.Count(), first.Count(), rest.Count())
	}
	none, whole := all.Split(0)
	if none.Count() != 0 || whole.Count() != all.Count() {
		t.Errorf("no CPU of %d are %d and %d", all.Count(), none.Count(), whole.Count())
	}
}

// A process gets the CPUs of the thread that starts it, and the thread gets its own back.
func TestRun(t *testing.T) {
	all, err := cpus.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	first, rest := all.Split(1)
	if rest.Count() == 0 {
		t.Skip("one CPU")
	}
	for want, set := range map[int]cpus.Set{first.Count(): first, rest.Count(): rest, all.Count(): all} {
		var out []byte
		if err := cpus.Run(set, func() (err error) {
			out, err = exec.CommandContext(t.Context(), "nproc").Output()
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(string(out)); got != strconv.Itoa(want) {
			t.Errorf("nproc says %s, want %d", got, want)
		}
	}
	if now, err := cpus.Allowed(); err != nil || now.Count() != all.Count() {
		t.Errorf("afterwards %d CPUs, %v; want %d", now.Count(), err, all.Count())
	}
}
