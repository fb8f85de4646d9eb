package blackbox

import (
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// Killed is the rule of the case that tells of a process that ended without a word.
const Killed = "killed"

// Trigger says how the process ended, as far as that can be known, and no further. Its time is that of the last
// sample.
func (r *Record) Trigger() casefile.Trigger {
	e := newEnd(r.Target, r.Samples)
	t := casefile.Trigger{Rule: Killed, Time: r.Started.UTC()}
	if len(r.Samples) > 0 {
		t.Time = e.last.Time.UTC()
	}
	reason := e.reason()
	reason.fill(&t)
	switch {
	case r.Rebooted:
		t.Text = "the machine was restarted; " + reason.text
	case r.OOMKills > 0:
		t.Text = fmt.Sprintf("killed, most likely out of memory: the kernel's OOM killer struck %s in its cgroup "+
			"since it started; %s",
			number.Things(r.OOMKills, "time"), reason.text)
	case reason.memory && r.OOMKills == 0:
		t.Text = "the process ended without a word; " + reason.text +
			", but the kernel counts no OOM kill in its cgroup"
	case reason.memory:
		t.Text = "killed; " + reason.text
	case reason.trouble:
		t.Text = "the process ended without a word; " + reason.text
	default:
		t.Text = "the process ended without a word (SIGKILL, a crash, or os.Exit); " + reason.text
	}
	return t
}

// Obituary is for a process that was watched from outside and is gone: it says from the last samples whether it ended
// in trouble, and in which. Without trouble the end was most likely wanted, for instance a deployment.
func Obituary(d casefile.Target, samples []vitals.Sample) (t casefile.Trigger, trouble bool) {
	if len(samples) == 0 {
		return t, false
	}
	e := newEnd(d, samples)
	reason := e.reason()
	t = casefile.Trigger{Rule: Killed, Time: e.last.Time.UTC(), Text: "the process ended; " + reason.text}
	reason.fill(&t)
	return t, reason.trouble
}

// A reason is what the last vitals say of an end.
type reason struct {
	text    string // "memory was at 99 % …"
	trouble bool   // it explains an end
	memory  bool   // it is memory

	signal vitals.ID // that it rests on; with value
	value  float64
}

func (r reason) fill(t *casefile.Trigger) {
	if r.trouble {
		t.Signal, t.Value, t.Unit = r.signal.String(), r.value, string(r.signal.Signal().Unit)
	}
}

// reason looks for what is known to end processes, the surest first.
func (e *end) reason() reason {
	for _, look := range []func() (reason, bool){e.memory, e.threads, e.goroutines} {
		if r, ok := look(); ok {
			return r
		}
	}
	return reason{text: e.vitals()}
}

const (
	// nearLimit is the share of the limit above which memory counts as the reason. A sample is up to an interval old,
	// and the kernel counts what is not in RSS too: page tables, socket buffers.
	nearLimit = 0.95
	// maxThreads is where the Go runtime ends a process: 10,000 unless debug.SetMaxThreads says otherwise. From nine
	// tenths of that on threads count as the reason.
	maxThreads = 10_000
	// manyGoroutines and growth say what an explosion of goroutines is: 100 MiB of stacks at least, and ten
	// times the median of the ring.
	manyGoroutines = 50_000
	growth         = 10
)

// memory is at its limit, or rose so fast that it came there before the next sample.
func (e *end) memory() (reason, bool) {
	m, ok := e.readMemory()
	if !ok || m.share < nearLimit && m.share+m.rate*e.interval.Seconds()/m.limit < 1 {
		return reason{}, false
	}
	text := m.String()
	if m.share < nearLimit {
		text += ", which reaches the limit before the next sample"
	}
	return reason{text: text, trouble: true, memory: true, signal: vitals.MemoryShare, value: m.share}, true
}

func (e *end) threads() (reason, bool) {
	n, ok := e.latest(vitals.Threads)
	if !ok || n < 0.9*maxThreads {
		return reason{}, false
	}
	text := fmt.Sprintf("it had %s threads, and the Go runtime ends a process that needs more than %d",
		vitals.Count.Format(n), maxThreads)
	return reason{text: text, trouble: true, signal: vitals.Threads, value: n}, true
}

func (e *end) goroutines() (reason, bool) {
	n, ok := e.latest(vitals.Goroutines)
	median := e.history.Quantile(vitals.Goroutines, 0.5, time.Time{})
	if !ok || n < manyGoroutines || !(n >= growth*median) {
		return reason{}, false
	}
	text := fmt.Sprintf("it had %s goroutines, %s at the median of the last %s", vitals.Count.Format(n),
		vitals.Count.Format(median), e.span())
	return reason{text: text, trouble: true, signal: vitals.Goroutines, value: n}, true
}

// Ended says how a process ended while its case was taken; "" if it did not end.
func Ended(c *casefile.Case) string {
	for _, t := range c.Also {
		if t.Rule == Killed {
			return t.Text
		}
	}
	return ""
}
