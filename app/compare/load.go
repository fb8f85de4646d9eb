package compare

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// OfLoad compares two results of casebook load. The windows are the rounds: their spread is the noise, and the
// quantiles over the whole run are in the row's reason.
func OfLoad(oldLabel string, old *load.File, newLabel string, latest *load.File, opt Options) (*Report, error) {
	proof, err := LoadProof(oldLabel, old, newLabel, latest, opt)
	if err != nil {
		return nil, err
	}
	r := newReport(Load, oldLabel, newLabel, proof.Method)
	r.Tables = []Table{{Old: oldLabel, New: newLabel, Rows: figureRows(proof.Figures)}}
	r.Warnings = slices.Concat(planDiffers(old, latest), doubts(oldLabel, old), doubts(newLabel, latest))
	return r, nil
}

// LoadProof returns the verdicts of OfLoad as a proof.
func LoadProof(oldLabel string, old *load.File, newLabel string, latest *load.File, opt Options) (casefile.Proof,
	error) {
	opt, err := opt.checked()
	if err != nil {
		return casefile.Proof{}, err
	}
	sides := [2]prove.Side{}
	for i, in := range []struct {
		label string
		file  *load.File
	}{{oldLabel, old}, {newLabel, latest}} {
		if sides[i], err = loadSide(in.label, in.file); err != nil {
			return casefile.Proof{}, err
		}
	}
	proof, err := prove.Compare(sides[0], sides[1], prove.Options{Margin: opt.Margin})
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("comparing load results: %w", err)
	}
	return proof, nil
}

func newReport(of Kind, old, latest, method string) *Report {
	return &Report{Schema: Schema, Kind: ReportKind, Of: of, Old: old, New: latest, Method: method}
}

// loadSide takes the windows as rounds. The last is left out where it was cut short: fewer requests make a wider
// quantile.
func loadSide(label string, f *load.File) (prove.Side, error) {
	windows := f.Windows
	if n := len(windows); n > 1 && windows[n-1].Seconds < 0.5*windows[0].Seconds {
		windows = windows[:n-1]
	}
	if len(windows) == 0 {
		return prove.Side{}, fmt.Errorf("%s has no windows, so its noise is unknown: save the run with casebook load "+
			"--out FILE", label)
	}
	side := prove.Side{Variant: casefile.Variant{Label: label}, Whole: quantileRound(f.Total.Latency)}
	for _, w := range windows {
		round := quantileRound(w.Latency)
		round[prove.Throughput] = w.Throughput
		if w.OK+w.Errors.Total() > 0 {
			round[prove.ErrorShare] = w.ErrorShare
		}
		side.Rounds = append(side.Rounds, round)
	}
	return side, nil
}

func quantileRound(q load.Quantiles) prove.Round {
	if q.Count == 0 {
		return prove.Round{}
	}
	return prove.Round{prove.P50: q.P50, prove.P99: q.P99, prove.P999: q.P999}
}

// planDiffers says what makes two runs two questions.
func planDiffers(a, b *load.File) []string {
	var out []string
	if x, y := a.Plan.HowSpaced(), b.Plan.HowSpaced(); x != y {
		out = append(out, fmt.Sprintf("the arrivals differ: %s in OLD, %s in NEW: at the same rate, random arrivals "+
			"(poisson) queue where evenly "+
			"spaced ones (constant) do not, so latencies differ even for the same service", x, y))
	}
	for _, p := range []struct {
		what     string
		old, new any
	}{
		{"pace", a.Plan.Pace, b.Plan.Pace},
		{"number of targets", a.Plan.TargetCount, b.Plan.TargetCount},
		{"protocol", a.Plan.Protocol, b.Plan.Protocol},
		{"timeout", a.Plan.Timeout, b.Plan.Timeout},
		{"number of connections", a.Plan.Connections, b.Plan.Connections},
		{"system", a.Machine.OS + "/" + a.Machine.Arch, b.Machine.OS + "/" + b.Machine.Arch},
		{"number of CPUs", a.Machine.CPUs, b.Machine.CPUs},
	} {
		if p.old != p.new {
			out = append(out, fmt.Sprintf("the %s differs: %v in OLD, %v in NEW", p.what, p.old, p.new))
		}
	}
	return out
}

// doubts says what a run itself warns of.
func doubts(label string, f *load.File) []string {
	var out []string
	if f.Limited != "" {
		out = append(out, fmt.Sprintf("%s: the generator limited the figures: %s", label, f.Limited))
	}
	if f.Ended != "" {
		out = append(out, fmt.Sprintf("%s ended early: %s", label, f.Ended))
	}
	return out
}
