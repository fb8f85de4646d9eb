package instance

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

func TestProcsOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		name, environ string
		want          float64
	}{
		{"set", "PATH=/bin\x00GOMAXPROCS=3\x00HOME=/", 3},
		{"not set", "PATH=/bin\x00HOME=/", 0},
		{"what the runtime ignores", "GOMAXPROCS=many\x00", 0},
		{"a name that ends so", "MYGOMAXPROCS=3\x00", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := procsOf(tree(t, map[string]string{"environ": c.environ})); got != c.want {
				t.Errorf("procsOf = %g, want %g", got, c.want)
			}
		})
	}
}

// awaitEnvironment returns when the kernel shows a process's environment: for a moment after exec it is empty.
func awaitEnvironment(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil && len(data) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the process has no environment after 10 s")
}

// A real process is started with the variable set.
func TestProcsOfAProcess(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	cmd.Env = []string{"GOMAXPROCS=2"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	awaitEnvironment(t, cmd.Process.Pid)
	p, err := newProcess(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	// It has changed the value since.
	for _, c := range []struct{ used, want float64 }{{0.5, 2}, {2.1, 2}, {3.5, 0}, {0.5, 0}} {
		s := vitals.NewSample(p.started)
		s.Set(vitals.CPU, c.used)
		p.setProcs(&s)
		got, ok := s.Get(vitals.GoMaxProcs)
		if !ok {
			got = 0 // the value is unknown
		}
		if got != c.want {
			t.Errorf("with %g cores used gomaxprocs is %g, want %g", c.used, got, c.want)
		}
	}
}
