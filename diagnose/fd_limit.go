package diagnose

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// filesScale is in shares of the files and connections that the process may have open. At half of them a burst of
// twice as many is too much; 85 % trips the rule open-files.
func filesScale() Scale { return Scale{Worth: 0.5, Hurts: 0.85, Top: 0.98} }

const (
	filesHeld = 5 * time.Second // for which as many are open: as the rule open-files
	filesMore = 20              // that a growth must be, and a tenth
)

func fdLimit() Detector {
	return Detector{
		ID:    "IO005",
		Kind:  "fd-limit",
		Title: "The process runs out of file descriptors",
		Text: `Compares the open files and connections with the soft limit of the process (the vitals' open_files and
open_files_share): the lowest number of the last five seconds, because a burst goes by. Worth knowing from half of the
limit, hurting from 85 %; at the limit nothing is accepted, opened or dialled any more. Whether the number grows is told
by a line through the vitals whose slope is certain (99 %).

What is open is told by goroutines, where one waits for each connection: those that wait for the network at one place
must be half of all goroutines, and all goroutines half as many as what is open. Otherwise the user's lines that open
files, start processes or dial are named, as far as heap and CPU profiles show them; whether they close what they open
no profile shows.

Without the vitals, or without a limit, nothing is found.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals}, Reason: "no vitals",
			Why: "profiles do not show what is open", Capture: captureWatch}},
		Before:         `logs[tenant], err = os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600) // and never closed`,
		After:          `logs.Add(tenant, f) // an LRU of 100, whose OnEvicted closes the file`,
		Remedies:       fdRemedies(),
		IsWholeProcess: true,
		Follows:        "each that is not closed is a descriptor",
		Effect:         "Descriptors run out",
		Run:            runFDLimit,
	}
}

// A fdUse is how many files and connections are open.
type fdUse struct {
	open, limit float64 // open: the lowest number of the last filesHeld
	last        float64 // number
	goroutines  float64 // at the end; 0 where that is not known
	perSecond   float64 // by which it grows; 0 where that is not certain
	more        float64 // than at first
	span        time.Duration
}

func (u *fdUse) share() float64 { return min(u.open/u.limit, 1) }

// left is how long it takes to the limit at this rate.
func (u *fdUse) left() time.Duration {
	return time.Duration(max(u.limit-u.last, 0) / u.perSecond * float64(time.Second))
}

func newFDUse(r *Reading) (u fdUse, ok bool) {
	files := signalOf(r, vitals.OpenFiles)
	share, limited := lastOf(r, vitals.OpenFilesShare)
	if len(files.values) == 0 || !limited || share <= 0 {
		return u, false
	}
	last, first := files.last(), files.values[0]
	u = fdUse{open: last, last: last, limit: last / share, more: files.rise(), span: files.span()}
	u.goroutines, _ = lastOf(r, vitals.Goroutines)
	end := r.Vitals[len(r.Vitals)-1].Time
	var at []float64
	for i, t := range files.times {
		at = append(at, t.Sub(r.Vitals[0].Time).Seconds())
		if end.Sub(t) <= filesHeld {
			u.open = min(u.open, files.values[i])
		}
	}
	if low, _ := vitals.FitLine(at, files.values).SlopeBounds(); low > 0 && u.more >= max(filesMore, first/10) {
		u.perSecond = low
	}
	return u, u.span >= filesHeld
}

func runFDLimit(_ context.Context, r *Reading) Answer {
	u, ok := newFDUse(r)
	score := filesScale().Score(u.share())
	if !ok || score < worthKnowing {
		return Answer{}
	}
	held := fdHolder(r, &u)
	f := casefile.Finding{
		Title: fmt.Sprintf("%s of the files and connections that the process may have are open%s", percent(u.share()),
			held.inTitle()),
		Score: score, Confidence: 0.95,
		Summary: joined(fmt.Sprintf("For %s, %s or more of %s file descriptors are in use",
			seconds(filesHeld.Seconds()), count(u.open), count(u.limit)), u.growth(), held.text()) + ".",
		Explanation: "At the limit, nothing is accepted, opened or dialled any more (\"too many open files\"): " +
			"requests fail at lines that have nothing to do with what is open.",
		Where: held.where,
		Impact: casefile.Impact{Resource: "files", Share: roundShare(u.share()),
			Text: count(u.open) + " descriptors in use"},
		Evidence: []casefile.Basis{{File: "vitals", Kind: casefile.Vitals,
			Text: things(float64(len(r.Vitals)), "sample")}},
		Remedies: held.remedies(&u),
	}
	return found(f)
}

// growth says since when and for how long it can go on; "" where it does not grow.
func (u *fdUse) growth() string {
	if u.perSecond == 0 {
		return ""
	}
	text := fmt.Sprintf("%s more than %s before", count(u.more), number.Duration(u.span))
	if left := u.left(); left > 0 && left < 24*time.Hour {
		text += fmt.Sprintf(", and at this rate none is left in %s", number.Duration(left.Round(time.Second)))
	}
	return text
}
