package view

import (
	"math"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// Processors is GOMAXPROCS, as the vitals tell, or as a Go that follows the quota sets it; 0 if it is not known.
func (v *View) Processors() (n float64, byDefault bool) {
	if n, ok := v.Mean(vitals.GoMaxProcs); ok && n > 0 {
		return math.Round(n), v.FollowsQuota() && math.Round(n) == v.defaultProcessors()
	}
	if v.FollowsQuota() && v.Limits.CPUQuota > 0 {
		return v.defaultProcessors(), true
	}
	return 0, false
}

// defaultProcessors is what Go 1.25 and later set: the quota rounded up, 2 at least (runtime/cgroup_linux.go,
// adjustCgroupGOMAXPROCS). Nor is it more than the machine's CPUs, which are not known here.
func (v *View) defaultProcessors() float64 { return max(math.Ceil(v.Limits.CPUQuota), 2) }

// FollowsQuota reports whether the program's Go sets GOMAXPROCS from the quota: 1.25 and later, unless its main
// module says an older go version or GODEBUG=containermaxprocs=0, which is not known.
func (v *View) FollowsQuota() bool {
	rest, ok := strings.CutPrefix(v.Build.GoVersion, "go1.")
	if !ok {
		return false
	}
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	minor, err := strconv.Atoi(digits)
	return err == nil && minor >= 25
}
