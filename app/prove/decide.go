package prove

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// A decision is the verdict over all figures.
type decision struct {
	key     string // the figure that the verdict is of
	verdict casefile.Verdict
	note    string // why there is no verdict although figures have one
	open    bool   // more blocks may change it
}

// decide takes the verdict from the figure that was named. Where none was, it is of what callers feel and of CPU per
// request together: better when something is better and nothing worse, and the other way round. A fix of a lock or of a
// queue leaves CPU per request as it was. Whether a server keeps up (throughput, errors) goes before everything else:
// what is not answered costs no CPU, and what is refused has no latency.
func decide(fs []*paired, named string) decision {
	if named != "" {
		d := decision{key: named, verdict: casefile.CannotTell}
		if f := of(fs, named); f != nil {
			d.verdict = f.verdict
		}
		d.open = d.verdict == casefile.CannotTell
		return d
	}
	if d := together(fs, Throughput, ErrorShare); d.verdict != casefile.Same {
		return d
	}
	d := together(fs, CPUPerRequest, P50, P90, P99, P999)
	cpu := of(fs, CPUPerRequest)
	if d.verdict == casefile.Same {
		d.key = CPUPerRequest
		if d.verdict = casefile.CannotTell; cpu != nil {
			d.verdict = cpu.verdict
		}
	}
	d.open = cpu == nil || cpu.verdict == casefile.CannotTell || d.verdict == casefile.Same &&
		promising(fs, P50, P90, P99, P999)
	return d
}

// together returns the verdict of figures that count alike, and the clearest of those that have it; the same when none
// is better or worse.
func together(fs []*paired, names ...string) decision {
	found := map[casefile.Verdict][]string{}
	clearest := map[casefile.Verdict]*paired{}
	for _, name := range names {
		f := of(fs, name)
		if f == nil || f.verdict != casefile.Better && f.verdict != casefile.Worse {
			continue
		}
		found[f.verdict] = append(found[f.verdict], name)
		// CPU per request comes first of its names: where it has a verdict it is what most changes are made for.
		if g := clearest[f.verdict]; g == nil || g.spec.Name != CPUPerRequest && f.clarity() > g.clarity() {
			clearest[f.verdict] = f
		}
	}
	better, worse := clearest[casefile.Better], clearest[casefile.Worse]
	switch {
	case better != nil && worse != nil:
		return decision{key: better.spec.Name, verdict: casefile.CannotTell,
			note: fmt.Sprintf("%s got better and %s worse: name the figure that counts (--key)",
				strings.Join(found[casefile.Better], ", "), strings.Join(found[casefile.Worse], ", "))}
	case better != nil:
		return decision{key: better.spec.Name, verdict: casefile.Better}
	case worse != nil:
		return decision{key: worse.spec.Name, verdict: casefile.Worse}
	}
	return decision{verdict: casefile.Same}
}

// clarity returns how many standard errors a change is.
func (f *paired) clarity() float64 { return math.Abs(f.effect.centre) / f.effect.se }

// promising reports whether a figure without a verdict yet looks as if it had moved: more blocks are worth their
// time.
func promising(fs []*paired, names ...string) bool {
	for _, name := range names {
		f := of(fs, name)
		if f == nil || !f.tested || f.verdict != casefile.CannotTell {
			continue
		}
		if moved := math.Abs(f.change(f.effect.centre)); f.effect.p() <= 1-confidence &&
			moved > max(f.margin, math.Abs(f.change(f.noise.centre))) {
			return true
		}
	}
	return false
}

func of(fs []*paired, name string) *paired {
	for _, f := range fs {
		if f.spec.Name == name {
			return f
		}
	}
	return nil
}
