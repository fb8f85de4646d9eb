// Command settle says how often source settles findings rightly, on services that other people wrote.
//
// The problem: a question that reads source is easily right on the code that its author had in mind. The approach: the
// hold-outs (lab/holdout, holdout2 to holdout5) are services by independent authors with recorded evidence, and
// findings.json says of each finding what somebody who read the code says of it: that the source confirms it, or
// settles nothing. It was written, and committed, before the questions were. This command diagnoses the evidence, asks
// the source, and compares. In lab:
//
//	go run ./settle                 # the table of what differs, and the figures
//	go run ./settle -v              # all that was said
//	go run ./settle -run 'newsdesk|tiles'
//	go run ./settle -set leaks      # what is said of another set of evidence, for a reader to judge
//	go run ./settle -alone 'holdout unseen-third' # if no detector had found anything: faulty and healthy ones
//	go run ./settle -first 'twelfth thirteenth' # of blind groups: what is advised first, with the source and without
//
// The limits: one reader's verdicts; and from the day on which it was first run, a question may have been changed for
// these services: docs/evidence/accuracy.md has the first figures beside today's.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/settle"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/archive"
)

func main() {
	run := flag.String("run", "", "only services whose name matches this `regexp`")
	all := flag.Bool("v", false, "print all that was said")
	blind := flag.String("set", "", "print what is said of this `group` of evidence, of which nothing is expected")
	groups := flag.String("first", "",
		"compare what is advised first with and without the source, for these `groups` of unseen")
	silent := flag.String("alone", "",
		"say what the source finds by the facts alone, of the cases of these `sets` of evidence")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := error(nil)
	switch {
	case *silent != "":
		err = alone(ctx, os.Stdout, *silent, *run)
	case *groups != "":
		err = first(ctx, os.Stdout, *groups, *run)
	case *blind != "":
		err = list(ctx, os.Stdout, *blind, *run)
	default:
		err = compare(ctx, os.Stdout, *run, *all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "settle:", err)
		os.Exit(1)
	}
}

// A row is what somebody who read the code says of a finding.
type row struct {
	Set     string   `json:"set"`
	Service string   `json:"service"`
	Kind    string   `json:"kind"`
	At      string   `json:"at"`      // its first place: "main.go:36"
	Verdict string   `json:"verdict"` // "confirms", "contradicts", or "none": the source settles nothing
	Lines   []string `json:"lines,omitempty"`
	Why     string   `json:"why,omitempty"`
}

func readRows(name string) (rows []row, err error) {
	data, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what is expected: %w", err)
	}
	return rows, nil
}

// The outcomes for a finding.
const (
	confirmedRightly    = "confirmed rightly"
	confirmedWrongly    = "confirmed wrongly"
	contradictedRightly = "contradicted rightly"
	contradictedWrongly = "contradicted wrongly"
	silentRightly       = "nothing to settle"
	missed              = "not settled"
)

// outcome compares what the source was made to say of a finding with what it says.
func (r row) outcome(said []casefile.Settled) string {
	verdict := func(v string) *casefile.Settled {
		i := slices.IndexFunc(said, func(s casefile.Settled) bool { return s.Verdict == v })
		if i < 0 {
			return nil
		}
		return &said[i]
	}
	confirms, contradicts := verdict(casefile.Confirms), verdict(casefile.Contradicts)
	switch {
	case confirms != nil && r.Verdict == casefile.Confirms && r.names(said):
		return confirmedRightly
	case confirms != nil:
		return confirmedWrongly
	case contradicts != nil && r.Verdict == casefile.Contradicts:
		return contradictedRightly
	case contradicts != nil:
		return contradictedWrongly
	case r.Verdict == "none":
		return silentRightly
	}
	return missed
}

// names reports whether one of the lines that were read is one that the reader named.
func (r row) names(said []casefile.Settled) bool {
	for _, s := range said {
		for _, l := range s.Lines {
			if s.Verdict == casefile.Confirms && slices.Contains(r.Lines, fmt.Sprintf("%s:%d", filepath.Base(l.File),
				l.Line)) {
				return true
			}
		}
	}
	return false
}

