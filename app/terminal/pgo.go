package terminal

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/gocasebook/casebook/app/pgo"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// PGO prints what a profile for the compiler is worth, on 80 columns.
func (p *Printer) PGO(file string, bytes int64, r *pgo.Report) {
	p.Text("", fmt.Sprintf("%s of %s on %s in %s%s", number.Things(r.Ticks, "sample"),
		number.Things(r.Profiles, "CPU profile"), number.Things(r.Hosts, "host"), number.Things(r.Votes, "host-hour"),
		spanText(r.From, r.To)))
	fmt.Fprintln(p.W)
	p.row("match", matchText(r))
	for _, l := range lost(r.Match) {
		p.row("", l)
	}
	p.row("age", ageText(r.Age))
	p.row("representative", likenessText(&r.Likeness))
	p.row("Go code", fmt.Sprintf("%s of the CPU; the rest is system calls, the collector and the scheduler, which a "+
		"profile does not speed up", number.Percent(r.GoShare)))
	for _, g := range r.Gaps {
		p.row("not judged", g)
	}
	fmt.Fprintln(p.W)
	p.row(string(r.Verdict)+":", pgoAdvice(r))
	for _, reason := range r.Reasons {
		p.row("", reason)
	}
	if file != "" {
		p.row("written", fmt.Sprintf("%s (%s)", file, number.Bytes(float64(bytes))))
	}
	if r.Useful() && file != "" {
		p.row("next", nextText(file))
	}
}

// PGOProof prints what the measurement of a service says of a profile.
func (p *Printer) PGOProof(proof casefile.Proof, worth bool) error {
	fmt.Fprintln(p.W)
	if err := Proof(p.W, proof); err != nil {
		return err
	}
	fmt.Fprintln(p.W)
	switch {
	case worth:
		p.row("worth it:", "the service built with the profile is better in what decides.")
	case proof.Verdict == casefile.CannotTell:
		p.row("cannot tell:", "measure for longer with --max-time, or at a higher --rate.")
	case proof.Verdict == casefile.Worse:
		p.row("not worth it:", "the service built with the profile is worse: delete the file, or build with -pgo=off.")
	default:
		p.row("not worth it:", "no difference was measured, and a build with a profile takes longer: delete the file, or "+
			"build with -pgo=off.")
	}
	return nil
}

func (p *Printer) row(label, text string) { p.Text(fmt.Sprintf("%-15s", label), text) }

func spanText(from, to time.Time) string {
	switch {
	case from.IsZero():
		return ", at times that they do not say"
	case to.Sub(from) < time.Minute:
		return ", " + from.UTC().Format("2 January 2006 15:04")
	}
	return fmt.Sprintf(", %s to %s", from.UTC().Format("2 January 2006 15:04"), to.UTC().Format("2 January 2006 15:04"))
}

func matchText(r *pgo.Report) string {
	m := r.Match
	if m == nil {
		return "not known: there is no source to hold it against"
	}
	text := fmt.Sprintf("%s of the calls' weight is where the source has it now", number.Percent(m.Share))
	if m.Functions-m.Share > 0.005 {
		text += fmt.Sprintf("; of %s the function exists", number.Percent(m.Functions))
	}
	return text + fmt.Sprintf(" (own code %s, dependencies %s, standard library %s)", number.Percent(m.Own.Share),
		number.Percent(m.Dependency.Share), number.Percent(m.Standard.Share))
}

// lost says which functions a profile does not match.
func lost(m *pgo.Match) (lines []string) {
	if m == nil {
		return nil
	}
	for _, l := range m.Lost {
		what := "its lines moved"
		if l.Gone {
			what = "gone"
		}
		if l.Weight >= 0.01 {
			lines = append(lines, fmt.Sprintf("lost %s: %s, %s", number.Percent(l.Weight), l.Function, what))
		}
	}
	return lines
}

func ageText(a *pgo.Age) string {
	if a == nil {
		return "not known"
	}
	since := "the build's revision"
	if a.Guessed {
		since = "the time of the first profile"
	}
	return fmt.Sprintf("%s since %s, %d of them to the %s with hot functions", number.Things(a.Commits, "commit"), since,
		a.Hot, number.Things(a.Files, "file"))
}

func likenessText(l *pgo.Likeness) string {
	if !l.Known() {
		return "not known: " + l.Reason
	}
	return fmt.Sprintf("before and after %s they have %s in common, of %s that samples of this number can",
		l.Until.UTC().Format("2 January 15:04"), number.Percent(l.Overlap), number.Percent(l.Ceiling))
}

func pgoAdvice(r *pgo.Report) string {
	switch r.Verdict {
	case pgo.Good:
		return "build with it"
	case pgo.NotCompared:
		return "name the main package with --main to learn more"
	}
	return "do not build with it yet"
}

// nextText is how to learn what it brings: the go command of a build without it, and of one with it.
func nextText(file string) string {
	return fmt.Sprintf("measure it with --prove, or build with -pgo=%s", filepath.Base(file))
}
