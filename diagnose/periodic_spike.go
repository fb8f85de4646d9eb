package diagnose

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// spikeScale is in times the latency between the spikes. Twice is seen in a chart. At ten times the slowest requests
// are those of the spikes alone, and what callers wait for them is chosen by the spikes.
func spikeScale() Scale { return Scale{Worth: 2, Hurts: 10, Top: 50} }

func periodicSpike() Detector {
	return Detector{
		ID:    "LAT001",
		Kind:  "periodic-spike",
		Title: "Requests are slow at the same moment of every period",
		Text: `Folds the latency of requests (the 99th percentile of each second, or how long the process takes to
answer the sampler) at periods from 8 samples to a third of the vitals, and looks for a part of the period in which it
is high. Each period is judged for itself, with the part chosen by the others: the probability that all of them are high
there by chance, times the number of periods tried, must be below 0.01, and 70 % of the periods must have the spike,
three at least (see vitals.FindPulse). Gaps do no harm. Random spikes, a trend, a deploy are none. The latency must be
twice as high in the spikes, and reach 20 ms in half of them; worth knowing from twice, hurting from ten times.

Then everything else is folded at that period. If requests come 1.5 times as often in the spikes, the load is the cause:
a notice. If only collections come more often, the kinds about the collector judge them. Otherwise it names the line at
which most requests were in what was captured during a spike, or that used most of the CPU then. Requests that load what
a cache lacks are expiry-stampede. Without anything captured in a spike it is a notice, and says so.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals}, Reason: "no vitals",
			Why: "only their course shows what comes back", Capture: captureWatch}},
		Before: `// requests wait for mu meanwhile
for range time.Tick(time.Minute) { mu.Lock(); prices = readAll(); mu.Unlock() }`,
		After:    `for range time.Tick(time.Minute) { next := readAll(); mu.Lock(); prices = next; mu.Unlock() }`,
		Explains: related(nil, "goroutine-surge"),
		Follows:  "entries that end together are loaded together, and requests wait for that",
		Run:      runPeriodicSpike,
	}
}

func runPeriodicSpike(_ context.Context, r *Reading) Answer {
	s := r.spikes()
	if s == nil {
		return Answer{}
	}
	switch {
	case s.change.byLoad():
		return found(s.loadFinding())
	case s.change.byCollector(), s.stampede() != nil:
		return Answer{}
	}
	return found(s.ownFinding(r))
}

// finding is what all findings about spikes have in common.
func (s *spikes) finding() casefile.Finding {
	f := casefile.Finding{
		Score:      min(spikeScale().Score(s.In/s.Between), capUnsure),
		Confidence: min(1-s.Chance, float64(s.Hits)/float64(s.Cycles), 0.95),
		Evidence: []casefile.Basis{{File: "vitals", Kind: casefile.Vitals,
			Text: things(float64(len(s.samples)), "sample") + ", folded at " + number.Setting(s.every())}},
	}
	if s.tail != nil {
		f.Score = min(slowTailScale().Score(s.tail.times()), capUnsure)
		f.Evidence[0].File, f.Evidence[0].Kind = "course", casefile.Course
	}
	f.Summary = fmt.Sprintf("Requests are slow %s, %s: %s.", s.when(), s.seen(), s.level())
	if text := s.change.text(); text != "" {
		f.Summary += " " + text
	}
	f.Impact = s.impact()
	return f
}

// impact is what the spikes cost: the part of what the slowest requests take that those between them do not. They
// decide about the slowest hundredth if they are a hundredth of the time or more.
func (s *spikes) impact() casefile.Impact {
	all := 1 - s.Between/s.In
	if s.tail != nil {
		all = 1 - 1/s.tail.times()
	}
	i := casefile.Impact{Resource: "latency", Share: roundShare(all), Text: fmt.Sprintf(
		"%s of what the slowest take; %s of the time, and of the requests, is in the spikes", percent(all),
		percent(s.share()))}
	if s.tail != nil {
		i.Gain = s.tail.hedged()
		i.Gain.Arithmetic = fmt.Sprintf("without spikes the slowest hundredth takes 3 to 12 times the median of %s, "+
			"instead of %s", seconds(s.tail.p50), seconds(s.tail.p99))
		return i
	}
	if s.share() < 0.01 || s.Between >= s.In {
		return i
	}
	i.Gain = casefile.Gain{Low: roundShare(all / 2), High: roundShare(all), Arithmetic: fmt.Sprintf(
		"without spikes the slowest hundredth takes what it takes between them, %s instead of %s; half of that if a "+
			"part of the work remains", seconds(s.Between), seconds(s.In))}
	return i
}

// loadFinding is for requests that come in the spikes.
func (s *spikes) loadFinding() casefile.Finding {
	f := s.finding()
	in, between, _ := s.Medians(s.samples, vitals.HTTPRate)
	f.Title = fmt.Sprintf("Requests come all at once every %s, and are slow then", number.Setting(s.every()))
	f.Score = min(f.Score, capNotice)
	f.Explanation = "Callers that work on a schedule all begin at the same second: jobs at full minutes, clients " +
		"that poll with one interval and were started together. The service does for each request what it always " +
		"does."
	// The excess, spread so that it adds half of what comes anyway.
	spread := min(max((in-between)*s.Width/(between/2), s.Width), s.Period)
	wait := time.Duration(spread * float64(time.Second)).Round(time.Second)
	f.Remedies = []casefile.Remedy{
		setValue(fmt.Sprintf("Let each caller wait a random time of up to %s", number.Setting(wait)), fmt.Sprintf(
			"%s requests a second come in the spikes and %s between them; spread over %s they add half to what comes "+
				"anyway. A cron job sleeps a random time first (systemd: RandomizedDelaySec=%d); a client that polls "+
				"begins at a random moment of its interval.", count(in), count(between), number.Setting(wait),
			int(wait.Seconds())), "answers of scheduled work come later"),
		doChange("Bound how many are answered at a time", "A semaphore before the work refuses or delays the excess "+
			"at once, so that requests of others are not behind it.", "some callers must try again"),
	}
	return f
}

// ownFinding is for spikes that the service makes itself, or what it calls.
func (s *spikes) ownFinding(r *Reading) casefile.Finding {
	f := s.finding()
	f.Title = fmt.Sprintf("Requests are slow %s of every %s", seconds(s.Width), number.Setting(s.every()))
	f.Explanation = "What comes back at an even pace is scheduled: a ticker, a cron job, entries of a cache that end " +
		"together, or a job of something that the requests need. It is not load: requests come as often as between."
	if s.waits == nil && s.works == nil {
		f.Score = min(f.Score, capNotice)
		f.Summary += " Nothing was captured in a spike, so that the line is not known."
		f.Remedies = []casefile.Remedy{doChange("Capture in a spike", "casebook watch opens a case in the next one "+
			"(rule latency-spikes), or casebook capture then; the goroutines and the CPU of that moment show who "+
			"works and who waits.", "none")}
		f.Impact.Gain = casefile.Gain{} // of a capture there is none
		return f
	}
	s.name(r, &f)
	return f
}

// name adds whose line it is, and what to do there.
func (s *spikes) name(r *Reading, f *casefile.Finding) {
	waits, works := s.waits, s.works
	job := works != nil && !works.serves && works.loads == ""
	for _, p := range []*spikePlace{works, waits} {
		if p != nil {
			f.Where = append(f.Where, p.frame(r))
			f.Summary += " " + p.text(r)
			f.Evidence = append(f.Evidence, Basis(p.set)...)
		}
	}
	switch {
	case job:
		at := r.Place(works.at)
		f.Title = fmt.Sprintf("A job at %s makes requests slow every %s", at, number.Setting(s.every()))
		f.Remedies = jobRemedies(at, waits)
	case waits != nil && waits.wait.ForLock():
		f.Title = fmt.Sprintf("Requests queue at the lock of %s every %s", r.Place(waits.at), number.Setting(s.every()))
		f.Remedies = jobRemedies(r.Place(waits.at), waits)
	case waits != nil && waits.calls != "":
		at := r.Place(waits.at)
		f.Title = fmt.Sprintf("What is called at %s is slow every %s", at, number.Setting(s.every()))
		f.Remedies = []casefile.Remedy{
			doChange("Look at the service that is called", fmt.Sprintf("At %s requests wait for %s. Its own jobs at "+
				"this period (a checkpoint, a backup, a "+
				"collection, a cron job) make it late.", at, waits.calls), "none"),
			doChange("Give the call a deadline and an answer without it",
				"An old answer for the seconds of the spike is better than none "+
					"(github.com/gocasebook/casebook/remedy/cache serves old answers while it refreshes).",
				"answers are older in the spikes"),
		}
	default:
		p := works
		if p == nil {
			p = waits
		}
		f.Title = fmt.Sprintf("Requests do more at %s every %s", r.Place(p.at), number.Setting(s.every()))
		f.Score = min(f.Score, capUnsure)
		f.Remedies = []casefile.Remedy{
			doChange("If this fills what ended together, let it end at different times",
				fmt.Sprintf("At %s: subtract a random part of up to %s from each lifetime, and load once for all who "+
					"ask.", r.Place(p.at),
					number.Setting(s.jitter(r))), "entries are loaded a little more often"),
			doChange("If other requests come then, bound them",
				"Requests of another kind, a report or an export, come at this period: "+
					"let few of them run at a time.", "they take longer"),
		}
	}
}

// jobRemedies are for work of the service's own that delays requests.
func jobRemedies(at string, waits *spikePlace) []casefile.Remedy {
	out := []casefile.Remedy{
		doChange("Do the work in small steps", fmt.Sprintf("At %s: a part at a time, with a pause after each, over "+
			"the whole period instead of at once (a time.Ticker per part; golang.org/x/time/rate bounds it).", at),
			"the result is complete later"),
		doChange("Change only what changed", "Read what is new since the last time instead of all of it.",
			"code that keeps track"),
	}
	if waits != nil && waits.wait.ForLock() {
		out = append([]casefile.Remedy{doChange("Do not hold the lock meanwhile", fmt.Sprintf("At %s: build the new "+
			"state without the lock, then take it to exchange a pointer (atomic.Pointer needs none).", at),
			"two states in memory meanwhile")}, out...)
	}
	return out
}

// frame is the place as the finding shows it.
func (p *spikePlace) frame(r *Reading) casefile.Frame {
	role := "takes this share of the CPU in the spike"
	if p.n > 0 {
		role = "is where requests are in the spike"
	}
	return r.Frame(p.at, p.share, role)
}

// text says what was captured at the place.
func (p *spikePlace) text(r *Reading) string {
	at := r.Place(p.at)
	if p.n == 0 {
		return fmt.Sprintf("%s of the CPU in a spike is used at %s.", percent(p.share), at)
	}
	doing := p.wait.String()
	if p.calls != "" {
		doing = "waiting for " + p.calls
	}
	return fmt.Sprintf("In a spike %s of the requests in progress, %s, are at %s, %s.", percent(p.share),
		count(float64(p.n)), at, doing)
}

// jitter is the part of a lifetime that should be random. Where the spike uses CPU, the work of a spike takes half of
// the CPU that is free between spikes over so long; that is a tenth of the period at least. Else it is half of the
// period, and never more: entries would be loaded twice as often.
func (s *spikes) jitter(r *Reading) time.Duration {
	spread := s.Period / 2
	in, between, ok := s.Medians(s.samples, vitals.CPU)
	if free := r.Limits.CPUs - between; ok && free > 0 && in >= spikeWork*between {
		spread = min(max((in-between)*s.Width/(free/2), s.Period/10, s.Width), s.Period/2)
	}
	if spread < 1 {
		return time.Duration(spread * float64(time.Second)).Round(10 * time.Millisecond)
	}
	return time.Duration(spread * float64(time.Second)).Round(time.Second)
}

// forLoad reports whether a place loads what a cache lacks.
func (p *spikePlace) forLoad() bool { return p != nil && p.loads != "" }

// named is the function to change: what loads, if it is known.
func (p *spikePlace) named() stacks.FrameID {
	if p.by != stacks.NoFrame {
		return p.by
	}
	return p.at
}
