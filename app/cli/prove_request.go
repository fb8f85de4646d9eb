package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
)

// request decides what to compare, and checks what can be checked before anything is started.
func (f *proveFlags) request(cmd *cobra.Command, args []string) (r assess.ProveRequest, err error) {
	r.Sides = assess.Sides{A: child.Spec{Name: "A", Env: f.aEnv}, B: child.Spec{Name: "B", Env: f.bEnv},
		Names: [2]string{f.aName, f.bName}}
	if args, err = f.commands(&r.Sides, args); err != nil {
		return r, err
	}
	if r.URL, err = f.url(args); err != nil {
		return r, err
	}
	if err := f.revisions(&r.Sides); err != nil {
		return r, err
	}
	if r.Trial, err = f.trial(cmd, r.URL); err != nil {
		return r, err
	}
	if err := f.ofCase(&r); err != nil {
		return r, err
	}
	for _, side := range []*child.Spec{&r.Sides.A, &r.Sides.B} { // in turn: with one COMMAND both have the same faults
		if err := side.Check(); err != nil {
			return r, err
		}
	}
	return r, command.CheckWritable("--html", f.html)
}

// ofCase says which case the proof is for, and what of it.
func (f *proveFlags) ofCase(r *assess.ProveRequest) error {
	switch {
	case f.finding != "" && f.opinion != "":
		return errors.New("--finding and --opinion exclude each other: an opinion's finding is the one at its place")
	case f.caseID != "":
		r.Case, r.Finding, r.Opinion = &casework.Which{Dir: f.dir, ID: f.caseID}, f.finding, f.opinion
	case f.finding != "":
		return errors.New("--finding is one of a case: name the case with --case")
	case f.opinion != "":
		return errors.New("--opinion is one of a case: name the case with --case")
	}
	return nil
}

// commands reads the commands of both sides, and returns the arguments that are left: the URL.
func (f *proveFlags) commands(p *assess.Sides, args []string) ([]string, error) {
	a, b := f.a, f.b
	switch {
	case a == "" && b == "":
		if len(args) == 0 || len(args) == 1 && f.load.targets == "" {
			return nil, errors.New("what should be compared? Give --a and --b, or one COMMAND and what differs, and " +
				"a URL; for instance: casebook prove --rate 300 --a './old -addr :{port}' --b './new -addr :{port}' " +
				"/items")
		}
		a, b, args = args[0], args[0], args[1:]
	case a == "" || b == "":
		return nil, errors.New("--a and --b go together; for one command with different arguments, " +
			"give it as COMMAND, with --a-args and --b-args")
	case f.rev != "" || f.against != "":
		return nil, errors.New("--rev and --against build one COMMAND: leave --a and --b out")
	case len(args) > 1:
		return nil, fmt.Errorf("%q is one argument too many: with --a and --b, give only the URL", args[0])
	}
	var errA, errB error
	p.A.Args, errA = child.Split(strings.TrimSpace(a + " " + f.aArgs))
	p.B.Args, errB = child.Split(strings.TrimSpace(b + " " + f.bArgs))
	return args, errors.Join(errA, errB)
}

// url returns the URL with a place for the port.
func (f *proveFlags) url(args []string) (string, error) {
	url := "/"
	if len(args) > 0 {
		url = args[0]
	} else if f.load.targets == "" {
		return "", errors.New("which URL should be loaded? For instance /items, or --targets FILE")
	}
	return f.load.serverURL(url)
}

// revisions decides what to build.
func (f *proveFlags) revisions(p *assess.Sides) error {
	if f.rev == "" && f.against == "" {
		return nil
	}
	if f.rev == "" {
		return errors.New("--against is B's revision: give A's revision with --rev")
	}
	p.Revisions = [2]string{f.rev, f.against}
	if p.Revisions[1] == "" {
		p.Revisions[1] = "."
	}
	p.Package = p.A.Args[0]
	if !strings.HasPrefix(p.Package, ".") {
		return fmt.Errorf("with --rev, COMMAND begins with the Go package to build, such as ./cmd/server: %q is not "+
			"one",
			p.Package)
	}
	return nil
}

// trial returns how the sides are measured.
func (f *proveFlags) trial(cmd *cobra.Command, url string) (cfg trial.Config, err error) {
	schedule, err := f.load.schedule()
	if err != nil {
		return cfg, err
	}
	margin, err := f.marginShare()
	if err != nil {
		return cfg, err
	}
	if f.key != "" && !slices.Contains(prove.PairedFigures(), f.key) {
		return cfg, fmt.Errorf("--key: %q is none of %s", f.key, strings.Join(prove.PairedFigures(), ", "))
	}
	f.load.settleSeed()
	cfg = trial.Config{
		Slice: f.slice, Lengthen: f.slice == 0, Warmup: f.warmup, MaxTime: f.maxTime,
		Ready: f.ready, ReadyTimeout: f.readyTimeout, Profile: max(f.profile, 0), Seed: f.load.seed,
		Options: prove.Options{Key: f.key, Margin: margin, Machine: prove.Machine()},
	}
	arrivals, pace := f.load.arrivals()
	if pace != "" {
		cfg.Pace = schedule
	} else {
		cfg.Arrivals = arrivals
		cfg.Rate, _ = load.ParseRate(f.load.rate) // schedule has checked it
	}
	requests := f.load
	requests.rate, requests.pace = "1", "" // the trial says when they leave: a file of arrivals is read once
	cfg.Load = requests.onPort(cmd, url)
	return cfg, nil
}

// marginShare reads "2%" or "0.02"; NaN is refused by the trial.
func (f *proveFlags) marginShare() (float64, error) {
	text, percent := strings.CutSuffix(strings.TrimSpace(f.margin), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v > 0 && v < 1) {
		return 0, fmt.Errorf("--margin: %q is not a share above 0 and below 100%%, such as 2%%", f.margin)
	}
	return v, nil
}
