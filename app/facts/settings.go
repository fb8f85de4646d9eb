package facts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
)

// mostRuntime bounds a file of the runtime's settings, and longSetting a value, both in bytes.
const (
	mostRuntime = 4 << 20
	longSetting = 120
)

// A written is a document of kind runtime or metrics, as far as it has settings.
type written struct {
	Effective   map[string]any      `json:"effective"`   // what the runtime uses
	Environment map[string]any      `json:"environment"` // what the process was started with
	Settings    map[string]any      `json:"settings"`    // of the build
	System      map[string]any      `json:"system"`
	Limits      map[string]any      `json:"limits"`
	Rlimits     map[string][]string `json:"rlimits"`
}

// settingsOf are the settings that evidence has: those of a list, because an environment may hold secrets. Read asks it
// before the engine, which may let go of the evidence.
func settingsOf(in diagnose.Input) []Setting {
	out := []Setting{}
	for i := range in.Evidence {
		e := &in.Evidence[i]
		if !isRuntime(e) {
			continue
		}
		var doc written
		if len(e.Data) <= mostRuntime && json.Unmarshal(e.Data, &doc) == nil {
			out = doc.settings(out)
		}
	}
	return ofLimits(in.Limits, out)
}

// isRuntime recognises evidence that has settings, also where nobody says of which kind it is.
func isRuntime(e *diagnose.Evidence) bool {
	switch e.Kind {
	case casefile.Runtime, casefile.Metrics:
		return true
	case "":
		return bytes.HasPrefix(bytes.TrimLeft(e.Data[:min(len(e.Data), 256)], " \t\r\n"), []byte("{"))
	}
	return false
}

// settings adds what a document says to what others said before.
func (w *written) settings(out []Setting) []Setting {
	effective := w.Effective != nil
	for _, s := range []struct{ name, key string }{{"GOGC", "gogc"}, {"GOMEMLIMIT", "gomemlimit"},
		{"GOMAXPROCS", "gomaxprocs"}} {
		out = put(out, s.name, valueText(s.key, w.Effective[s.key]))
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG"} {
		if v := valueText(name, w.Environment[name]); v != "" && !effective {
			out = put(out, name, v+" (environment)")
		}
	}
	for _, name := range []string{"DefaultGODEBUG", "-race", "-pgo", "CGO_ENABLED", "GOAMD64"} {
		out = put(out, name, valueText(name, w.Settings[name]))
	}
	for _, name := range []string{"cpus", "memory_bytes"} {
		out = put(out, "machine: "+strings.TrimSuffix(name, "_bytes"), valueText(name, w.System[name]))
	}
	if v := w.Rlimits["Max open files"]; len(v) > 0 {
		out = put(out, "open files", v[0])
	}
	return out
}

// ofLimits adds what the case says of the process's limits.
func ofLimits(l casefile.Limits, out []Setting) []Setting {
	if l.CPUQuota > 0 {
		out = put(out, "CPU quota", number.Digits(l.CPUQuota))
	}
	if l.CPUs > 0 {
		out = put(out, "CPUs of the process", number.Digits(l.CPUs))
	}
	if l.MemoryBytes > 0 {
		out = put(out, "memory limit of the container", number.Bytes(float64(l.MemoryBytes)))
	}
	if l.OpenFiles > 0 {
		out = put(out, "open files", strconv.FormatInt(l.OpenFiles, 10))
	}
	return out
}

// put adds a setting that has a value; of two the later one counts.
func put(out []Setting, name, value string) []Setting {
	if value == "" {
		return out
	}
	if i := slices.IndexFunc(out, func(s Setting) bool { return s.Name == name }); i >= 0 {
		out[i].Value = value
		return out
	}
	return append(out, Setting{name, value})
}

// valueText is a value as a reader wants it; "" where it is none.
func valueText(name string, v any) string {
	switch v := v.(type) {
	case string:
		if n, err := strconv.ParseFloat(v, 64); err == nil && name == "gomemlimit" {
			return valueText(name, n)
		}
		if len(v) > longSetting {
			return ""
		}
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		switch {
		case v >= math.MaxInt64/2: // no limit
			return "off"
		case strings.HasSuffix(name, "bytes") || name == "gomemlimit":
			return number.Bytes(v)
		}
		return fmt.Sprintf("%g", v)
	}
	return ""
}
