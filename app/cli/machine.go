package cli

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/internal/cgroup"
	"github.com/gocasebook/casebook/vitals"
)

// machineFacts describes the machine of a measurement, as far as the system reports it.
func machineFacts() []report.Fact {
	facts := []report.Fact{{Name: "CPU", Value: orUnknown(prove.CPUModel())},
		{Name: "Cores", Value: strconv.Itoa(runtime.NumCPU()) + quotaText()}}
	if kernel, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		facts = append(facts, report.Fact{Name: "Kernel", Value: strings.TrimSpace(string(kernel))})
	}
	return append(facts, report.Fact{Name: "System", Value: runtime.GOOS + "/" + runtime.GOARCH},
		report.Fact{Name: "Go of casebook", Value: runtime.Version()})
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// quotaText returns the CPU quota of our own cgroup, which the servers that we start share.
func quotaText() string {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	if quota, _ := cgroup.Find("/sys/fs/cgroup", string(data)).Quota(); quota > 0 {
		return ", limited by a quota to " + vitals.Cores.Format(quota)
	}
	return ", no quota"
}
