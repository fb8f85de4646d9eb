// Package casefile is the case: one incident of one target and all that is known of it.
//
// The problem: evidence of a misbehaving service is a handful of files whose meaning (which process, when, why taken)
// lives in somebody's head. A case keeps them together: a folder whose case.json says what each file is, what tripped,
// what was found and what the remedy proved to be worth. Evidence stays in its native format, so that
// `go tool pprof` opens it without us.
//
// This file holds the data, documented field by field; docs/case.md is the same as a schema. The folder is in
// folder.go and writer.go, the zip in zip.go. All times are UTC; shares are fractions from 0 to 1; names of signals
// are those of package vitals.
package casefile

import "time"

// Schema is the version of case.json that this package writes. It grows only when an old reader would misread a new
// file; added fields do not change it.
const Schema = 1

// A Case is one incident. It is the content of case.json.
type Case struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"`             // also the folder's name: time of opening, rule, random suffix
	Tool   string    `json:"tool,omitempty"` // the Casebook version that wrote it
	Opened time.Time `json:"opened"`
	Closed time.Time `json:"closed,omitzero"` // when the last evidence was in

	Target   Target     `json:"target"`
	Trigger  Trigger    `json:"trigger"`
	Also     []Trigger  `json:"also,omitempty"` // rules that tripped while the case was being taken: the same incident
	Evidence []Evidence `json:"evidence"`
	Missing  []Missing  `json:"missing,omitempty"` // evidence that was requested but not available, with the reason

	Diagnosis
	Proof *Proof `json:"proof,omitempty"`
	// Opinions are answers that others gave, each checked, in the order in which they came.
	Opinions []Opinion `json:"opinions,omitempty"`
}

// A Target says which process the case is about. What could not be learnt is empty.
type Target struct {
	// what people call it: the service, otherwise the binary, otherwise host:port
	Name    string    `json:"name"`
	URL     string    `json:"url,omitempty"` // without userinfo and query; empty for a process that watches itself
	PID     int       `json:"pid,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Build   Build     `json:"build,omitzero"`
	Limits  Limits    `json:"limits,omitzero"`
	// Labels are its owner's: zone, cluster, customer.
	Labels map[string]string `json:"labels,omitempty"`
	// Resource is the same under OpenTelemetry's names: service.name, k8s.pod.name. See NameResource.
	Resource map[string]string `json:"resource,omitempty"`
}

// A Build is what runtime/debug.BuildInfo knows of the binary.
type Build struct {
	Path      string `json:"path,omitempty"`     // the main package
	Module    string `json:"module,omitempty"`   // the main module: what "the user's own code" means
	Version   string `json:"version,omitempty"`  // of the main module
	Revision  string `json:"revision,omitempty"` // vcs.revision
	Modified  bool   `json:"modified,omitempty"` // vcs.modified: built from a tree with uncommitted changes
	GoVersion string `json:"go_version,omitempty"`
}

// Limits are what the process may use. Zero means that there is no limit or that it is not known.
type Limits struct {
	// cores: the cgroup's quota, otherwise the CPUs that it may run on
	CPUs        float64 `json:"cpus,omitempty"`
	CPUQuota    float64 `json:"cpu_quota,omitempty"`    // cores: the cgroup's quota alone, 0 without one
	MemoryBytes int64   `json:"memory_bytes,omitempty"` // the cgroup's
	OpenFiles   int64   `json:"open_files,omitempty"`
}

// A Trigger is why the case was opened.
type Trigger struct {
	// Rule is the rule's name; "manual" when a person asked, "signal" when the process was sent one, "end" when the
	// watch was ended, "killed" when the process ended without a word.
	Rule string `json:"rule"`
	// Time is when the rule fired: its condition had been true for the rule's "for" by then. Of a process that ended it
	// is when it was last seen alive.
	Time time.Time `json:"time"`
	Text string    `json:"text"` // for people: "gc_cpu was 31 %, above 25 % for 5s"
	// Alert is the ID of the capture that an alert of others' rules asked for; none where no alert did.
	Alert string `json:"alert,omitempty"`
	// the signal that decided; none where a schedule or waiting goroutines did
	Signal string  `json:"signal,omitempty"`
	Value  float64 `json:"value,omitempty"` // of that signal, in the signal's unit
	Unit   string  `json:"unit,omitempty"`
	// Signals are all that the rule's condition names, in its order; Signal may be any of them. Cases written before
	// this field have none.
	Signals []string `json:"signals,omitempty"`
	// when the condition was first seen not to hold any more; none if it still held when the case was closed
	Ended time.Time `json:"ended,omitzero"`
}

// Kinds of evidence. They are pprof's own names where pprof has one.
const (
	CPU          = "cpu"
	Heap         = "heap"
	Allocs       = "allocs"
	Goroutine    = "goroutine"
	Mutex        = "mutex"
	Block        = "block"
	ThreadCreate = "threadcreate"
	Vitals       = "vitals" // the signals' history, JSON lines
	Course       = "course" // some of them twenty times a second while the CPU was profiled, JSON lines

	GoroutineLeak = "goroutineleak"  // goroutines that can never run again; a pprof profile
	GoroutineDump = "goroutine-dump" // every goroutine's stack as text, with how long it has waited
	Trace         = "trace"          // an execution trace, for `go tool trace`
	Metrics       = "metrics"        // all of runtime/metrics, one JSON object; from outside, expvar's
	Runtime       = "runtime"        // build, GODEBUG and the like, limits; one JSON object
	Prometheus    = "prometheus"     // the target's Prometheus page, text
	Neighbours    = "neighbours"     // what the machine's CPUs did while the CPU was profiled, and for whom; JSON
	HeapRefs      = "heap-refs"      // who holds the memory: a heap dump's summary, one JSON object
	Quote         = "quote"          // a pprof profile of another time or version, as an engine has it; see its note
)

// A Phase says when evidence was taken relative to the trigger.
type Phase string

// The phases of a case.
const (
	Before Phase = "before"
	During Phase = "during"
	After  Phase = "after"
)

// Evidence is one artefact: a file in the case's folder.
type Evidence struct {
	File    string    `json:"file"` // relative to the case's folder, slash-separated
	Kind    string    `json:"kind"`
	Phase   Phase     `json:"phase"`
	Taken   time.Time `json:"taken"`             // when the capture began
	Seconds float64   `json:"seconds,omitempty"` // what it spans; 0 for a snapshot
	// seconds: the longest stop of the world while it was taken; 0 where it could not be measured
	Pause float64 `json:"pause,omitempty"`
	// Collected says of a heap profile that a garbage collection was run first: it shows the moment it was taken, and
	// not the last collection before it.
	Collected bool   `json:"collected,omitempty"`
	Bytes     int64  `json:"bytes"`
	SHA256    string `json:"sha256"`
	Note      string `json:"note,omitempty"`
	GoFormat  bool   `json:"go_format,omitempty"` // `go tool pprof` reads it
}

// Missing is evidence that was requested but not available.
type Missing struct {
	Kind   string `json:"kind"`
	Phase  Phase  `json:"phase"`
	Reason string `json:"reason"`
}
