// Package foreign watches well-known services with the default rules: programs that nobody here wrote or tuned anything
// on.
//
// The problem: rules and detectors are tuned on simulated services and on programs that their authors wrote. On call,
// the program is somebody else's: a proxy, a broker, a database, built from a release.
//
// The approach: services.json names releases from the Go module proxy, how each is started and loaded, and what an
// operator does to it. Of each illness it says, written down before the first run, when an operator with a chart is
// certain, which functions may be named and what a remedy must say. Package trial watches and judges.
//
// The limits: minutes on loopback, on a small machine; one process of each, with hardly any data. A service that cannot
// be built from the module proxy alone is not here.
package foreign

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/lab/trial"
)

//go:embed services.json
var table []byte

// A Program is a release of a service.
type Program struct {
	Package string `json:"package"` // of its main function
	Module  string `json:"module"`
	Version string `json:"version"`
	Tags    string `json:"tags"` // of the build
	// Args and Files start it. Places in both: {port}, {pprof} and {metrics}, {dir}, and of Behind {up} and {dns}, each
	// host:port.
	Args  []string          `json:"args"`
	Env   []string          `json:"env"`
	Files map[string]string `json:"files"` // of {dir}, by name
	// Debug is the port of net/http/pprof: {pprof}, {port} when empty, or the host:port of a program that lets nobody
	// choose.
	Debug string `json:"debug"`
	// Metrics says that the page of metrics is at the port {metrics}, which casebook is then told.
	Metrics     bool           `json:"metrics"`
	Ready       string         `json:"ready"`        // path that answers when it is ready; empty: it accepts connections
	LoadsItself bool           `json:"loads_itself"` // it is a benchmark
	Setup       []trial.Target `json:"setup"`        // requests before it is watched
}

// A Service is a program under a load, healthy or ill. Of its trial.Service the backend is Behind's.
type Service struct {
	trial.Service
	Program string            `json:"program"`
	Env     []string          `json:"env"`    // beside the program's
	Files   map[string]string `json:"files"`  // in place of the program's
	Behind  Behind            `json:"behind"` // what its upstreams do
	Then    Change            `json:"then"`   // what its operator does to it while it runs
	CPU     float64           `json:"cpu"`    // cores of its cgroup; 0: no cgroup of its own
	// Done is what an operator would say was done to it.
	Done string `json:"done"`
}

// A Change is a configuration that an operator puts in place, for a program that sees it by itself.
type Change struct {
	At    trial.Duration    `json:"at"`
	Files map[string]string `json:"files"`
}

// Table is services.json.
type Table struct {
	Programs map[string]Program `json:"programs"`
	Services []Service          `json:"services"`
}

// Read reads services.json.
func Read() (Table, error) {
	dec := json.NewDecoder(strings.NewReader(string(table)))
	dec.DisallowUnknownFields()
	var t Table
	if err := dec.Decode(&t); err != nil {
		return t, fmt.Errorf("reading services.json: %w", err)
	}
	for _, s := range t.Services {
		if _, ok := t.Programs[s.Program]; !ok {
			return t, fmt.Errorf("services.json: %s: there is no program %q", s.Name, s.Program)
		}
	}
	return t, nil
}
