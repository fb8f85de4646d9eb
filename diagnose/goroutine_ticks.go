package diagnose

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/view"
)

// wakesLeast is how many wake-ups a second are worth a word: at 2 to 5 µs each (timer, scheduler and thread, see
// cpu-runtime) ten thousand take some hundredths of a core. Three thousand sessions that ping each 5 s make 600, as
// many that look each 100 ms make 30,000.
const wakesLeast = 10_000

// wakesOf is how often a second timers wake the goroutines of a pile, if that is most of what is woken in the trace and
// what the runtime does to run goroutines is much of the CPU; else 0: what they do at each tick costs more.
func wakesOf(r *Reading, p *view.Pile) float64 {
	s, v, all := r.Summary(), r.cpu(), int64(0)
	e := endsAt(r, p.At)
	for _, o := range s.Ends {
		all += o.Count
	}
	if v == nil || s.Span <= 0 || 10*e.Timed < 9*e.Count || 2*e.Count < all ||
		v.sum(handedOver(r, v))/v.total < cpuRuntimeScale().Worth {
		return 0
	}
	if rate := float64(e.Count) / s.Span.Seconds(); rate >= wakesLeast {
		return rate
	}
	return 0
}

// wakesForLittle makes a finding one of goroutines of which each has a timer of its own: as many as there were, so that
// they are no leak, and what they cost is being woken.
func wakesForLittle(r *Reading, f casefile.Finding, p *view.Pile, rate float64) casefile.Finding {
	v, at := r.cpu(), r.Place(p.At)
	share, each := v.sum(handedOver(r, v))/v.total, seconds(float64(p.N)/rate)
	f.Title = fmt.Sprintf("Timers wake %s goroutines at %s %s times a second", count(p.N), at, count(rate))
	f.Summary += fmt.Sprintf(" Each is woken about every %s, by a timer: %s times a second in all. Timers and "+
		"scheduling take %s of the CPU.", each, count(rate), percent(share))
	f.Explanation = "A wake-up costs some microseconds of timers, scheduler and threads, whatever is done then, and " +
		"each goroutine keeps a stack and a timer for the whole time."
	f.Impact = casefile.Impact{Resource: "cpu", Share: roundShare(share), Text: percent(share) + " of the CPU",
		Gain: halfAtLeast(share, percent(share)+" of the CPU is for waking them")}
	f.Evidence = append(f.Evidence, traceBasis(r)...)
	start := "where they are started"
	if id, ok := mostOf(p.Started); ok {
		start = "at " + r.Place(id)
		f.Where = append(f.Where, r.Frame(id, 0, "starts them"))
	}
	f.Remedies = []casefile.Remedy{
		doChange("One ticker for all", fmt.Sprintf("In place of a goroutine for each, %s: one goroutine with one Ticker "+
			"that goes through all at each tick (for _, x := range all), and does what each did at %s. What can block "+
			"there gets a goroutine for as long as it takes.", start, at), "all are looked at one after the other"),
		doChange("Look when somebody asks", "What only follows from the time that has passed (an age, a state, whether it has "+
			"expired) can be reckoned from a kept time when it is asked for, with no timer at all.", "none"),
		setValue("A longer interval", fmt.Sprintf("Twice the interval of what ticks at %s is half of the wake-ups.", at),
			"it is noticed later"),
	}
	return f
}
