package diagnose

import (
	"math"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// processors is GOMAXPROCS, as the vitals tell, or as a Go that follows the quota sets it; 0 if it is not known.
func processors(r *Reading) (n float64, byDefault bool) {
	if n, ok := r.Mean(vitals.GoMaxProcs); ok && n > 0 {
		return math.Round(n), followsQuota(r) && math.Round(n) == defaultProcessors(r)
	}
	if followsQuota(r) && r.Limits.CPUQuota > 0 {
		return defaultProcessors(r), true
	}
	return 0, false
}

// defaultProcessors is what Go 1.25 and later set: the quota rounded up, 2 at least (runtime/cgroup_linux.go,
// adjustCgroupGOMAXPROCS). Nor is it more than the machine's CPUs, which are not known here.
func defaultProcessors(r *Reading) float64 { return max(math.Ceil(r.Limits.CPUQuota), 2) }

// followsQuota reports whether the program's Go sets GOMAXPROCS from the quota: 1.25 and later, unless its main
// module says an older go version or GODEBUG=containermaxprocs=0, which is not known.
func followsQuota(r *Reading) bool {
	rest, ok := strings.CutPrefix(r.Build.GoVersion, "go1.")
	if !ok {
		return false
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	minor, err := strconv.Atoi(digits)
	return err == nil && minor >= 25
}
