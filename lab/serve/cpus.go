package serve

import (
	"fmt"
	"runtime"

	"github.com/gocasebook/casebook/lab/cpus"
)

// useCPUs confines the process to the first n of the CPUs that it may use. A machine that also runs the
// service's load and dependencies is shared with them by this, and the service is as large as it says.
func useCPUs(n int) error {
	all, err := cpus.Allowed()
	if err != nil {
		return fmt.Errorf("-cpus: %w; leave it out", err)
	}
	if n > all.Count() {
		return fmt.Errorf("-cpus %d: only %d CPUs may be used", n, all.Count())
	}
	first, _ := all.Split(n)
	if err := cpus.Confine(first); err != nil {
		return err
	}
	runtime.GOMAXPROCS(n)
	return nil
}
