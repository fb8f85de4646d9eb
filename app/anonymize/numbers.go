package anonymize

import (
	"encoding/json"
	"reflect"
	"regexp"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// numbers rewrites evidence of the kinds metrics and runtime, JSON objects: numbers under names that are known, and
// settings whose values are numbers or known words.
func (n *names) numbers(data []byte) ([]byte, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, errUnknown
	}
	out := make(map[string]any)
	for name, raw := range doc {
		if v, ok := number(raw); ok && slices.Contains(metricNames(), name) {
			out[name] = v
		}
	}
	section := func(name string, read func(json.RawMessage) any) {
		if doc[name] != nil {
			out[name] = read(doc[name])
		}
	}
	section("memstats", memStats)
	section("build", n.buildJSON)
	section("limits", remade[casefile.Limits])
	section("effective", func(raw json.RawMessage) any { return settings(raw, "gogc", "gomemlimit", "gomaxprocs") })
	section("environment", func(raw json.RawMessage) any { return settings(raw, "GOGC", "GOMEMLIMIT", "GOMAXPROCS") })
	section("settings", func(raw json.RawMessage) any {
		return settings(raw, "GOARCH", "GOOS", "GOAMD64", "GOARM64", "CGO_ENABLED", "-race", "-trimpath",
			"-buildmode", "-compiler")
	})
	section("system", func(raw json.RawMessage) any {
		return settings(raw, "cpus", "memory_bytes", "transparent_huge_pages", "cgroup")
	})
	section("rlimits", rlimits)
	section("process", standing)
	section("memory", amounts)
	section("metrics", amounts)
	section("memstats_taken", moment)
	if len(out) == 0 {
		return nil, errUnknown
	}
	return json.MarshalIndent(out, "", " ")
}

// amountName is the name of an amount in what the kernel tells of a process's memory, and a metric of memory.
var amountName = regexp.MustCompile(`^([a-z_]{1,20}|/(memory|gc)/[a-z/-]{1,40}:bytes)$`)

// amounts keeps numbers, and objects of numbers, under names that say nothing of the program. Names of files have none.
func amounts(raw json.RawMessage) any {
	var doc map[string]json.RawMessage
	_ = json.Unmarshal(raw, &doc) // another form has none
	out := make(map[string]any)
	for name, raw := range doc {
		if !amountName.MatchString(name) {
			continue
		}
		if v, ok := number(raw); ok {
			out[name] = v
		} else if strings.HasPrefix(string(raw), "{") {
			out[name] = amounts(raw)
		}
	}
	return out
}

// moment keeps a time.
func moment(raw json.RawMessage) any { return remade[time.Time](raw) }

func number(raw json.RawMessage) (json.Number, bool) {
	var v float64
	if json.Unmarshal(raw, &v) != nil || string(raw) == "null" {
		return "", false
	}
	return json.Number(strings.TrimSpace(string(raw))), true
}

// metricNames returns those of runtime/metrics in the Go that built this program.
func metricNames() []string {
	var out []string
	for _, m := range metrics.All() {
		out = append(out, m.Name)
	}
	return out
}

// memStats keeps the numbers of expvar's memstats under the names that they have in runtime.MemStats.
func memStats(raw json.RawMessage) any {
	var doc map[string]json.RawMessage
	_ = json.Unmarshal(raw, &doc) // another form has none
	out := make(map[string]any)
	for name, raw := range doc {
		if _, known := reflect.TypeFor[runtime.MemStats]().FieldByName(name); !known {
			continue
		}
		if v, ok := number(raw); ok {
			out[name] = v
		}
	}
	return out
}

// remade reads a struct that has only numbers, and writes it again.
func remade[T any](raw json.RawMessage) any {
	var v T
	_ = json.Unmarshal(raw, &v) // what has another form stays zero
	return v
}

func (n *names) buildJSON(raw json.RawMessage) any {
	var b casefile.Build
	_ = json.Unmarshal(raw, &b) // likewise
	return n.build(b)
}

var goVersion = regexp.MustCompile(`^go1\.[0-9]{1,3}(\.[0-9]{1,3}|(rc|beta)[0-9]{1,2})?$`)

// build returns what remains of a binary's build information: the paths' stand-ins and Go's release.
func (n *names) build(b casefile.Build) casefile.Build {
	out := casefile.Build{Path: n.pkgPath(b.Path), Module: n.pkgPath(b.Module), Modified: b.Modified}
	if goVersion.MatchString(b.GoVersion) {
		out.GoVersion = b.GoVersion
	}
	return out
}

// setting is a value that reveals nothing about the program: a size, a number, a switch, a platform.
var setting = regexp.MustCompile(`^(off|true|false|[0-9]{1,20}(\.[0-9]{1,9})?(B|KiB|MiB|GiB|TiB)?|gc|gccgo|exe|pie|` +
	`always|madvise|never|v[1-4]|v8\.[0-9]|` +
	`linux|darwin|windows|freebsd|amd64|arm64|arm|386|riscv64|ppc64le|s390x)$`)

// settings returns those of the keys whose values are known words or numbers.
func settings(raw json.RawMessage, keys ...string) any {
	var doc map[string]json.RawMessage
	_ = json.Unmarshal(raw, &doc) // another form has none
	out := make(map[string]any)
	for _, key := range keys {
		var text string
		if v, ok := number(doc[key]); ok {
			out[key] = v
		} else if json.Unmarshal(doc[key], &text) == nil && setting.MatchString(text) {
			out[key] = text
		}
	}
	return out
}

var (
	rlimitName = regexp.MustCompile(`^Max (cpu time|file size|data size|stack size|core file size|resident set|` +
		`processes|open files|locked memory|address space|file locks|pending signals|msgqueue size|nice priority|` +
		`realtime priority|realtime timeout)$`)
	rlimitValue = regexp.MustCompile(`^([0-9]{1,20}|unlimited|seconds|bytes|processes|files|locks|signals|us)$`)
)

func rlimits(raw json.RawMessage) any {
	var doc map[string][]string
	_ = json.Unmarshal(raw, &doc) // another form has none
	out := make(map[string][]string)
	for name, values := range doc {
		if rlimitName.MatchString(name) && !slices.ContainsFunc(values,
			func(v string) bool { return !rlimitValue.MatchString(v) }) {
			out[name] = values
		}
	}
	return out
}

// standing keeps how many threads are in each of the kernel's states.
func standing(raw json.RawMessage) any {
	var in, out struct {
		State   string         `json:"state"`
		Threads map[string]int `json:"threads,omitempty"`
	}
	_ = json.Unmarshal(raw, &in) // another form has none
	isState := func(s string) bool { return len(s) == 1 && strings.Contains("RSDTtZXIKWP", s) }
	if isState(in.State) {
		out.State = in.State
	}
	out.Threads = make(map[string]int)
	for state, count := range in.Threads {
		if isState(state) {
			out.Threads[state] = count
		}
	}
	return out
}
