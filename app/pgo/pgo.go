// Package pgo makes a profile for the compiler out of CPU profiles of production, and says what it is worth.
//
// The problem: profile-guided optimization wants one CPU profile that represents the service, and takes whatever it
// gets. A profile of one host in one hour, or of a version whose functions have moved since, does less, and nobody says
// so (golang/go#70291). The approach: profiles are weighed so that no host and no hour outvotes the others, and cut down
// to what the compiler reads, which is how often each call was made from each line. The result is held against the source that
// is about to be built (does the call still exist?), against its history, and against itself at another time.
//
// Limits: whether a call will be inlined, and what that saves, only a build and a measurement tell. Names of closures
// and lines of calls change with the source; a call that moved within its function counts as lost, as it does for the
// compiler.
package pgo

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/internal/number"
)

// An Input is what a CPU profile says, and where it is from.
type Input struct {
	Name  string // for messages: a file, or a case and a file
	Host  string // the process's: inputs of one host and hour are one vote
	Taken time.Time
	Counted
}

// A Counted is what matters of a CPU profile: a thousandth of it.
type Counted struct {
	calls    Calls
	halves   [2]Calls // of the same samples, dealt at random
	ticks    int64
	compiled int64 // those in Go code that is not the runtime's
}

// Count reads what the compiler would read of a profile. It is an error if that is nothing.
func Count(p *profile.Profile) (Counted, error) {
	at := weight(p)
	switch {
	case at < 0:
		return Counted{}, errors.New("not a CPU profile: it has neither samples/count nor cpu/nanoseconds")
	case len(p.Sample) == 0:
		return Counted{}, errors.New("an empty profile: the process used no CPU meanwhile")
	case !slices.ContainsFunc(p.Function, func(f *profile.Function) bool { return f.StartLine != 0 }):
		return Counted{}, errors.New("it does not say where functions begin: the program was built with Go 1.19 or older, " +
			"or the profile went through a tool that drops start_line")
	}
	c := Counted{calls: Calls{}, halves: [2]Calls{{}, {}}}
	unit := int64(1)
	if p.SampleType[at].Unit == "nanoseconds" {
		unit = max(p.Period, 1)
	}
	coin := rand.New(rand.NewPCG(1, 2)) // the same halves each time
	for _, s := range p.Sample {
		n := s.Value[at] / unit
		heads := toss(coin, n)
		c.ticks += n
		if isCompiled(s) {
			c.compiled += n
		}
		for call := range callsOf(s) {
			c.calls[call] += float64(n)
			c.halves[0][call] += float64(heads)
			c.halves[1][call] += float64(n - heads)
		}
	}
	return c, nil
}

// weight returns the index of the value that the compiler reads: the first of the two (Go 1.26,
// cmd/internal/pgo/pprof.go, FromPProf).
func weight(p *profile.Profile) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool {
		return t.Type == "samples" && t.Unit == "count" || t.Type == "cpu" && t.Unit == "nanoseconds"
	})
}

// toss returns how many of n coins show heads; of many, half.
func toss(coin *rand.Rand, n int64) (heads int64) {
	const many = 1 << 16
	if n > many {
		return n / 2
	}
	for range n {
		heads += int64(coin.Uint64() & 1)
	}
	return heads
}

// isCompiled reports whether the function that a sample is in is Go code that is not the runtime's: what a profile can
// speed up. The rest is system calls, the collector, the scheduler and assembly.
func isCompiled(s *profile.Sample) bool {
	if len(s.Location) == 0 || len(s.Location[0].Line) == 0 {
		return false
	}
	f := s.Location[0].Line[0].Function
	if f == nil {
		return false
	}
	path, _ := splitName(f.Name)
	return path != f.Name && path != "syscall" && !isRuntime(f.Name) && !strings.HasSuffix(f.Filename, ".s")
}

// errNothing is Merge's when no input can be used.
var errNothing = errors.New("no CPU profile among the inputs: take one with casebook capture, or name cpu.pb.gz files")

// A vote is what counts once: a host in an hour.
type vote struct {
	host string
	hour int64 // since 1970
}

func (in *Input) vote() vote { return vote{in.Host, in.Taken.Unix() / 3600} }

// scale is how many units all votes get together. The compiler reads whole numbers; a share of a millionth remains one.
const scale = 1e9

// A Merged is what a number of profiles come to.
type Merged struct {
	Calls Calls
	Votes int       // hosts × hours
	Hosts int       // different ones
	From  time.Time // the earliest; zero where no profile says when it was taken
	To    time.Time

	inputs []Input
}

// Merge weighs profiles and adds them up.
func Merge(inputs []Input) (*Merged, error) {
	if len(inputs) == 0 {
		return nil, errNothing
	}
	m := &Merged{inputs: inputs}
	m.Calls, m.Votes = weighed(inputs, func(in *Input) Calls { return in.calls })
	hosts := make(map[string]bool)
	for _, in := range inputs {
		hosts[in.Host] = true
		m.span(in.Taken)
	}
	m.Hosts = len(hosts)
	if len(m.Calls) == 0 {
		return nil, fmt.Errorf("no calls in %s: every sample is of one frame",
			number.Things(len(inputs), "CPU profile"))
	}
	return m, nil
}

// weighed adds calls of inputs up so that each vote has the same weight.
func weighed(inputs []Input, of func(*Input) Calls) (sum Calls, votes int) {
	byVote := make(map[vote]Calls)
	for i := range inputs {
		v := inputs[i].vote()
		if byVote[v] == nil {
			byVote[v] = Calls{}
		}
		byVote[v].add(of(&inputs[i]), 1)
	}
	sum = Calls{}
	for _, calls := range byVote {
		if total := calls.Total(); total > 0 {
			sum.add(calls, scale/float64(len(byVote))/total)
		}
	}
	return sum, len(byVote)
}

func (m *Merged) span(at time.Time) {
	if at.Unix() <= 0 { // not known
		return
	}
	if m.From.IsZero() || at.Before(m.From) {
		m.From = at
	}
	if at.After(m.To) {
		m.To = at
	}
}
