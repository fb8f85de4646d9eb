package holmes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
)

// A scale is what 100 % is.
type scale struct {
	cores   float64
	memory  float64 // bytes; 0 where it cannot be known
	noLimit error   // why memory is 0
}

// A machine is what the process may use, apart from the options.
type machine struct {
	limits  casefile.Limits // of the cgroup; 0 where there is none, or no /proc
	memory  float64         // bytes; 0 where it is not known
	unknown error           // why it is not
}

func readMachine() machine {
	var m machine
	if d, err := instance.NewSelf().Describe(context.Background()); err == nil {
		m.limits = d.Limits
	}
	m.memory, m.unknown = machineMemory()
	return m
}

// scale is what 100 % is: options first, then the cgroup, then the machine.
func (o *options) scale(m machine) scale {
	limits, total := m.limits, m.memory
	s := scale{cores: float64(runtime.NumCPU()), memory: total}
	switch {
	case o.cpuCore > 0:
		s.cores = o.cpuCore
	case o.goProcs:
		s.cores = float64(runtime.GOMAXPROCS(0))
	case limits.CPUs > 0:
		s.cores = limits.CPUs
	}
	switch limit := float64(limits.MemoryBytes); {
	case o.memoryLimit > 0:
		s.memory = float64(o.memoryLimit)
	case limit > 0 && (total == 0 || limit < total):
		s.memory = limit
	}
	if s.memory == 0 {
		s.noLimit = fmt.Errorf("the total memory is not known, so memory and GC heap are not judged; set "+
			"WithMemoryLimit: %w", m.unknown)
	}
	return s
}

// unit is what 1 % of the kind's value is in the signal's own unit; for what is counted, 1.
func (s *scale) unit(k kind) float64 {
	switch k {
	case cpu:
		return s.cores / 100
	case mem, gcHeap:
		return s.memory / 100
	}
	return 1
}

// machineMemory is the machine's memory in bytes.
func machineMemory() (float64, error) {
	if runtime.GOOS != "linux" {
		return 0, errors.New("the machine's memory is read on Linux only")
	}
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, fmt.Errorf("reading the machine's memory: %w", err)
	}
	return parseMemTotal(data)
}

// parseMemTotal reads "MemTotal:       16077216 kB".
func parseMemTotal(meminfo []byte) (float64, error) {
	for line := range bytes.Lines(meminfo) {
		f := bytes.Fields(line)
		if len(f) != 3 || string(f[0]) != "MemTotal:" {
			continue
		}
		kb, err := strconv.ParseUint(string(f[1]), 10, 50)
		if err != nil || kb == 0 {
			return 0, fmt.Errorf("/proc/meminfo says that MemTotal is %q", f[1])
		}
		return float64(kb) * 1024, nil
	}
	return 0, errors.New("/proc/meminfo has no MemTotal")
}
