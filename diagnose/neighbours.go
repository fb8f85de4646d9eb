package diagnose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A machineView is what the CPUs did that the process may run on, around the trouble, and whether users noticed.
type machineView struct {
	file  string              // of use; "" where only the vitals tell
	use   casefile.MachineUse // of the evidence
	cpus  float64             // that the process may run on
	own   float64             // cores
	other float64             // cores of everybody else, without Casebook
	spare float64
	steal float64

	waiting  float64 // share of the time in which its threads could run that they waited for a CPU
	measured bool    // waiting is by the kernel's account of its threads; otherwise it is the pressure's
	threads  float64 // of it that wait for a CPU, on average; 0 where waiting is not measured
	turn     float64 // s that a thread waits for a turn on average; 0 where it is not known
}

// machineUse is evidence of the kind neighbours, with its file.
type machineUse struct {
	file string
	casefile.MachineUse
}

// maxMachineUse limits a file: it has 13 processes at most.
const maxMachineUse = 1 << 20

func isMachineUse(e Evidence) bool {
	head := e.Data[:min(len(e.Data), 512)]
	return e.Kind == casefile.Neighbours || e.Kind == "" && bytes.HasPrefix(head, []byte("{")) &&
		bytes.Contains(head, []byte(`"cpus"`)) && bytes.Contains(head, []byte(`"ours"`))
}

// readMachineUse reads what the CPUs of the machine did. It is a file like any other: names of processes are shown to
// people, and numbers may be anything.
func readMachineUse(r *Reading, e Evidence, rep *Report) {
	var use casefile.MachineUse
	if len(e.Data) > maxMachineUse || json.Unmarshal(e.Data, &use) != nil || !plausible(&use) {
		rep.Problems = append(rep.Problems, Problem{e.Name, "no account of a machine's CPUs, as Casebook writes it",
			"capture it again"})
		return
	}
	names := func(p *casefile.ProcessUse) {
		for _, s := range []*string{&p.Name, &p.Job, &p.Unit, &p.Container} {
			*s = shownName(*s)
		}
	}
	names(&use.Own)
	for i := range use.Others {
		names(&use.Others[i])
	}
	r.machines = append(r.machines, machineUse{e.Name, use})
	rep.Read = append(rep.Read, Artefact{Name: e.Name, Kind: casefile.Neighbours, Samples: len(use.Others),
		What: "the machine", Text: fmt.Sprintf("%s of %s used by others over %s", cores(max(use.All.Busy()-use.Own.CPU(), 0)),
			things(math.Round(use.CPUs), "CPU"), seconds(use.Seconds))})
}

func plausible(u *casefile.MachineUse) bool {
	ok := u.Seconds > 0 && u.Ours.Total() > 0 && u.Ours.Total() < mostCores && u.Own.CPU() >= 0 && u.Own.CPU() < mostCores
	for _, o := range u.Others {
		ok = ok && o.User >= 0 && o.System >= 0 && o.Ended >= 0 && o.CPU() < mostCores
	}
	for _, v := range []float64{u.Ours.User, u.Ours.System, u.Ours.Interrupts, u.Ours.IOWait, u.Ours.Steal, u.Ours.Idle} {
		ok = ok && v >= 0
	}
	return ok && (u.Waiting == nil || *u.Waiting >= 0 && *u.Waiting < 1e6)
}

const mostCores = 1e6

// shownName is a name without what a terminal would act on, and no longer than those of units and processes are.
func shownName(s string) string {
	s = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return '?'
		}
		return c
	}, s)
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "")
	}
	return s
}

// newMachineView reads the last account, otherwise the vitals around the trouble; nil where neither tells.
func newMachineView(r *Reading) *machineView {
	if n := len(r.machines); n > 0 {
		return viewOf(&r.machines[n-1])
	}
	samples := troubledVitals(r)
	other, known := meanIn(samples, vitals.OthersCPU)
	if !known {
		return nil
	}
	v := &machineView{other: other}
	v.own, _ = meanIn(samples, vitals.CPU)
	v.spare, _ = meanIn(samples, vitals.SpareCPU)
	used := v.own + v.other + v.spare
	if steal, _ := meanIn(samples, vitals.MachineSteal); steal < 1 {
		v.steal = used * steal / (1 - steal)
	}
	v.cpus = math.Round(used + v.steal)
	v.waiting, _ = meanIn(samples, vitals.CPUPressure)
	return v
}

func viewOf(m *machineUse) *machineView {
	v := &machineView{file: m.file, use: m.MachineUse, cpus: math.Round(m.Ours.Total()), own: m.Own.CPU(),
		spare: m.Ours.Spare(), steal: m.Ours.Steal}
	v.other = m.Ours.Busy() - v.own
	for _, o := range m.Others {
		if o.Casebook || o.Child || o.Server {
			v.other -= o.CPU()
		}
	}
	v.other = max(v.other, 0)
	if w := m.Waiting; w != nil {
		v.measured, v.threads = true, *w
		v.waiting = *w / max(*w+v.own, 1e-9)
		if m.Waits != nil && *m.Waits > 0 {
			v.turn = *w / *m.Waits
		}
	}
	return v
}

