package instance

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// An environment is what a process runs as and under: evidence of the kind casefile.Runtime, as JSON. It is a list of
// what may be kept, so that no secret can slip in: of the build's flags those that cannot hold one, of the
// environment's variables the Go runtime's own.
type environment struct {
	Build       casefile.Build      `json:"build,omitzero"`
	Settings    map[string]string   `json:"settings,omitempty"`    // of the build: keptSettings
	Environment map[string]string   `json:"environment,omitempty"` // keptVariables, where set
	Effective   *effective          `json:"effective,omitempty"`   // of a process that watches itself
	NonDefault  map[string]uint64   `json:"godebug_non_default,omitempty"`
	Limits      casefile.Limits     `json:"limits,omitzero"`
	Rlimits     map[string][]string `json:"rlimits,omitempty"` // name in /proc/PID/limits → soft, hard, unit
	Process     *standing           `json:"process,omitempty"` // of another process: the state of its threads
	System      system              `json:"system"`
	// of the process: what the kernel tells, and the runtime's own accounts
	Memory     *casefile.ProcessMemory `json:"memory,omitempty"`
	MemStats   *accounts               `json:"memstats,omitempty"` // from outside
	MemStatsAt *time.Time              `json:"memstats_taken,omitempty"`
	Metrics    map[string]uint64       `json:"metrics,omitempty"` // from inside: runtime/metrics of memory
	Absent     map[string]string       `json:"absent,omitempty"`  // what could not be read, and why
}

// effective is how the runtime is set now, by variables, by calls, or by default.
type effective struct {
	GOGC       string `json:"gogc"`       // percent, or "off"
	GOMEMLIMIT string `json:"gomemlimit"` // bytes, or "off"
	GOMAXPROCS int    `json:"gomaxprocs"`
}

// keptSettings are the settings of a build that are kept. Values of -ldflags and -gcflags, and of the CGO_…FLAGS, may
// hold passwords that somebody linked in.
var keptSettings = [...]string{
	"-buildmode", "-compiler", "-race", "-msan", "-asan", "-cover", "-trimpath", "-tags", "DefaultGODEBUG",
	"CGO_ENABLED", "GOARCH", "GOOS",
	"GOAMD64", "GOARM", "GOARM64", "GO386", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM", "GOEXPERIMENT",
	"GOFIPS140",
	"vcs", "vcs.revision", "vcs.time", "vcs.modified",
}

// keptVariables are the environment variables that are kept, and the only ones.
var keptVariables = [...]string{
	"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK", "GOEXPERIMENT", "GOAMD64",
}

// setBuild fills in what the binary tells of itself.
func (e *environment) setBuild(info *debug.BuildInfo) {
	e.Build, e.Settings = build(info), make(map[string]string)
	for _, s := range info.Settings {
		switch {
		case slices.Contains(keptSettings[:], s.Key):
			e.Settings[s.Key] = s.Value
		case s.Key == "-pgo":
			e.Settings[s.Key] = path.Base(filepath.ToSlash(s.Value)) // the folder is private
		}
	}
}

// setVariables keeps the Go runtime's own among "NAME=value" pairs.
func (e *environment) setVariables(pairs []string) {
	e.Environment = make(map[string]string)
	for _, pair := range pairs {
		if name, value, _ := strings.Cut(pair, "="); slices.Contains(keptVariables[:], name) {
			e.Environment[name] = value
		}
	}
}

func (e *environment) absent(what string, err error) {
	if e.Absent == nil {
		e.Absent = make(map[string]string)
	}
	e.Absent[what] = err.Error()
}

// setRlimits reads /proc/PID/limits: lines of a name, 26 columns wide, a soft and a hard limit, and mostly a unit.
func (e *environment) setRlimits(path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		e.absent("rlimits", err)
		return
	}
	const width = 26
	e.Rlimits = make(map[string][]string)
	for _, line := range strings.Split(string(data), "\n") {
		if len(line) <= width || !strings.HasPrefix(line, "Max ") {
			continue
		}
		if words := strings.Fields(line[width:]); len(words) >= 2 {
			e.Rlimits[strings.TrimSpace(line[:width])] = words
		}
	}
}

func (e *environment) encode() ([]byte, error) {
	data, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encoding the build and the limits: %w", err)
	}
	return data, nil
}

// offOr is a limit as the runtime's metrics tell it, "off" where it is the largest number there is.
func offOr(v, off uint64) string {
	if v >= off {
		return "off"
	}
	return strconv.FormatUint(v, 10)
}
