package diagnose

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// nearLimitScale is the part of a memory limit that no collection can free: what lives, stacks, and what is not Go's.
// 85 % is where the rule memory-85 takes evidence; at 95 % a burst of requests ends the process.
func nearLimitScale() Scale { return Scale{Worth: 0.85, Hurts: 0.95, Top: 1} }

// beyondLimitScale is what the process would use when the next collection ends, as a part of the limit. Above the limit
// the kernel ends it before; the goal is an estimate, and at a quarter more no estimate is that wrong.
func beyondLimitScale() Scale { return Scale{Worth: 1, Hurts: 1.25, Top: 2} }

const (
	// forcedEvery is after how long the runtime collects by itself (forcegcperiod, runtime/proc.go): a heap that grows
	// so slowly never reaches its goal.
	forcedEvery = 2 * time.Minute
	// ofContainer is what GOMEMLIMIT may be of a container's limit: the Go team's guide to the collector
	// (https://go.dev/doc/gc-guide) leaves 5 to 10 % for what the runtime does not know of.
	ofContainer = 0.9
	// breathes is the free room beside what lives with which a limit on the heap can be kept: with a quarter, cycles
	// run four times as often as at GOGC=100.
	breathes = 1.25
	// risingSpan is how long resident memory must be seen to rise for a time until the limit is reached.
	risingSpan = time.Minute
)

func memLimitNear() Detector {
	return Detector{
		ID:         "MEM008",
		Kind:       "mem-limit-near",
		Title:      "The process is close to its memory limit",
		OtherNames: []string{"mem-pressure"},
		Text: `Adds up what no collection can free: the live heap, stacks, and memory that is not Go's, without pages
of files. Worth knowing from 85 % of the container's limit, hurting from 95 %.

And with the heap's goal in place of what lives: where that is more than the limit, and the process gets there before
the runtime collects by itself (2 min), the kernel ends the process before the collection. Worth knowing from 100 %,
hurting from 125 %, up to 74 unless 90 % of the limit is in use. GOMEMLIMIT is the remedy if a quarter more than what
lives fits below it; with one that fits nothing is said.`,
		Needs: []Need{{Kinds: []string{casefile.Vitals},
			Reason: "no vitals", Why: "what is resident is not in a profile", Capture: captureWatch}},
		Before:         "memory limit 512 MiB, 300 MiB live, GOGC=100: the heap may grow to 600 MiB",
		After:          "GOMEMLIMIT=460MiB: the collector begins before the limit is reached",
		LeadsMinor:     true,
		IsWholeProcess: true,
		Effect:         "The kernel is about to end the process",
		Follows:        "the more memory is held, the less of the limit is left",
		Run:            runMemLimitNear,
	}
}

// A shortage is what a memory limit has to hold, in bytes.
type shortage struct {
	limit  float64 // the container's
	used   float64 // of it, without pages of files
	live   float64 // heap
	goal   float64 // where the heap is when the next collection ends
	stacks float64
	off    float64 // not Go's, without pages of files
}

// stays is what no collection frees.
func (m *shortage) stays() float64 { return m.live + m.stacks + m.off }

// reaches is what the process uses when the next collection ends.
func (m *shortage) reaches() float64 { return max(m.goal, m.live) + m.stacks + m.off }

// goLimit is the GOMEMLIMIT that fits.
func (m *shortage) goLimit() float64 { return ofContainer*m.limit - m.off }

// fits reports whether a limit on Go's memory can be kept.
func (m *shortage) fits() bool { return breathes*m.live+m.stacks <= m.goLimit() }

// newShortage is false where a limit, or what is used of it, is not known.
func newShortage(r *Reading) (m shortage, ok bool) {
	m.limit = float64(r.Limits.MemoryBytes)
	n := len(r.memory)
	if m.limit <= 0 || n == 0 {
		return m, false
	}
	k := &r.memory[n-1]
	files := float64(k.RSS - k.Anonymous - k.Shared)
	m.used = float64(k.Anonymous + k.Shared)
	s := sampleNear(r, k.taken)
	if s == nil {
		return m, false
	}
	held, known := s.Get(vitals.GoMemory)
	m.off = max(m.used-held, 0)
	if last, has := lastOf(r, vitals.RSS); has {
		m.used = max(m.used, last-files)
	}
	m.live, m.goal = r.pace().live, r.pace().goal
	if v, has := lastOf(r, vitals.HeapLive); has {
		m.live = v
	}
	if v, has := lastOf(r, vitals.HeapGoal); has {
		m.goal = max(m.goal, v)
	}
	m.stacks, _ = lastOf(r, vitals.Stacks)
	return m, known && m.used > 0 && m.live > 0
}

