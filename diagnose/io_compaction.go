package diagnose

import (
	"context"
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
)

// compactionScale is in shares of the CPU that merging takes. A store must merge something: what it merges once after
// each flush stays below 15 % in most services.
func compactionScale() Scale { return Scale{Worth: 0.15, Hurts: 0.50, Top: 0.80} }

// rewriteScale is in bytes a second that merging writes: 10 MB/s are 0.9 TB a day, 100 MB/s the 600 TB for which a disk
// of 1 TB is sold in ten weeks (of consumer SSDs: 600 TBW is usual).
func rewriteScale() Scale { return Scale{Worth: 10e6, Hurts: 100e6} }

const (
	// merged again this many times or more: once is what a bulk load or a first level needs
	againWorth = 2
	// byBytes is the share of the merging that grows with bytes from which values are large: of 48 KiB and more it was
	// 0.90 to 0.97, of 256 bytes 0.67, of 8 bytes 0.40 (testdata/compaction)
	byBytes = 0.75
	// minMergeTicks is how many CPU samples merging must have before it is divided
	minMergeTicks = 30
)

func ioCompaction() Detector {
	return Detector{
		ID:         "IO006",
		Kind:       "io-compaction",
		Title:      "A store merges what it holds again and again",
		OtherNames: []string{"write-amplification"},
		Text: `A log-structured store (Pebble, goleveldb, badger, one of your own) writes what it is given to a log, to a
small sorted file, and then merges files into larger ones (compaction): each value is written again in each merge. Looks
for the CPU of such merging in a CPU profile: known stores by name, others by functions called compact or merge below
which files are written. What writes the gathered memory to its first file (flush) is counted apart.

Two measures; the higher score counts. Merging is worth knowing from 15 % of the CPU and hurts from 50 %. What it writes
by the kernel's count is worth knowing from 10 MB/s and hurts from 100. It must write each byte of a flush two times or
more, as far as the profile tells; 30 samples are needed.

It is large values if 75 % of the merging or more are spent for each byte: copies, checksums, compression, system calls.
Then values belong outside the merged files. Otherwise it is many small records, whose cost is for each key: that is
what such a store is for, and a notice at most. A B+ tree (bbolt) does not merge, and does not count. No profile shows
how large values are, unless the function that gives them to the store makes them: below 4 KiB they are small.`,
		Needs:  []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Capture: captureCPU}},
		Before: `pebble.Open(dir, &pebble.Options{}) // messages of 64 KiB`,
		After: `o.Experimental.ValueSeparationPolicy = func() pebble.ValueSeparationPolicy { … MinimumSize: 4 << 10 … }
pebble.Open(dir, o)`,
		Remedies: append(largeRemedies(), smallRemedies()...),
		Refines:  []string{"cpu-hot-function", "alloc-site"},
		Absorbs:  related(SameFunction, "cpu-copy", "cpu-compression", "io-small", "cpu-hot-function"),
		Run:      runIOCompaction,
	}
}

func runIOCompaction(_ context.Context, r *Reading) Answer {
	v := r.cpu()
	if v == nil {
		return Answer{}
	}
	m := newMerging(r, v)
	if m == nil || m.ticks < minMergeTicks {
		return Answer{}
	}
	again := m.again()
	if again > 0 && again < againWorth {
		return Answer{}
	}
	share, rate := m.ns/max(v.total, 1), m.rate(r, m.part)
	score := min(compactionScale().Score(share), v.level.cap())
	score = min(max(score, rewriteScale().Score(rate)), capUnsure)
	large := m.part.bytesShare() >= byBytes && !m.givenSmall(r)
	if !large || again == 0 {
		score = min(score, capNotice)
	}
	if score < worthKnowing {
		return Answer{}
	}
	return found(m.finding(r, compactionNumbers{share, rate, again, large, score}))
}

// compactionNumbers is what a finding says.
type compactionNumbers struct {
	share float64 // of the CPU
	rate  float64 // bytes a second; 0: not known
	again float64 // bytes merged for each one flushed; 0: not known
	large bool
	score int
}

