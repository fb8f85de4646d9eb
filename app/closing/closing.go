// Package closing says which findings of a case its proof closes.
//
// The problem: a proof that was better closed its case, whatever it had measured. One of CPU and latency closed a leak
// of goroutines, of which it had not counted one. The approach: a finding is about a resource (casefile.Impact), and a
// figure measures one. A proof closes a finding if it is better, a figure of the finding's resource is better, and none
// of them is worse. A finding without a resource has no figure that could be missing.
//
// Limits: a proof closes all findings of a resource that it measured, also one at another place than the remedy's: what
// is still there, the next case has. A figure that no proof has (goroutines, open files) closes nothing: Open says what
// would.
package closing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// The resources of findings (casefile.Impact), and Garbage, which findings about allocations promise of memory.
const (
	CPU        = "cpu"
	Memory     = "memory"
	Latency    = "latency"
	Goroutines = "goroutines"
	Files      = "files"
	Garbage    = casefile.Garbage
)

// measures are the figures of package prove by the resource that they measure. Errors measure none: a service that
// fails quickly spends less of everything.
var measures = map[string][]string{
	CPU:     {"cpu_per_request", "cpu", "gc_cpu", "throttled"},
	Memory:  {"rss", "heap_objects"},
	Garbage: {"alloc_bytes", "allocs"},
	Latency: {"p50", "p90", "p99", "p99.9", "throughput", "stream"},
}

// Figures are the names of those that measure a resource, the first that is asked for first; none for most.
func Figures(resource string) []string { return slices.Clone(measures[resource]) }

// Resource is what a finding's remedy frees; empty where the finding names none.
func Resource(f *casefile.Finding) string {
	if f.Impact.Resource == Memory && strings.HasPrefix(f.Kind, "alloc-") {
		return Garbage
	}
	return f.Impact.Resource
}

// Closes reports whether a proof closes a finding.
func Closes(p *casefile.Proof, f *casefile.Finding) bool { return p != nil && open(p, f) == "" }

// Open says why a proof leaves a finding open, and what would close it: the end of "The finding GC003 stays open: …".
// It is empty for one that is closed.
func Open(p *casefile.Proof, f *casefile.Finding) string {
	if p == nil {
		return "nobody has measured a remedy"
	}
	return open(p, f)
}

func open(p *casefile.Proof, f *casefile.Finding) string {
	if p.Verdict != casefile.Better {
		return "the verdict is " + string(p.Verdict)
	}
	resource := Resource(f)
	if resource == "" {
		return ""
	}
	better, measured := false, false
	for i := range p.Figures {
		fig := &p.Figures[i]
		if fig.Before.N == 0 || fig.After.N == 0 || !slices.Contains(measures[resource], fig.Name) {
			continue
		}
		if measured = true; fig.Verdict == casefile.Worse {
			return fmt.Sprintf("it is about %s, and %s is worse", resource, fig.Name)
		}
		better = better || fig.Verdict == casefile.Better
	}
	switch {
	case better:
		return ""
	case measured:
		return fmt.Sprintf("it is about %s, and no figure of that is better. %s", resource, next(resource))
	}
	return fmt.Sprintf("it is about %s, which the proof did not measure. %s", resource, next(resource))
}

// next is what would prove a remedy for a resource.
func next(resource string) string {
	if names := measures[resource]; len(names) > 0 {
		return "What would prove it: casebook prove --key " + names[0]
	}
	return "What would prove it: run the change as long as the case had run, and casebook diagnose --base CASE URL"
}

// Worst is the highest score of a case's findings that its proof does not close; 0 where none is open.
func Worst(c *casefile.Case) int {
	worst := 0
	for i := range c.Findings {
		if f := &c.Findings[i]; !Closes(c.Proof, f) {
			worst = max(worst, f.Score)
		}
	}
	return worst
}
