package diagnose

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// FilesScale is in shares of the files and connections that the process may have open. At half of them a burst of
// twice as many is too much; 85 % trips the rule open-files.
func FilesScale() Scale { return Scale{Worth: 0.5, Hurts: 0.85, Top: 0.98} }

const (
	filesHeld = 5 * time.Second // for which as many are open: as the rule open-files
	filesMore = 20              // that a growth must be, and a tenth
)

func fdLimit() Detector {
	return Detector{
		ID:    "IO005",
		Kind:  "fd-limit",
		Title: "The process runs out of file descriptors",
		Text: `Compares open files and connections (open_files in the vitals), the lowest number of five seconds, with
the soft limit: worth knowing from half of it, hurting from 85 %. It grows where the slope through the vitals is
certain (99 %).

Goroutines tell what is open where half of them wait for the network at one place, and they are half as many as what is
open. Otherwise the user's lines that open files, start processes or dial are named; whether they close them no profile
shows. Without the vitals, or without a limit, nothing is found.`,
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

// filesWith is by how many the open files and connections rose, if they did in a straight line and as fast as a number
// of goroutines: one for each, or one more or less; 0 where not.
func filesWith(r *Reading, g rise) float64 {
	u, ok := newFDUse(r)
	if !ok || u.perSecond <= 0 || g.after-g.before < riseLeast {
		return 0
	}
	if each := u.more / u.span.Seconds() * g.apart.Seconds() / float64(g.after-g.before); each < 0.4 || each > 2.5 {
		return 0
	}
	return u.more
}

func runFDLimit(_ context.Context, r *Reading) Answer {
	u, ok := newFDUse(r)
	score := FilesScale().Score(u.share())
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
		Explanation: "At the limit nothing is accepted, opened or dialled (\"too many open files\"), at any line.",
		Where:       held.where,
		Impact: casefile.Impact{Resource: "files", Share: roundShare(u.share()),
			Text: count(u.open) + " descriptors in use"},
		Evidence: vitalsBasis(r),
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

// fdMost is the part of all goroutines that those at one place must be, and of what is open that all must be, for the
// rest not to matter. The profile may be of another moment than the last sample.
const fdMost = 0.5

// A fdHolding is who has descriptors, as far as the evidence tells.
type fdHolding struct {
	part   float64 // of the goroutines, which wait for a connection each; 0 where what is open shows in none
	what   string  // "connections to the HTTP server that are idle between requests"
	client bool    // the process dialled
	where  []casefile.Frame
}

// fdHolder looks for goroutines that wait for the network, and else for lines that open.
func fdHolder(r *Reading, u *fdUse) (h fdHolding) {
	set := r.Goroutines()
	if set == nil || u.goroutines < fdMost*u.open {
		return fdHolding{where: openingLines(r)}
	}
	all := float64(set.Total(set.Count()))
	for _, p := range r.Piles(set) {
		what, library := idleConnection(r.Table, p)
		client := library && r.Table.Has(p.Stack, withWork(known.ReadsForHTTP))
		part := float64(p.N) / all
		if client {
			part = min(2*part, 1) // another goroutine of each writes
		}
		if p.Wait != stacks.WaitNetwork && !client || part < fdMost {
			continue
		}
		h = fdHolding{part: part, what: what, client: client}
		switch {
		case client:
			h.where = connCallers(r, connKinds()[0])
		case !library:
			h.what = "connections, each with a goroutine"
		}
		if len(h.where) == 0 {
			h.where = []casefile.Frame{r.Frame(p.At, h.part, "waits for its connection (share of the goroutines)")}
		}
		return h
	}
	return fdHolding{where: openingLines(r)}
}

// openingLines are the user's lines that call them: by what the calls allocated since the start, and else by CPU.
func openingLines(r *Reading) []casefile.Frame {
	line := r.Funcs(withWork(known.OpensDescriptor)).Line(r.Table)
	var es []stacks.Entry[stacks.FrameID]
	if h := r.heap(); h != nil {
		es = stacks.SumBy(h.set, stacks.ByValue(h.set.Value("alloc_space", "bytes")), line)
	}
	if v := r.cpu(); v != nil && len(es) == 0 {
		es = stacks.SumBy(v.set, v.weight, line)
	}
	return r.Frames(es, 2, stacks.SumOf(es), "opens files or connections (share of what that costs)")
}

// inTitle names the first place.
func (h *fdHolding) inTitle() string {
	if len(h.where) == 0 {
		return ""
	}
	verb := "opens some"
	if h.part > 0 {
		verb = "has most"
	}
	return fmt.Sprintf("; %s %s", short(h.where[0].Function), verb)
}

func (h *fdHolding) text() string {
	if h.part == 0 {
		return "no goroutine waits for most of them: files, processes, or connections that are kept"
	}
	return fmt.Sprintf("%s of the goroutines wait for one each: %s", percent(h.part), h.what)
}

// remedies close what is not used where the number grows or the process dialled; otherwise the limit is what is wrong.
func (h *fdHolding) remedies(u *fdUse) []casefile.Remedy {
	place := "what opens them"
	if len(h.where) > 0 {
		w := h.where[0]
		place = frameText(w)
	}
	raise := raiseFiles(powerAbove(4 * u.open))
	switch {
	case h.part > 0 && !h.client && u.perSecond == 0:
		return remediesAt(place, raise, endIdle())
	case h.part > 0 && !h.client:
		return remediesAt(place, endIdle(), raise)
	}
	return remediesAt(place, closeFiles(), raise)
}

// fdRemedies are all, as the detector's documentation lists them.
func fdRemedies() []Remedy { return []Remedy{closeFiles(), endIdle(), raiseFiles(65536)} }

func closeFiles() Remedy {
	return byChange("", "Close what is opened, or keep a few", "At {line}: defer Close where it is used once, Wait for each "+
		"process that was started, and an LRU that closes for what is used again. ls -l /proc/PID/fd says what is open.",
		"what was closed is opened again when it is needed")
}

func endIdle() Remedy {
	return byChange("", "End connections that say nothing", "For {line}: http.Server.IdleTimeout, or SetReadDeadline with a "+
		"ping in a protocol of your own. golang.org/x/net/netutil.LimitListener keeps room for the rest.",
		"clients connect again")
}

func raiseFiles(n int) Remedy {
	return byValue("", fmt.Sprintf("Raise the limit to %d", n), fmt.Sprintf("LimitNOFILE=%d in systemd, --ulimit "+
		"nofile=%d in Docker: four times what is open.", n, n), "memory for each connection; a leak is noticed later")
}