func (m *merging) finding(r *Reading, n compactionNumbers) casefile.Finding {
	what, rs := "many small records", smallRemedies()
	if n.large {
		what, rs = "large values", largeRemedies()
	}
	f := casefile.Finding{
		Title: fmt.Sprintf("A store merges %s again and again: %s of the CPU", what, percent(n.share)),
		Score: n.score, Confidence: Confidence(n.share, m.v.samples),
		Summary: m.summary(n), Explanation: compactionExplanation(n.large), Evidence: Basis(m.v.set),
	}
	lib := m.library(r.Table)
	place := ""
	if id, ok := m.writer(r); ok {
		place = r.Place(id)
		role := "writes what the store merges"
		if r.Table.Func(id).Owner == stacks.User && m.own[id] > 0 {
			role = "merges (share of the CPU)"
		}
		f.Where = append(f.Where, r.Frame(id, m.own[id]/max(m.v.total, 1), role))
	}
	if id, ok := m.mergingLine(r); ok && len(m.own) == 0 {
		f.Where = append(f.Where, r.Frame(id, roundShare(n.share), "merges (share of the CPU)"))
		if place == "" {
			place = r.Place(id)
		}
	}
	f.Impact = m.impact(n)
	f.Remedies = remediesAt(place, forStore(rs, lib)...)
	return f
}

// mergingLine is the busiest line of the function below which nearly all merging is.
func (m *merging) mergingLine(r *Reading) (stacks.FrameID, bool) {
	const nearlyAll = 0.9
	fn, _, ok := deepestCommon(r.Table, weigh(m.samples, m.v.weight), func(f *stacks.Func) bool {
		return stepOf(f) == merges
	}, atLeast(nearlyAll))
	if !ok {
		return stacks.NoFrame, false
	}
	lines := map[stacks.FrameID]float64{}
	for _, s := range m.samples {
		for _, id := range s.Stack {
			if r.Table.FuncID(id) == fn {
				lines[id] += float64(m.v.weight(s))
				break
			}
		}
	}
	return heaviest(lines)
}

func (m *merging) summary(n compactionNumbers) string {
	s := fmt.Sprintf("Merging files takes %s of the CPU; %s of that is for each byte (copies, checksums, system calls "+
		"%s, compression %s), %s for each key.", percent(n.share), percent(m.part.bytesShare()),
		percent(m.part.moves/max(m.part.all(), 1)), percent(m.part.compress/max(m.part.all(), 1)),
		percent(m.part.keys/max(m.part.all(), 1)))
	if n.again > 0 {
		s += fmt.Sprintf(" By what system calls and copies cost, it writes each byte about %s times more after its "+
			"first file.", number.Digits(math.Round(n.again)))
	}
	if n.rate > 0 {
		s += fmt.Sprintf(" It writes %s/s.", size(n.rate))
	}
	return s + " " + levelSentence(m.v.level)
}

func levelSentence(l level) string {
	s := l.String() + "."
	return string(s[0]-'a'+'A') + s[1:]
}

func compactionExplanation(large bool) string {
	if large {
		return "A store of sorted files writes each value again whenever it merges the file that has it, ten times " +
			"and more in its life. The work grows with the bytes. Beside the files, a value is written once, and " +
			"merging moves a reference of some bytes."
	}
	return "A store of sorted files compares and writes each key again whenever it merges files. The work grows with " +
		"the number of records, and not with their bytes: fewer and larger steps make it less."
}

// impact: what the remedies leave is the first writing, and a merge of what refers to it. The lab's row
// messages/large-values saved 0.8 of the bytes written and half of the CPU.
func (m *merging) impact(n compactionNumbers) casefile.Impact {
	low, high := 0.2, 0.6
	why := "fewer merges save a fifth to three fifths of it"
	if n.large {
		low, high = 0.4, 0.9
		why = "values beside the merged files save 0.4 to 0.9 of it"
	}
	return casefile.Impact{Resource: "cpu", Share: roundShare(n.share),
		Text: percent(n.share) + " of the CPU the process used, and most of what it writes",
		Gain: casefile.Gain{Low: roundShare(low * n.share), High: roundShare(high * n.share),
			Arithmetic: percent(n.share) + " of the CPU in merging; " + why}}
}
