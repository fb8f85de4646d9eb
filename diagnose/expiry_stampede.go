package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/internal/number"
)

func expiryStampede() Detector {
	return Detector{
		ID:    "LAT002",
		Kind:  "expiry-stampede",
		Title: "Entries of a cache end together and are all loaded at once",
		Text: `Spikes of latency that come back at an even pace, as periodic-spike finds them, while requests come as
often as between; and in what was captured during a spike, most requests are where a cache is filled: below the loader
of a library that is known for it (singleflight, groupcache, gcache, ccache, ttlcache, otter, remedy/cache), in a
function whose name says so (load, fetch, fill, refresh, rebuild …) or, with 1.1 times the reads and writes by request
in four of five spikes, at the call of another service. Such requests do something in the spikes that they do not do
between them: the entries that save it have ended. Scored as periodic-spike, up to 74 where only a name or the calls
tell.

Keys with the minute in them end at its full, and so do lifetimes that were all set at one time, at the start or by the
spike before. Random lifetimes spread them; loading once for all who ask, and before the end, takes the rest away.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals}, Reason: "no vitals",
			Why: "only their course shows what comes back", Capture: captureWatch}},
		Before:   `cache.Set(key, v, time.Until(nextMinute)) // all keys end at second 0`,
		After:    `cache.Set(key, v, time.Minute-rand.N(30*time.Second)) // each at its own moment`,
		Explains: related(nil, "goroutine-surge", "gc-assist", "periodic-spike"),
		Absorbs:  related(Mentioned, hotFunction),
		Run:      runExpiryStampede,
	}
}

func runExpiryStampede(_ context.Context, r *Reading) Answer {
	s := r.spikes()
	if s == nil || s.change.byLoad() || s.change.byCollector() {
		return Answer{}
	}
	p := s.stampede()
	if p == nil {
		return Answer{}
	}
	return found(s.stampedeFinding(r, p))
}

// stampede is where what has ended is loaded; nil if nothing shows that it is.
func (s *spikes) stampede() *spikePlace {
	switch {
	case s.waits.forLoad():
		return s.waits
	case s.works.forLoad():
		return s.works
	case s.waits != nil && s.waits.calls != "" && s.change.moreCalls():
		return s.waits
	}
	return nil
}

func (s *spikes) stampedeFinding(r *Reading, p *spikePlace) casefile.Finding {
	f := s.finding()
	named := p.named()
	at, every := r.Place(named), number.Setting(s.every())
	f.Title = fmt.Sprintf("Entries that %s loads end together every %s", short(r.Table.Func(named).Name), every)
	f.Summary += " " + p.text(r)
	if p.loads == "" {
		f.Confidence = min(f.Confidence, 0.8)
	}
	f.Explanation = "Until an entry ends, requests take it from the cache. When all end at once, everybody loads at " +
		"the same time, and the next end is the same for all again: the spike keeps itself together."
	f.Where = append(f.Where, r.Frame(named, p.share, "loads what has ended"))
	if named != p.at {
		f.Where = append(f.Where, p.frame(r))
	}
	f.Evidence = append(f.Evidence, Basis(p.set)...)
	f.Remedies = s.stampedeRemedies(r, at, p)
	return f
}

// stampedeRemedies spread the ends, then save what is loaded twice.
func (s *spikes) stampedeRemedies(r *Reading, at string, p *spikePlace) []casefile.Remedy {
	jitter := number.Setting(s.jitter(r))
	out := []casefile.Remedy{
		setValue(fmt.Sprintf("Subtract a random part of up to %s from each lifetime", jitter), fmt.Sprintf(
			"Where %s puts an entry into the cache: ttl − rand.N(%s); what is loaded at once then comes over that "+
				"time. A key that contains the time must not: take the time out of the key, or add an offset of its "+
				"own to it (hash of the key modulo the period) before it is cut to the period.",
			at, jitter), "entries are loaded a little more often"),
		doChange("Load before the end", "An entry that is asked for shortly before its end is loaded in the "+
			"background, while everybody still gets the old one (github.com/gocasebook/casebook/remedy/cache: "+
			"RefreshAhead).",
			"entries are loaded that nobody may ask for again"),
	}
	if p.loads == "" || namedOnly(p.loads) {
		out = append(out, takePackage("Load once for all who ask",
			fmt.Sprintf("At %s: golang.org/x/sync/singleflight, with the cache's key.", at),
			"one slow load delays all who wait for it"))
	}
	return out
}

// namedOnly reports whether only a function's name says that it loads, and no library.
func namedOnly(loads string) bool {
	for _, name := range known.DoneBy(known.LoadsForCache) {
		if short(name) == loads {
			return false
		}
	}
	return true
}
