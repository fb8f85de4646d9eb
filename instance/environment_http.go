package instance

import (
	"bytes"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// captureRuntime reads what a process of this machine runs as and under. Variables are those it was started with; how
// the runtime is set now is known to the process alone.
func (t *HTTP) captureRuntime() (Profile, error) {
	p := Profile{Kind: casefile.Runtime, Taken: time.Now()}
	proc := t.proc.Load()
	if proc == nil {
		return p, &EmptyError{"needs the process's files: " + t.whyNoProcess()}
	}
	var e environment
	dir := fmt.Sprintf("/proc/%d", proc.pid)
	if info, err := buildinfo.ReadFile(proc.exe()); err == nil {
		e.setBuild(info)
	} else {
		e.absent("build", err)
	}
	if pairs, err := os.ReadFile(dir + "/environ"); err == nil {
		e.setVariables(strings.Split(string(pairs), "\x00"))
	} else {
		e.absent("environment", err)
	}
	e.absent("effective", errors.New("only the process itself knows"))
	e.Limits = proc.limits
	e.setRlimits(dir + "/limits")
	e.System = readSystem("/", strconv.Itoa(proc.pid))
	e.System.CPUs = int(allowedCPUs(dir))
	if s, err := proc.standing(); err == nil {
		e.Process = &s
	} else {
		e.absent("process", err)
	}
	e.setMemory("", strconv.Itoa(proc.pid))
	if read := t.account.Load(); read != nil {
		e.MemStats, e.MemStatsAt = &read.accounts, &read.at
	} else {
		e.absent("memstats", errors.New("not read yet"))
	}
	if !proc.still(dir) {
		return p, fmt.Errorf("reading %s: process %d was replaced meanwhile", dir, proc.pid)
	}
	var err error
	p.Data, err = e.encode()
	return p, err
}

// still reports whether the process's folder is still that of the process: numbers are given again.
func (p *process) still(dir string) bool {
	data, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return false
	}
	st, err := parseStat(bytes.TrimSpace(data))
	return err == nil && st.start == p.start
}