// compare asks about all services, and prints what differs.
func compare(ctx context.Context, out io.Writer, run string, all bool) error {
	which, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	rows, err := readRows("settle/findings.json")
	if err != nil {
		return err
	}
	counts, asked, err := compareRows(ctx, out, rows, which, all)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%d findings of kinds that source is asked about\n", asked)
	for _, o := range []string{confirmedRightly, confirmedWrongly, contradictedRightly, contradictedWrongly, missed,
		silentRightly} {
		fmt.Fprintf(out, "%-21s %4d\n", o, counts[o])
	}
	return ctx.Err()
}

// compareRows counts the outcomes, and prints those that are not as the reader has them.
func compareRows(ctx context.Context, out io.Writer, rows []row, which *regexp.Regexp, all bool) (counts map[string]int,
	asked int, err error) {
	counts = make(map[string]int)
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r row) bool { return r.Set != rows[0].Set || r.Service != rows[0].Service })
		if n < 0 {
			n = len(rows)
		}
		of := rows[:n]
		rows = rows[n:]
		if !which.MatchString(of[0].Service) {
			continue
		}
		findings, note, err := settled(ctx, of[0].Set, of[0].Service)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", of[0].Service, err)
		}
		for _, r := range of {
			o, f := judge(r, findings)
			if o == "" {
				fmt.Fprintf(out, "%s %s %s %s: not found today\n", r.Set, r.Service, r.Kind, r.At)
				continue
			}
			counts[o]++
			if slices.Contains(settle.Kinds(), r.Kind) {
				asked++
			}
			if all && len(f.Source) > 0 || o != confirmedRightly && o != silentRightly {
				print(out, r, o, f)
			}
		}
		if note != "" {
			fmt.Fprintf(out, "%s %s: %s\n", of[0].Set, of[0].Service, note)
		}
	}
	return counts, asked, ctx.Err()
}

// list prints what the source says of the findings of each recording of a set, for a reader to judge.
func list(ctx context.Context, out io.Writer, set, run string) error {
	which, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	cases, err := archive.Find()
	if err != nil {
		return err
	}
	found, err := cases.Cases(set + "/*")
	if err != nil {
		return err
	}
	said := make(map[string]int)
	for _, name := range found {
		name = path.Base(name)
		if !which.MatchString(name) {
			continue
		}
		findings, note, err := settled(ctx, set, name)
		if err != nil {
			fmt.Fprintf(out, "%s %s: %v\n", set, name, err)
			continue
		}
		for _, f := range findings {
			if len(f.Source) > 0 {
				r := row{Set: set, Service: name, Kind: f.Kind, At: fmt.Sprintf("%s:%d", filepath.Base(f.Where[0].File),
					f.Where[0].Line)}
				print(out, r, fmt.Sprint(f.Score), f)
			}
			for _, s := range f.Source {
				said[s.Verdict]++
			}
		}
		if note != "" {
			fmt.Fprintf(out, "%s %s: %s\n", set, name, note)
		}
	}
	fmt.Fprintf(out, "\n%d confirm, %d contradict, %d add\n", said[casefile.Confirms], said[casefile.Contradicts],
		said[casefile.Adds])
	return ctx.Err()
}

func judge(r row, findings []casefile.Finding) (string, casefile.Finding) {
	for _, f := range findings {
		// a change may belong to another line, which comes first then
		if f.Kind == r.Kind && (r.At == "" || slices.ContainsFunc(f.Where[:min(len(f.Where), 2)],
			func(w casefile.Frame) bool {
				return fmt.Sprintf("%s:%d", filepath.Base(w.File), w.Line) == r.At
			})) {
			return r.outcome(f.Source), f
		}
	}
	return "", casefile.Finding{}
}

