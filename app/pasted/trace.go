package pasted

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// With GODEBUG=gctrace=1 the runtime prints a line for each collection (runtime/extern.go), with schedtrace one for
// each stretch of time:
//
//	gc 391 @1630.064s 18%: 0.085+2172+0.030 ms clock, 0.25+1532/1646/817+0.090 ms cpu, 2069->2265->2079 MB,
//	  2069 MB goal, 48 MB stacks, 0 MB globals, 3 P (in one line)
//	SCHED 1004ms: gomaxprocs=4 idleprocs=0 threads=8 spinningthreads=1 idlethreads=3 runqueue=12 [3 0 1 2]
var (
	gcLine = regexp.MustCompile(`gc \d+ @([\d.]+)s \d+%: ([\d.]+)\+[\d.]+\+([\d.]+) ms clock, ` +
		`([\d.]+)\+([\d.]+)/([\d.]+)/[\d.]+\+([\d.]+) ms cpu, \d+->(\d+)->(\d+) MB, (\d+) MB goal,` +
		`(?: (\d+) MB stacks,)?.* (\d+) P( \(forced\))?`)
	schedLine = regexp.MustCompile(`SCHED (\d+)ms: gomaxprocs=(\d+) .*threads=(\d+) .*runqueue=(\d+)`)
	perProc   = regexp.MustCompile(`\[([\d ]+)\]`)
	procLine  = regexp.MustCompile(`^  P\d+: status=\d.* runqsize=(\d+)`) // with scheddetail=1, below each
)

const (
	// leastLines is how many lines are evidence: the first of a collection only begins an interval.
	leastLines = 3
	maxTrace   = 100_000 // lines
)

// A runtimeTrace is the lines of gctrace and schedtrace in a text.
type runtimeTrace struct {
	moments []moment
	last    float64 // the time of the collection before, in s since the start
	begun   bool
}

// A moment is the numbers of a line.
type moment struct {
	at     float64 // s since the process began
	stamp  time.Time
	values map[vitals.ID]float64
}

// line takes a line of one of the two.
func (t *runtimeTrace) line(line []byte, stamp time.Time) bool {
	if len(t.moments) >= maxTrace {
		return false
	}
	if bytes.Contains(line, []byte("gc ")) {
		if m := gcLine.FindSubmatch(line); m != nil {
			t.collection(m, stamp)
			return true
		}
	}
	if n := len(t.moments); n > 0 && bytes.HasPrefix(line, []byte("  P")) {
		if m := procLine.FindSubmatch(line); m != nil {
			queued, _ := strconv.ParseFloat(string(m[1]), 64) // the pattern has digits alone
			t.moments[n-1].values[vitals.GoroutinesRunnable] += queued
			return true
		}
	}
	if bytes.HasPrefix(line, []byte("SCHED ")) {
		if m := schedLine.FindSubmatch(line); m != nil {
			t.schedule(line, m, stamp)
			return true
		}
	}
	return false
}

// collection reads what a collection took. A forced one says nothing of the pace, and of the CPU only that it was
// forced.
func (t *runtimeTrace) collection(m [][]byte, stamp time.Time) {
	n := func(i int) float64 {
		v, err := strconv.ParseFloat(string(m[i]), 64)
		if err != nil {
			return 0
		}
		return v
	}
	at, procs := n(1), n(12)
	between := at - t.last
	first := !t.begun || between <= 0 // or another process, whose lines follow in the same log
	t.last, t.begun = at, true
	if len(m[13]) > 0 {
		return
	}
	const mb = 1 << 20
	v := map[vitals.ID]float64{vitals.HeapAlloc: n(8) * mb, vitals.HeapLive: n(9) * mb, vitals.HeapGoal: n(10) * mb,
		vitals.GCPause: max(n(2), n(3)) / 1e3, vitals.GoMaxProcs: procs}
	if len(m[11]) > 0 {
		v[vitals.Stacks] = n(11) * mb
	}
	if !first && procs > 0 {
		share := 1 / (between * 1e3 * procs) // of a ms of CPU
		v[vitals.GCCPU] = min((n(4)+n(5)+n(6)+n(7))*share, 1)
		v[vitals.GCAssist] = min(n(5)*share, 1)
		v[vitals.GCRate] = 1 / between
	}
	t.moments = append(t.moments, moment{at, stamp, v})
}

func (t *runtimeTrace) schedule(line []byte, m [][]byte, stamp time.Time) {
	n := func(b []byte) float64 { v, _ := strconv.ParseFloat(string(b), 64); return v } // the pattern has digits alone
	queued := n(m[4])
	if q := perProc.FindSubmatch(line); q != nil {
		for _, of := range strings.Fields(string(q[1])) {
			queued += n([]byte(of))
		}
	}
	t.moments = append(t.moments, moment{n(m[1]) / 1e3, stamp, map[vitals.ID]float64{vitals.GoMaxProcs: n(m[2]),
		vitals.Threads: n(m[3]), vitals.GoroutinesRunnable: queued}})
}

// pieces are the vitals of the lines. Without a stamp the last line is of now: only what is between them is known.
func (t *runtimeTrace) pieces(now time.Time) []Piece {
	if len(t.moments) < leastLines {
		return nil
	}
	end := t.moments[len(t.moments)-1]
	if !end.stamp.IsZero() {
		now = end.stamp
	}
	samples := make([]vitals.Sample, 0, len(t.moments))
	for _, m := range t.moments {
		s := vitals.NewSample(now.Add(time.Duration((m.at - end.at) * float64(time.Second))))
		for id, v := range m.values {
			s.Set(id, v)
		}
		samples = append(samples, s)
	}
	slices.SortStableFunc(samples, func(a, b vitals.Sample) int { return a.Time.Compare(b.Time) })
	var b bytes.Buffer
	const why = "gctrace and schedtrace print no such number"
	if err := vitals.WriteJSONL(&b, samples, nil, map[string]string{vitals.CPU.String(): why}); err != nil {
		return nil // a buffer has no errors
	}
	said := t.queued()
	return []Piece{{Kind: casefile.Vitals, Data: b.Bytes(), Taken: now, Says: said.says, Next: said.next}}
}
