package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func rulesTest() *cobra.Command {
	var on []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test [FILE] --on VITALS…",
		Short: "Say when rules would have fired on recorded vitals",
		Long: `Test replays recorded vitals through the rules of FILE, or through the built-in
ones, and says when each would have fired; of one that would not, how near it
came. VITALS is a case's folder, or a file of JSON lines such as a case's
vitals-before.jsonl; several are put in the order of time.

The recording is taken for all that was ever watched: the first 10 s are the
warm-up of most rules. A gap of more than two minutes starts again.

A rule may name the recording's own signals, too: gauges of the service, metrics
of a Prometheus page.

Exit codes: 0 no rule fired, 1 some fired, 2 something could not be read.`,
		Example: `  casebook rules test rules.json --on casebook-cases/20261121T132512Z-…
  casebook rules test rules.json --on vitals-before.jsonl vitals-during.jsonl
  casebook rules test --on vitals-before.jsonl --on vitals-during.jsonl --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(on) == 0 {
				return errors.New("casebook rules test wants recorded vitals, for instance: casebook rules test rules.json --on vitals-before.jsonl")
			}
			var file []string
			if len(args) > 0 {
				file, on = args[:1], append(on, args[1:]...)
			}
			return testRules(cmd.OutOrStdout(), file, on, asJSON)
		},
	}
	cmd.Flags().StringArrayVar(&on, "on", nil, "recorded `vitals`: a case's folder or a file; more may follow")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func testRules(w io.Writer, file, on []string, asJSON bool) error {
	rec := readRecording(on)
	rules, err := rulesOf(file, rec.catalog)
	if err != nil {
		return err
	}
	if len(rec.samples) == 0 {
		return errors.Join(append(rec.failed, errors.New("there are no samples to replay"))...)
	}
	outcomes, err := rule.Replay(rules, rec.samples, rec.catalog, rec.absent)
	if err != nil {
		return err
	}
	if asJSON {
		err = writeReplayJSON(w, rec, outcomes)
	} else {
		printReplay(w, rec, outcomes)
	}
	switch {
	case err != nil:
		return err
	case len(rec.failed) > 0: // what could be read was replayed
		return errors.Join(rec.failed...)
	case slices.ContainsFunc(outcomes, func(o rule.Outcome) bool { return len(o.Firings) > 0 }):
		return command.ErrFindings
	}
	return nil
}

// A recording is the samples of several files, in the order of time.
type recording struct {
	samples []vitals.Sample
	catalog *vitals.Catalog // of the signals that any of the files has
	absent  map[string]string
	failed  []error
}

func readRecording(paths []string) recording {
	rec := recording{absent: make(map[string]string)}
	for _, path := range paths {
		if casework.IsCase(path) {
			rec.addCase(path)
			continue
		}
		f, err := casework.OpenFile(path)
		if err != nil {
			rec.failed = append(rec.failed, fmt.Errorf("reading vitals: %w", err))
			continue
		}
		rec.add(path, f)
		_ = f.Close() // it was only read
	}
	slices.SortStableFunc(rec.samples, func(a, b vitals.Sample) int { return a.Time.Compare(b.Time) })
	rec.samples = slices.CompactFunc(rec.samples, func(a, b vitals.Sample) bool { return a.Time.Equal(b.Time) })
	return rec
}

// add keeps what can be read of a recording, for one that was cut short is a recording too.
func (rec *recording) add(name string, r io.Reader) {
	h, samples, err := vitals.ReadJSONL(io.LimitReader(r, maxVitals))
	if err != nil {
		rec.failed = append(rec.failed, fmt.Errorf("%s: %w; vitals are JSON lines, as in a case's vitals-before.jsonl", name, err))
	}
	rec.catalog = vitals.Join(rec.catalog, h.Catalog, samples)
	rec.samples = append(rec.samples, samples...)
	maps.Copy(rec.absent, h.Absent)
}

func (rec *recording) addCase(path string) {
	f, err := casefile.Open(path)
	if err != nil {
		rec.failed = append(rec.failed, err)
		return
	}
	found := false
	for _, e := range f.Case.Evidence {
		if e.Kind != casefile.Vitals {
			continue
		}
		found = true
		r, err := os.Open(filepath.Join(f.Path, e.File))
		if err != nil {
			rec.failed = append(rec.failed, fmt.Errorf("reading vitals: %w", err))
			continue
		}
		rec.add(filepath.Join(path, e.File), r)
		_ = r.Close() // it was only read
	}
	if !found {
		rec.failed = append(rec.failed, fmt.Errorf("the case %s holds no vitals", path))
	}
}

// maxVitals bounds one file.
const maxVitals = 256 << 20

// mostFirings are printed of a rule; --json has all.
const mostFirings = 10

func printReplay(w io.Writer, rec recording, outcomes []rule.Outcome) {
	p := terminal.New(w)
	first, last := rec.samples[0].Time.Local(), rec.samples[len(rec.samples)-1].Time.Local()
	layout := time.TimeOnly
	if first.Format(time.DateOnly) != last.Format(time.DateOnly) {
		layout = time.DateTime
	}
	p.Text("", fmt.Sprintf("%s, %s to %s", terminal.Plural(len(rec.samples), "sample"), first.Format(time.DateTime), last.Format(layout+" MST")))
	for _, o := range outcomes {
		fmt.Fprintln(w)
		if len(o.Firings) == 0 {
			fmt.Fprintf(w, "%s: did not fire\n", render.Plain(o.Rule.Name))
			printClosest(p, layout, o)
			continue
		}
		fmt.Fprintf(w, "%s: fired %s\n", render.Plain(o.Rule.Name), terminal.Plural(len(o.Firings), "time"))
		for i, f := range o.Firings {
			if i == mostFirings {
				p.Text("  ", fmt.Sprintf("and %d more times", len(o.Firings)-i))
				break
			}
			p.Text("  "+f.Time.Local().Format(layout)+"  ", f.Text)
		}
	}
}

// printClosest says why a rule did not fire: how near each of its conditions came, and its state at the end.
func printClosest(p *terminal.Printer, layout string, o rule.Outcome) {
	for _, n := range o.Closest {
		p.Text("  wanted   ", n.Condition)
		at := ""
		if !n.Time.IsZero() {
			at = n.Time.Local().Format(layout) + " "
		}
		p.Text("  nearest  ", at+n.Text)
	}
	p.Text("  last     ", o.Last)
}

// A replayJSON is what `rules test --json` prints.
type replayJSON struct {
	Schema  int           `json:"schema"`
	Samples int           `json:"samples"`
	From    time.Time     `json:"from"`
	To      time.Time     `json:"to"`
	Rules   []outcomeJSON `json:"rules"`
}

type outcomeJSON struct {
	Rule    string       `json:"rule"`
	Fired   []firingJSON `json:"fired"`
	Closest []nearJSON   `json:"closest"`
	Last    string       `json:"last"`
}

type firingJSON struct {
	Time   time.Time `json:"time"`
	Signal string    `json:"signal"`
	Value  float64   `json:"value"`
	Text   string    `json:"text"`
}

type nearJSON struct {
	Condition string     `json:"condition"`
	Time      *time.Time `json:"time,omitempty"`
	Text      string     `json:"text"`
}

func writeReplayJSON(w io.Writer, rec recording, outcomes []rule.Outcome) error {
	out := replayJSON{
		Schema: 1, Samples: len(rec.samples), From: rec.samples[0].Time.UTC(), To: rec.samples[len(rec.samples)-1].Time.UTC(),
		Rules: make([]outcomeJSON, len(outcomes)),
	}
	for i, o := range outcomes {
		r := outcomeJSON{Rule: o.Rule.Name, Last: o.Last, Fired: []firingJSON{}, Closest: []nearJSON{}} // [] and not null: programs iterate
		for _, f := range o.Firings {
			r.Fired = append(r.Fired, firingJSON{f.Time.UTC(), f.Signal.Name, f.Value, f.Text})
		}
		for _, n := range o.Closest {
			near := nearJSON{Condition: n.Condition, Text: n.Text}
			if !n.Time.IsZero() {
				at := n.Time.UTC()
				near.Time = &at
			}
			r.Closest = append(r.Closest, near)
		}
		out.Rules[i] = r
	}
	return writeJSON(w, out)
}
