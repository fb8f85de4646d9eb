package quota_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/lab/quota"
)

// TestGroup: what enters a group is in it, and the group is gone afterwards.
func TestGroup(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("making a cgroup takes root")
	}
	g, err := quota.New("test", 0.5)
	if err != nil {
		t.Skipf("this machine has no cgroup to make groups in: %v", err)
	}
	defer g.Remove()
	out, err := exec.Command("/bin/sh", "-c", g.Enter()+"cat /proc/self/cgroup").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "/casebook-test-") {
		t.Errorf("its process is in %s, error %v", out, err)
	}
}

// TestNoGroup: the zero value is none.
func TestNoGroup(t *testing.T) {
	var g quota.Group
	if g.Enter() != "" {
		t.Errorf("no group is entered by %q", g.Enter())
	}
	g.Remove()
}
