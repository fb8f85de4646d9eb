package doctor

import (
	"fmt"
	"net"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/settings"
	"github.com/gocasebook/casebook/vitals"
)

// advise says what to change, warnings first.
func (e *examination) advise() {
	e.adviseExposure()
	e.adviseEvidence()
	e.adviseProcess()
	var warnings, notices []Advice
	for _, a := range e.Advice {
		if a.Severity == casefile.Warning {
			warnings = append(warnings, a)
		} else {
			notices = append(notices, a)
		}
	}
	e.Advice = append(warnings, notices...)
}

func (e *examination) say(severity, text, change string) {
	e.Advice = append(e.Advice, Advice{severity, text, change})
}

// whatItShows is what somebody can do who can read the endpoint.
const whatItShows = "see the command line, function names and labels, and can slow the process down with profiles, " +
	"traces and collections"

func (e *examination) adviseExposure() {
	x := e.Exposure
	const loopback = `go http.ListenAndServe("127.0.0.1:6060", nil) // a server of its own for net/http/pprof`
	switch open := strings.Join(wide(x.Open), ", "); {
	case x.Scope == Public:
		e.say(casefile.Warning, fmt.Sprintf("The endpoint answers without credentials at %s, an address of the Internet. "+
			"Whoever reaches it can %s.", open, whatItShows), loopback)
	case x.Scope == Private:
		e.say(casefile.Notice, fmt.Sprintf("The endpoint answers without credentials at %s. Whoever reaches that "+
			"network can %s. Listen on loopback, let a network policy name who may, or ask for credentials.", open,
			whatItShows), loopback)
	case x.Scope == Socket && openToAll(x.Mode):
		e.say(casefile.Notice, fmt.Sprintf("Every user of this machine can read the endpoint: the socket's mode is %s.",
			x.Mode), "")
	case x.Scope == Protected && x.Plain && !x.Local:
		e.say(casefile.Notice, "The endpoint asks for credentials, which go over the network without TLS.", "")
	}
}

// wide is the addresses that are not loopback.
func wide(hosts []string) (out []string) {
	for _, host := range hosts {
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
			out = append(out, host)
		}
	}
	return out
}

func (e *examination) adviseEvidence() {
	state := make(map[string]State)
	for _, ev := range e.Evidence {
		state[ev.Kind] = ev.State
	}
	var gone []string
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Goroutine} {
		if state[kind] == Absent || state[kind] == Failed {
			gone = append(gone, kind)
		}
	}
	if len(gone) > 0 {
		e.say(casefile.Warning, "Without "+strings.Join(gone, " and ")+" most diagnoses are not possible. Mount all of "+
			"net/http/pprof.", `import _ "net/http/pprof"`)
	}
	if state[casefile.Mutex] == Off {
		e.say(casefile.Notice, "Waits for mutexes are not recorded, so that lock contention has no line. One of a hundred "+
			"is enough.", "runtime.SetMutexProfileFraction(100)")
	}
	if state[casefile.Block] == Unknown {
		e.say(casefile.Notice, "Blocking may not be recorded. From 1 ms on it costs little.",
			"runtime.SetBlockProfileRate(1_000_000) // ns")
	}
	e.adviseProfileRate()
	if e.cut {
		e.say(casefile.Notice, fmt.Sprintf("The server's WriteTimeout is shorter than the %s that a case profiles: "+
			"profiles become shorter. Serve net/http/pprof by a server of its own.",
			number.Duration(settings.ProfileFor.Default)), `go http.ListenAndServe("127.0.0.1:6060", nil)`)
	}
}

// defaultProfileRate is runtime.MemProfileRate's.
const defaultProfileRate = 512 << 10

func (e *examination) adviseProfileRate() {
	switch {
	case e.profileRate == 0:
		e.say(casefile.Warning, "runtime.MemProfileRate is 0: heap profiles are empty.",
			"remove the assignment to runtime.MemProfileRate")
	case e.profileRate > defaultProfileRate:
		e.say(casefile.Notice, fmt.Sprintf("runtime.MemProfileRate is %s: allocations are sampled more rarely than usual.",
			number.Bytes(e.profileRate)), "")
	case e.profileRate > 0 && e.profileRate < defaultProfileRate/8:
		e.say(casefile.Notice, fmt.Sprintf("runtime.MemProfileRate is %s, which costs CPU at each allocation.",
			number.Bytes(e.profileRate)), "")
	}
}

// adviseProcess says what the view of the process is missing.
func (e *examination) adviseProcess() {
	why, missing := e.Signals.Absent[vitals.CPU.Signal().Name]
	switch {
	case !missing:
	case e.Exposure.Local:
		e.say(casefile.Notice, "CPU, memory and descriptors of the process cannot be read: "+why+".",
			"run casebook as the service's user, or as root")
	default:
		e.say(casefile.Notice, "CPU, memory and descriptors of the process cannot be read from here: the rules that need "+
			"them are silent. Watch on the target's machine, or from inside (casebook.Start).", "")
	}
}
