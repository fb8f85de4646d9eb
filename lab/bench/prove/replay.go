package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// A replay is how one comparison made of recorded blocks ended.
type replay struct {
	proof   casefile.Proof
	seconds float64
	blocks  int
}

// play draws blocks with replacement until the procedure ends.
func play(blocks []prove.Block, null bool, r *rand.Rand) replay {
	s := prove.NewSequence(prove.Options{}, bound.Seconds())
	var drawn []prove.Block
	elapsed := 0.0
	for {
		b := blocks[r.IntN(len(blocks))]
		if null {
			b = permuted(b, r)
		}
		drawn = append(drawn, b)
		elapsed += b.Seconds
		if s.Step(drawn, elapsed) {
			return replay{s.End(drawn), elapsed, len(drawn)}
		}
	}
}

// permuted gives the three servers of a block, which are the same, other roles.
func permuted(b prove.Block, r *rand.Rand) prove.Block {
	three := [...]prove.Round{b.A, b.A2, b.B}
	r.Shuffle(len(three), func(i, j int) { three[i], three[j] = three[j], three[i] })
	return prove.Block{A: three[0], A2: three[1], B: three[2], Seconds: b.Seconds}
}

// nulls is how many comparisons of a server with itself the requirement speaks of, and false how many of them may name
// a change.
const (
	nulls       = 100
	falseAlarms = 3
)

// replayTable replays every kind n times, and the comparisons of a server with itself 100 times as well, which is what
// is required.
func replayTable(rec *recording, n int) string {
	r := rand.New(rand.NewPCG(6, 2026))
	var t strings.Builder
	fmt.Fprintf(&t, "Replays over random draws of the recorded blocks, at most %v each:\n", bound)
	fmt.Fprintf(&t, "  %-8s %-9s %-38s %-9s %s\n", "planted", "replays", "", "required",
		"time to the verdict: mean, longest")
	for _, runs := range []int{nulls, n} {
		alarms, verdicts, took := 0, make(map[casefile.Verdict]int), times{}
		for range runs {
			p := play(rec.Blocks[0], true, r)
			verdicts[p.proof.Verdict]++
			if len(changed(p.proof)) > 0 {
				alarms++
			}
			took.add(p.seconds)
		}
		required := ""
		if runs == nulls {
			required = fmt.Sprintf("at most %d", falseAlarms)
		}
		fmt.Fprintf(&t, "  %-8s %-9d %-38s %-9s %s\n", "nothing", runs,
			fmt.Sprintf("a change named in %d (same: %d)", alarms, verdicts[casefile.Same]), required, took)
	}
	for _, s := range slowdowns {
		found, took := 0, times{}
		for range n {
			p := play(rec.Blocks[s.percent], false, r)
			if p.proof.Verdict == casefile.Worse {
				found++
			}
			took.add(p.seconds)
		}
		fmt.Fprintf(&t, "  +%-7s %-9d %-38s %-9s %s\n", fmt.Sprintf("%d %%", s.percent), n,
			fmt.Sprintf("found in %.1f %%", 100*float64(found)/float64(n)),
			fmt.Sprintf("%.0f %%", 100*s.least), took)
	}
	return t.String()
}

// times are how long comparisons took.
type times struct {
	n            int
	sum, longest float64
}

func (t *times) add(seconds float64) {
	t.n++
	t.sum += seconds
	t.longest = max(t.longest, seconds)
}

func (t times) String() string { return fmt.Sprintf("%.0f s, %.0f s", t.sum/float64(t.n), t.longest) }

// describe says what was recorded, and how much a block tells: the mean of its change of CPU per request with its
// standard error, and the standard deviation. Replays find what was recorded, the mean's error included.
func describe(rec *recording) string {
	var t strings.Builder
	fmt.Fprintf(&t, "Recorded blocks of %s:\n", rec.Taken.Format("2006-01-02 15:04 UTC"))
	for _, kind := range kinds() {
		var sum, square, seconds float64
		blocks := rec.Blocks[kind]
		n := float64(len(blocks))
		for _, b := range blocks {
			const name = prove.CPUPerRequest
			d := math.Log(b.B[name]) - (math.Log(b.A[name])+math.Log(b.A2[name]))/2
			sum, square, seconds = sum+d, square+d*d, seconds+b.Seconds
		}
		sd := math.Sqrt(max(square-sum*sum/n, 0) / (n - 1))
		fmt.Fprintf(&t,
			"  +%2d %%: %3.0f blocks of %.1f s; measured %+.1f ± %.1f %%, standard deviation of a block %.1f %%\n",
			kind, n, seconds/n, 100*math.Expm1(sum/n), 100*sd/math.Sqrt(n), 100*sd)
	}
	return t.String()
}
