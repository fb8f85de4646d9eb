package assess

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A ReplayRequest says which rules to replay, on which recorded vitals.
type ReplayRequest struct {
	Rules string   // JSON file; "": the built-in rules
	On    []string // cases' folders, and files of JSON lines such as a case's vitals-before.jsonl

	Opened *Opened // more of On, open already; nil: none
}

// Replayed says when rules would have fired. It encodes as `casebook rules test --json`.
type Replayed struct {
	Schema  int       `json:"schema"`
	Samples int       `json:"samples"`
	From    time.Time `json:"from"`
	To      time.Time `json:"to"`
	Rules   []Outcome `json:"rules"`

	Failed []error `json:"-"` // what could not be read; the rest was replayed
}

// An Outcome is what one rule would have done.
type Outcome struct {
	Rule    string   `json:"rule"`
	Fired   []Firing `json:"fired"`
	Closest []Near   `json:"closest"` // how near its conditions came, if it did not fire
	Last    string   `json:"last"`    // its state at the end
}

// A Firing is one time that a rule would have fired.
type Firing struct {
	Time   time.Time `json:"time"`
	Signal string    `json:"signal"`
	Value  float64   `json:"value"`
	Text   string    `json:"text"`
}

// A Near is how near one condition came.
type Near struct {
	Condition string     `json:"condition"`
	Time      *time.Time `json:"time,omitempty"`
	Text      string     `json:"text"`
}

// Fired reports whether a rule fired.
func (r *Replayed) Fired() bool {
	return slices.ContainsFunc(r.Rules, func(o Outcome) bool { return len(o.Fired) > 0 })
}

// Replay replays recorded vitals through rules. The rules may name the recording's own signals.
func Replay(r ReplayRequest) (*Replayed, error) {
	rec := readRecording(r.On, r.Opened)
	rules, err := casework.ReadRules(r.Rules, rec.catalog)
	if err != nil {
		return nil, err
	}
	if len(rec.samples) == 0 {
		return nil, errors.Join(append(rec.failed, errors.New("there are no samples to replay"))...)
	}
	outcomes, err := rule.Replay(rules, rec.samples, rec.catalog, rec.absent)
	if err != nil {
		return nil, err
	}
	first, last := rec.samples[0].Time, rec.samples[len(rec.samples)-1].Time
	out := &Replayed{Schema: 1, Samples: len(rec.samples), From: first.UTC(), To: last.UTC(), Failed: rec.failed,
		Rules: make([]Outcome, len(outcomes))}
	for i := range outcomes {
		out.Rules[i] = outcomeOf(&outcomes[i])
	}
	return out, nil
}

func outcomeOf(o *rule.Outcome) Outcome {
	// Lists are [] and not null, because programs iterate.
	out := Outcome{Rule: o.Rule.Name, Last: o.Last, Fired: []Firing{}, Closest: []Near{}}
	for _, f := range o.Firings {
		out.Fired = append(out.Fired, Firing{f.Time.UTC(), f.Signal.Name, f.Value, f.Text})
	}
	for _, n := range o.Closest {
		near := Near{Condition: n.Condition, Text: n.Text}
		if !n.Time.IsZero() {
			at := n.Time.UTC()
			near.Time = &at
		}
		out.Closest = append(out.Closest, near)
	}
	return out
}

// A recording is the samples of several files, in the order of time.
type recording struct {
	samples []vitals.Sample
	catalog *vitals.Catalog // of the signals that any of the files has
	absent  map[string]string
	failed  []error
}

func readRecording(paths []string, o *Opened) recording {
	rec := recording{absent: make(map[string]string)}
	if o != nil {
		rec.addOpened(o)
	}
	for _, path := range paths {
		if casework.IsCase(path) {
			rec.addCase(path)
			continue
		}
		f, err := openfile.Open(path)
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
	h, samples, err := vitals.ReadJSONL(io.LimitReader(r, maxFile))
	if err != nil {
		rec.failed = append(rec.failed, fmt.Errorf("%s: %w; vitals are JSON lines, as in a case's vitals-before.jsonl",
			name, err))
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
	rec.addFolder(path, f)
}

func (rec *recording) addFolder(name string, f *casefile.Folder) {
	found := false
	for _, e := range f.Case.Evidence {
		if e.Kind != casefile.Vitals {
			continue
		}
		found = true
		data, err := f.Read(e.File)
		if err != nil {
			rec.failed = append(rec.failed, fmt.Errorf("reading vitals: %w", err))
			continue
		}
		rec.add(filepath.Join(name, e.File), bytes.NewReader(data))
	}
	if !found {
		rec.failed = append(rec.failed, fmt.Errorf("the case %s holds no vitals", name))
	}
}

// addOpened adds the vitals of a case, or the files of vitals in a folder.
func (rec *recording) addOpened(o *Opened) {
	if o.Case != nil {
		rec.addFolder(o.Name, o.Case)
		return
	}
	names, err := fs.Glob(o.Files, "vitals*.jsonl")
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s holds no vitals: none of its files is called vitals*.jsonl", o.Name)
	}
	if err != nil {
		rec.failed = append(rec.failed, err)
	}
	for _, name := range names {
		r, err := o.Files.Open(name)
		if err != nil {
			rec.failed = append(rec.failed, fmt.Errorf("reading vitals: %w", err))
			continue
		}
		rec.add(name, r)
		_ = r.Close() // it was only read
	}
}
