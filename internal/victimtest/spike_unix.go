//go:build unix

package victimtest

import (
	"time"

	"github.com/gocasebook/casebook/internal/cputime"
)

// Spike burns d of this process's CPU time. On a crowded machine that takes longer than d.
//
//go:noinline
func Spike(d time.Duration) (sum int) {
	began, _ := cputime.Process()
	for used := began; used-began < d; used, _ = cputime.Process() {
		sum += Burn(100_000)
	}
	return sum
}