func print(out io.Writer, r row, outcome string, f casefile.Finding) {
	fmt.Fprintf(out, "%s %s %s %s: %s\n", r.Set, r.Service, r.Kind, r.At, outcome)
	if r.Why != "" && outcome != confirmedRightly {
		fmt.Fprintf(out, "    a reader: %s %s\n", r.Why, strings.Join(r.Lines, " "))
	}
	for _, s := range f.Source {
		fmt.Fprintf(out, "    %s: %s\n", s.Verdict, s.Text)
	}
}

// moved is how names of the first hold-out begin in its evidence, and in the repository since.
var moved = strings.NewReplacer("casebook/app/lab/", "casebook/lab/")

// settled diagnoses a service's evidence and asks its source.
func settled(ctx context.Context, set, service string) ([]casefile.Finding, string, error) {
	in, err := recorded(set + "/" + service)
	if err != nil {
		return nil, "", err
	}
	report := diagnose.Run(ctx, in, diagnose.Options{})
	for i := range report.Findings {
		for k := range report.Findings[i].Where {
			at := &report.Findings[i].Where[k]
			at.Function, at.File = moved.Replace(at.Function), moved.Replace(at.File)
		}
	}
	for i := range report.Starts {
		s := &report.Starts[i]
		s.Function, s.File = moved.Replace(s.Function), moved.Replace(s.File)
	}
	p, err := inLab(ctx, in.Build)
	if err != nil {
		return nil, "", err
	}
	defer p.close()
	res := settle.Run(ctx, settle.Config{Places: p.places, Starts: report.Starts, Limit: settleLimit}, &report.Diagnosis)
	return report.Findings, res.Note, nil
}

// A program is where the source of a case's program is.
type program struct {
	places *source.Places
	close  func() // sets the environment back
}

// inLab is a program of the lab.
func inLab(ctx context.Context, build casefile.Build) (p program, err error) {
	if build.Module == "github.com/gocasebook/casebook/app" {
		build.Module = "github.com/gocasebook/casebook/lab"
	}
	build.Module, build.Path = moved.Replace(build.Module), moved.Replace(build.Path)
	dir := strings.TrimPrefix(strings.TrimPrefix(build.Path, "github.com/gocasebook/casebook/lab"), "/")
	if dir == build.Path {
		return p, fmt.Errorf("%s is not in the lab", build.Path)
	}
	p.close = func() {}
	if top, _, _ := strings.Cut(dir, "/"); exists(filepath.Join(top, "go.mod")) { // a module that go.work does not name
		p.close = setenv("GOWORK", "off")
	}
	p.places, err = source.FindPlaces(ctx, dir, build)
	return p, err
}

// settleLimit is none that a busy machine or an empty build cache reaches.
const settleLimit = 10 * time.Minute

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// setenv sets a variable, and answers what sets it back.
func setenv(name, value string) func() {
	before, was := os.LookupEnv(name)
	_ = os.Setenv(name, value) // of the command's own, which has one goroutine
	return func() {
		if was {
			_ = os.Setenv(name, before)
		} else {
			_ = os.Unsetenv(name)
		}
	}
}

// recorded reads a recorded case.
func recorded(name string) (in diagnose.Input, err error) {
	var m struct {
		Started  time.Time       `json:"started"`
		Limits   casefile.Limits `json:"limits"`
		Build    casefile.Build  `json:"build"`
		Evidence []struct {
			File    string         `json:"file"`
			Kind    string         `json:"kind"`
			Phase   casefile.Phase `json:"phase"`
			Taken   time.Time      `json:"taken"`
			Seconds float64        `json:"seconds"`
		} `json:"evidence"`
	}
	cases, err := archive.Find()
	if err != nil {
		return in, err
	}
	files, err := cases.Case(name)
	if err == nil {
		err = json.Unmarshal(files["manifest.json"], &m)
	}
	if err != nil {
		return in, err
	}
	in = diagnose.Input{Build: m.Build, Limits: m.Limits, Started: m.Started}
	for _, e := range m.Evidence {
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken,
			Seconds: e.Seconds, Data: files[e.File]})
	}
	return in, nil
}