// WaitedForCPU is the share of the time in which threads of the process could run that they waited for a CPU, as the
// kernel counted it for each thread. It is false without an account of the machine.
func (r *Reading) WaitedForCPU() (share float64, ok bool) {
	v := r.machine()
	if v == nil || !v.measured {
		return 0, false
	}
	return v.waiting, true
}

// felt is which share of the time of requests it can be, at most, that so many threads or goroutines wait on average:
// by Little's law as many requests are in progress as come in the time that one takes. It is false without a rate.
func felt(r *Reading, waiting float64) (share float64, ok bool) {
	samples := troubledVitals(r)
	rate, _ := meanIn(samples, vitals.HTTPRate)
	took, _ := meanIn(samples, vitals.HTTPLatencyP50)
	if rate <= 0 || took <= 0 {
		return 0, false
	}
	return min(waiting/(rate*took), 1), true
}

// meanIn is the mean of a signal over some samples.
func meanIn(samples []vitals.Sample, id vitals.ID) (mean float64, ok bool) {
	n := 0
	for i := range samples {
		if v, present := samples[i].Get(id); present {
			mean, n = mean+v, n+1
		}
	}
	return mean / max(float64(n), 1), n > 0
}

// Signs that users wait. Medians below 10 ms and tails below 50 are nobody's trouble (rule cpu-pressure).
const (
	lateMedian  = 0.010 // s
	lateTail    = 0.050 // s
	lateRate    = 10    // requests a second
	lateTimes   = 1.5   // what they were before
	lateWaiting = 0.5   // of the time in which threads can run
	lateProbe   = 0.1   // s for the index page, which takes a millisecond
	lateSched   = 0.020 // s that goroutines wait for a processor, 99th percentile
	lateTurn    = 0.005 // s that a thread waits for each turn: more than a slice of the kernel's (3 ms, EEVDF)
)

// A userWait says whether users of a process wait.
type userWait struct {
	sign   string // that they wait longer than before, or than a process should make them; "" without one
	users  bool   // it is users who are seen to wait; otherwise the sampler, or threads
	rose   bool   // and they did not before
	onTime bool   // their waits are known, and short
}

// userWait reads what users, the sampler and the kernel say, in this order. Where the trouble had begun before the
// vitals did, latencies that do not rise are a sign only if the threads wait for most of their time.
func (v *machineView) userWait(r *Reading) userWait {
	samples, at := troubledVitals(r), r.TroubleAt()
	if rate, ok := meanIn(samples, vitals.HTTPRate); ok && rate < lateRate { // few requests have no median
		return userWait{sign: v.unansweredSign(samples)}
	}
	l := latenciesAt(r, samples, at)
	switch {
	case l.rose != "":
		return userWait{sign: l.rose, users: true, rose: true}
	case l.known && l.high == "":
		return userWait{onTime: true}
	case l.known && v.measured && v.waiting >= lateWaiting:
		return userWait{sign: l.high, users: true}
	case l.known:
		return userWait{}
	}
	return userWait{sign: v.unansweredSign(samples)}
}

// latencies is what the vitals say of how long requests take, as sentences.
type latencies struct {
	known bool
	high  string // it is longer than users should wait; "" if it is not
	rose  string // and was not before
}

func latenciesAt(r *Reading, samples []vitals.Sample, at time.Time) (l latencies) {
	for _, q := range []struct {
		id    vitals.ID
		least float64
		what  string
	}{{vitals.HTTPLatencyP50, lateMedian, "half of the requests took"},
		{vitals.HTTPLatencyP99, lateTail, "the slowest hundredth of the requests took"}} {
		now, ok := meanIn(samples, q.id)
		l.known = l.known || ok
		if !ok || now < q.least {
			continue
		}
		text := fmt.Sprintf("%s %s", q.what, seconds(now))
		l.high = cmp.Or(l.high, text)
		if before := r.Earlier(q.id, at); before != nil && now >= lateTimes**before {
			l.rose = fmt.Sprintf("%s, and %s before", text, seconds(*before))
			return l
		}
	}
	return l
}

// unansweredSign is what is known of a process whose requests are not.
func (v *machineView) unansweredSign(samples []vitals.Sample) string {
	if probe, ok := meanIn(samples, vitals.ProbeTime); ok && probe >= lateProbe {
		return fmt.Sprintf("it took %s to answer the sampler", seconds(probe))
	}
	if silent, ok := meanIn(samples, vitals.Unanswered); ok && silent >= lateProbe {
		return "it did not answer the sampler"
	}
	if wait, ok := meanIn(samples, vitals.SchedLatencyP99); ok && wait >= lateSched {
		return fmt.Sprintf("goroutines waited %s for a processor (99th percentile)", seconds(wait))
	}
	if v.turn >= lateTurn {
		return fmt.Sprintf("a thread that could run waited %s for its turn on average", seconds(v.turn))
	}
	return ""
}