func runMemLimitNear(_ context.Context, r *Reading) Answer {
	m, ok := newShortage(r)
	if !ok {
		return Answer{}
	}
	near := nearLimitScale().Score(m.stays() / m.limit)
	beyond := min(beyondLimitScale().Score(m.reaches()/m.limit), capUnsure)
	if m.used >= 0.9*m.limit {
		beyond = beyondLimitScale().Score(m.reaches() / m.limit)
	}
	rate, known := r.Mean(vitals.AllocRate)
	if now, _ := lastOf(r, vitals.HeapAlloc); !known || m.goal-now > rate*forcedEvery.Seconds() {
		beyond = 0 // the runtime collects before the heap gets to its goal
	}
	score := max(near, beyond)
	if score < worthKnowing {
		return Answer{}
	}
	return found(m.finding(r, score, beyond > near))
}

func (m *shortage) finding(r *Reading, score int, beyond bool) casefile.Finding {
	f := casefile.Finding{
		Title: fmt.Sprintf("%s of the memory limit of %s cannot be freed by a collection", percent(m.stays()/m.limit),
			size(m.limit)),
		Score:      score,
		Confidence: 0.9,
		Summary:    m.summary(r),
		Explanation: "Beyond the limit of its container the kernel ends the process, without a word in its log. The " +
			"collector does not know that limit, unless GOMEMLIMIT says it.",
		Where:    holdsMost(r),
		Remedies: m.remedies(r),
		Evidence: append([]casefile.Basis{{File: r.memory[len(r.memory)-1].file, Kind: casefile.Runtime,
			Text: "what the kernel counts"}}, vitalsBasis(r)...),
		Impact: casefile.Impact{Resource: "memory", Share: roundShare(min(m.used/m.limit, 1)),
			Text: fmt.Sprintf("%s of the limit of %s is in use", percent(m.used/m.limit), size(m.limit))},
	}
	if beyond {
		f.Title = fmt.Sprintf("The heap grows to %s before it is collected, and the memory limit is %s",
			size(m.goal), size(m.limit))
	}
	return f
}

func (m *shortage) summary(r *Reading) string {
	text := fmt.Sprintf("The process uses %s of %s: %s live in the heap, %s are stacks, %s not Go's; the next "+
		"collection ends when the heap has %s.", size(m.used), size(m.limit), size(m.live), size(m.stacks), size(m.off),
		size(m.goal))
	if set := memoryLimit(r); set > 0 {
		text += fmt.Sprintf(" GOMEMLIMIT is %s.", size(set))
	}
	if s := signalOf(r, vitals.RSS); s.goesOn() && s.span() >= risingSpan && s.last() < m.limit {
		text += fmt.Sprintf(" At the rate of the last %s the limit is reached in %s.", seconds(s.span().Seconds()),
			seconds((m.limit-s.last())/s.rise()*s.span().Seconds()))
	}
	return text
}

// holdsMost are the lines whose objects are most of the live heap.
func holdsMost(r *Reading) (out []casefile.Frame) {
	h := r.heap()
	if h == nil {
		return mapperPlaces(r, mappers(r))
	}
	for _, e := range top(stacks.SumBy(h.set, h.space, r.OwnLine), 3) {
		if share := float64(e.Value) / max(h.liveBytes, 1); share >= 0.1 {
			out = append(out, r.Frame(e.Key, share, "allocates what is alive (share of the live heap)"))
		}
	}
	return out
}

// remedies are GOMEMLIMIT where it can be kept, otherwise less memory in use, or more of it.
func (m *shortage) remedies(r *Reading) []casefile.Remedy {
	most := ""
	if w := holdsMost(r); len(w) > 0 {
		most = fmt.Sprintf(" Most of the live heap is from %s.", frameText(w[0]))
	}
	less := doChange("Keep less", "Bound caches and queues in bytes: what is alive must fit beside what is allocated "+
		"between two collections."+most, "dropped entries must be made or fetched again")
	more := setValue(fmt.Sprintf("A memory limit of %s", mebibytes((2*m.live+m.stacks+m.off)/ofContainer+1<<20)),
		fmt.Sprintf("It holds twice the %s that live (GOGC=100), stacks, what is not Go's, and a tenth beside.",
			size(m.live)), "memory")
	if !m.fits() {
		return []casefile.Remedy{less, more}
	}
	return []casefile.Remedy{m.setLimit(r), less, more}
}

// setLimit is GOMEMLIMIT, and what it costs.
func (m *shortage) setLimit(r *Reading) casefile.Remedy {
	now := "The evidence shows no GOMEMLIMIT."
	if set := memoryLimit(r); set > 0 {
		now = fmt.Sprintf("It is %s, which leaves nothing for the rest.", size(set))
	}
	room := max(m.goLimit()-m.stacks-m.live, 1)
	oftener := max((m.goal-m.live)/room, 1)
	set := "GOMEMLIMIT=" + mebibytes(m.goLimit())
	return withEnv(set, setValue(set, fmt.Sprintf("90 %% of the limit of %s, less the %s that are "+
		"not Go's: the collector then begins before the limit is reached. %s", size(m.limit), size(m.off), now),
		fmt.Sprintf("CPU: near the limit cycles run %s times as often as now", times(oftener))))
}
