package prove

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Machine says where a measurement is made, for a proof: the CPU, how many there are, and the Go that this program was
// built with.
func Machine() string {
	text := fmt.Sprintf("%d CPUs, %s %s/%s", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if model := CPUModel(); model != "" {
		return model + ", " + text
	}
	return text
}

// CPUModel returns the CPU's name; "" if the system does not report it.
func CPUModel() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.Trim(name, "\t :\n")
		}
	}
	return ""
}
