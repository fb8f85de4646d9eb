package anonymize

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A Result is an anonymized case without a diagnosis, which the caller has to make, and what it lacks.
type Result struct {
	Folder *casefile.Folder
	// LeftOut says what of the case has no counterpart, for the person who exports: its names are those of the
	// original.
	LeftOut []string
}

// Case writes an anonymized copy of a case into the folder dir, as a case with its own ID. Attachments, the
// proof, the opinions and the diagnosis are not in it.
func Case(f *casefile.Folder, dir string, o Options) (*Result, error) {
	n, err := newNames(o)
	if err != nil {
		return nil, err
	}
	if damaged := f.Verify(); len(damaged) > 0 {
		return nil, errors.Join(damaged...)
	}
	w, err := casefile.Dir(dir).Create(n.head(&f.Case))
	if err != nil {
		return nil, err
	}
	res := &Result{}
	for i := range f.Case.Evidence {
		e := &f.Case.Evidence[i]
		left, err := n.add(w, f, e, i)
		if err != nil {
			return nil, err
		}
		if left != nil {
			res.LeftOut = append(res.LeftOut, fmt.Sprintf("%s (%s): %v", e.File, e.Kind, left))
		}
	}
	if f.Case.Proof != nil {
		res.LeftOut = append(res.LeftOut, "the proof: it has commands and the load")
	}
	if n := len(f.Case.Opinions); n > 0 {
		res.LeftOut = append(res.LeftOut,
			fmt.Sprintf("opinions (%d): words and code of others, which may name anything", n))
	}
	res.LeftOut = append(res.LeftOut, "attachments; the diagnosis and report.html are made again")
	res.Folder, err = w.Commit()
	return res, err
}

// phases and kinds are the words that a case may have for them.
var (
	phases = []casefile.Phase{casefile.Before, casefile.During, casefile.After}
	kinds  = []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex,
		casefile.Block, casefile.ThreadCreate,
		casefile.Vitals, casefile.Course, casefile.GoroutineLeak, casefile.GoroutineDump, casefile.Trace,
		casefile.Metrics,
		casefile.Runtime, casefile.Neighbours, casefile.Prometheus, casefile.HeapRefs}
)

func known(kind string, phase casefile.Phase) bool {
	return slices.Contains(kinds, kind) && slices.Contains(phases, phase)
}

// head is case.json before there is evidence in it: times and numbers, and what is built in.
func (n *names) head(c *casefile.Case) casefile.Case {
	trigger := n.trigger(c.Trigger)
	out := casefile.Case{
		Opened: c.Opened, Closed: c.Closed, Trigger: trigger,
		Target: casefile.Target{Name: n.word(c.Target.Name), PID: c.Target.PID, Started: c.Target.Started,
			Build: n.build(c.Target.Build), Limits: c.Target.Limits},
	}
	id := casefile.NewID(c.Opened, trigger.Rule)
	out.ID = id[:len(id)-6] + n.suffix(c.ID)
	for _, t := range c.Also {
		out.Also = append(out.Also, n.trigger(t))
	}
	for _, m := range c.Missing {
		if known(m.Kind, m.Phase) {
			out.Missing = append(out.Missing, casefile.Missing{Kind: m.Kind, Phase: m.Phase,
				Reason: "the case did not have it; the reason was cut when the case was anonymized"})
		}
	}
	return out
}

// ruleName returns a rule's name: those of the default rules and of cases that no rule opened stay.
func (n *names) ruleName(name string) string {
	own := func(r rule.Rule) bool { return r.Name == name }
	unruled := slices.Contains([]string{"manual", "signal", "end", "killed"}, name)
	if unruled || slices.ContainsFunc(rule.Default(), own) {
		return name
	}
	return n.word(name)
}

func (n *names) trigger(t casefile.Trigger) casefile.Trigger {
	out := casefile.Trigger{Rule: n.ruleName(t.Rule), Time: t.Time, Signal: n.signal(t.Signal), Value: t.Value,
		Ended: t.Ended}
	for _, s := range t.Signals {
		out.Signals = append(out.Signals, n.signal(s))
	}
	out.Text = "the text was cut when the case was anonymized"
	if unit := vitals.Unit(t.Unit); unit.Known() {
		out.Unit = t.Unit
		if out.Signal != "" {
			out.Text = fmt.Sprintf("%s was %s", out.Signal, unit.Format(t.Value))
		}
	}
	return out
}

// add rewrites one piece of evidence. left says why there is none of it in the copy.
func (n *names) add(w *casefile.Writer, f *casefile.Folder, e *casefile.Evidence, i int) (left, err error) {
	if !known(e.Kind, e.Phase) {
		return errors.New("its kind is not one of Casebook's"), nil
	}
	data, ext, left := n.evidence(f, e)
	if left != nil {
		w.Missing(e.Kind, e.Phase, "left out when the case was anonymized")
		return left, nil
	}
	return nil, w.Add(casefile.Evidence{
		File: fmt.Sprintf("%s/%02d-%s.%s", e.Phase, i, e.Kind, ext), Kind: e.Kind, Phase: e.Phase,
		Taken: e.Taken, Seconds: e.Seconds, Pause: e.Pause, Collected: e.Collected, GoFormat: ext == "pb.gz",
	}, data)
}

func (n *names) evidence(f *casefile.Folder, e *casefile.Evidence) (data []byte, ext string, err error) {
	switch e.Kind {
	case casefile.Trace:
		return nil, "", errors.New("an execution trace cannot be anonymized: its tasks, regions and logs are the " +
			"program's own words")
	case casefile.HeapRefs:
		return nil, "", errors.New("the summary of a heap dump cannot be anonymized: the names of variables and " +
			"types are the program's own words")
	case casefile.Prometheus:
		return nil, "", errors.New("a page of metrics cannot be anonymized: its names and labels are the program's " +
			"own words")
	}
	if data, err = f.Read(e.File); err != nil {
		return nil, "", err
	}
	switch e.Kind {
	case casefile.Vitals, casefile.Course:
		ext = "jsonl"
		data, err = n.vitals(data)
	case casefile.Metrics, casefile.Runtime:
		ext = "json"
		data, err = n.numbers(data)
	case casefile.Neighbours:
		ext = "json"
		data, err = n.neighbours(data)
	default:
		data, ext, err = n.stacks(data)
	}
	return data, ext, err
}

// stacks rewrites a dump or a profile; the content says which it is.
func (n *names) stacks(data []byte) (out []byte, ext string, err error) {
	if text, err := n.dump(data); err == nil {
		return text, "txt", nil
	}
	out, err = n.profile(data)
	return out, "pb.gz", err
}
