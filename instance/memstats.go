package instance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// MemStats is what the end of heap?debug=1 says of runtime.MemStats, in its units.
type MemStats struct {
	accounts
	LastGC            float64 // ns since 1970
	GCCPUFraction     float64 // of the available CPU since the process began, as of LastGC
	ProfileRate       float64 // bytes allocated for one sample of the memory profile, 0 for none; -1: unknown
	PauseNs, PauseEnd [256]uint64
}

// A memMark is what is remembered of a reading: a watch of a thousand targets need not keep the pauses, which are 4 KB.
type memMark struct {
	accounts
	lastGC, cpuFraction float64
}

func (m *MemStats) mark() memMark { return memMark{m.accounts, m.LastGC, m.GCCPUFraction} }

// accounts are the runtime's accounts of memory under the names that they have in runtime.MemStats, in its units.
type accounts struct {
	TotalAlloc   float64
	Mallocs      float64
	HeapObjects  float64
	NumGC        float64
	NumForcedGC  float64
	NextGC       float64
	Sys          float64
	HeapSys      float64
	HeapAlloc    float64
	HeapIdle     float64
	HeapInuse    float64
	HeapReleased float64
	StackInuse   float64
	StackSys     float64
	MSpanSys     float64
	MCacheSys    float64
	BuckHashSys  float64
	GCSys        float64
	OtherSys     float64
}

// A dated is a reading with its time.
type dated struct {
	accounts
	at time.Time
}

// MemStats asks for them. It costs the target a walk over its memory profile, see recordCost.
func (t *HTTP) MemStats(ctx context.Context) (MemStats, error) {
	var m MemStats
	err := t.readMemStats(ctx, &m)
	return m, err
}

func (t *HTTP) readMemStats(ctx context.Context, m *MemStats) error {
	return t.get(ctx, "heap", "debug=1", m.parse)
}

// CloseIdle closes the connections that no request uses: each is a goroutine and its buffers in the target.
func (t *HTTP) CloseIdle() { t.client.CloseIdleConnections() }

// textReaders are for the index page and heap?debug=1, which a watch of many targets reads a thousand times a second.
var textReaders = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, textBytes) }}

// textBytes is how much a text reader has in hand.
const textBytes = 64 << 10

// readText hands one of the textReaders to read, with limit bytes of r at most.
func readText(r io.Reader, limit int64, read func(*bufio.Reader) error) error {
	br := textReaders.Get().(*bufio.Reader)
	br.Reset(io.LimitReader(r, limit))
	defer func() {
		br.Reset(nil)
		textReaders.Put(br)
	}()
	return read(br)
}

// memStats are for readings that are not kept.
var memStats = sync.Pool{New: func() any { return new(MemStats) }}

// parse reads the "# Name = value" lines that follow the records, whatever comes before them.
func (m *MemStats) parse(r io.Reader) error {
	*m = MemStats{ProfileRate: -1}
	return readText(r, maxText, m.parseLines)
}

func (m *MemStats) parseLines(br *bufio.Reader) error {
	first, err := br.ReadSlice('\n')
	if rate, ok := profileRate(first); ok {
		m.ProfileRate = rate
	}
	found := 0
	for l := first; ; l, err = nextComment(br) {
		if name, value, ok := memLine(l); ok && err == nil && m.set(name, value) {
			found++
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull): // a line longer than any of ours
		case err == io.EOF:
			if found < memFields {
				return errNoMemStats
			}
			return nil
		case err != nil:
			return err
		}
	}
}

var errNoMemStats = errors.New("heap?debug=1 does not end in runtime.MemStats: the answer is cut, or not from Go's " +
	"runtime/pprof")

var comment = []byte("\n# ")

// nextComment reads the next line that begins with "# ". The records are skipped in large steps: they are 100 KB, of a
// thousand targets each second, and all but a few lines.
func nextComment(br *bufio.Reader) ([]byte, error) {
	if b, err := br.Peek(len(comment) - 1); err != nil || bytes.Equal(b, comment[1:]) {
		if err != nil {
			return nil, err
		}
		return br.ReadSlice('\n')
	}
	for {
		b, _ := br.Peek(br.Buffered())
		if i := bytes.Index(b, comment); i >= 0 {
			_, _ = br.Discard(i + 1) // it is there
			return br.ReadSlice('\n')
		}
		kept := min(len(b), len(comment)-1)
		_, _ = br.Discard(len(b) - kept)
		if _, err := br.Peek(kept + 1); err != nil {
			return nil, err
		}
	}
}

// set reads a line, and reports whether it is one of the memFields.
func (m *MemStats) set(name, value []byte) bool {
	switch string(name) {
	case "PauseNs":
		parseRing(value, &m.PauseNs)
		return false
	case "PauseEnd":
		parseRing(value, &m.PauseEnd)
		return false
	}
	if sys := m.whole(name); sys != nil {
		*sys = secondNumber(value)
	}
	field := m.field(name)
	if field == nil {
		return false
	}
	v, err := strconv.ParseFloat(string(firstWord(value)), 64)
	if err == nil {
		*field = v
	}
	return err == nil
}

// profileRate reads it from the first line of a heap profile's text, which has twice the rate (runtime/pprof,
// writeHeapInternal): "heap profile: 2: 96 [8: 640] @ heap/1048576".
func profileRate(l []byte) (float64, bool) {
	if !bytes.HasPrefix(l, []byte("heap profile: ")) {
		return 0, false
	}
	_, twice, ok := bytes.Cut(bytes.TrimSpace(l), []byte(" @ heap/"))
	v, err := strconv.ParseFloat(string(twice), 64)
	return v / 2, ok && err == nil
}

// memFields is how many fields have a line of their own.
const memFields = 18

// field is the one with a line of that name; nil if there is none. It is no map, which each reading would make anew.
func (m *MemStats) field(name []byte) *float64 {
	switch string(name) {
	case "TotalAlloc":
		return &m.TotalAlloc
	case "Sys":
		return &m.Sys
	case "Mallocs":
		return &m.Mallocs
	case "HeapAlloc":
		return &m.HeapAlloc
	case "HeapReleased":
		return &m.HeapReleased
	case "HeapInuse":
		return &m.HeapInuse
	case "HeapSys":
		return &m.HeapSys
	case "HeapIdle":
		return &m.HeapIdle
	case "HeapObjects":
		return &m.HeapObjects
	case "NextGC":
		return &m.NextGC
	case "Stack":
		return &m.StackInuse
	case "BuckHashSys":
		return &m.BuckHashSys
	case "GCSys":
		return &m.GCSys
	case "OtherSys":
		return &m.OtherSys
	case "LastGC":
		return &m.LastGC
	case "NumGC":
		return &m.NumGC
	case "NumForcedGC":
		return &m.NumForcedGC
	case "GCCPUFraction":
		return &m.GCCPUFraction
	}
	return nil
}

// whole is the field for the second number of a line "MSpan = in use / from the system".
func (m *MemStats) whole(name []byte) *float64 {
	switch string(name) {
	case "Stack":
		return &m.StackSys
	case "MSpan":
		return &m.MSpanSys
	case "MCache":
		return &m.MCacheSys
	}
	return nil
}

// secondNumber is that of "131072 / 262144"; 0 if there is none.
func secondNumber(b []byte) float64 {
	_, second, _ := bytes.Cut(b, []byte(" / "))
	v, err := strconv.ParseFloat(string(second), 64)
	if err != nil {
		return 0
	}
	return v
}

func memLine(l []byte) (name, value []byte, ok bool) {
	l, ok = bytes.CutPrefix(l, []byte("# "))
	if !ok {
		return nil, nil, false
	}
	name, value, ok = bytes.Cut(l, []byte(" = "))
	return name, bytes.TrimSpace(value), ok
}

// firstWord is the number in "Stack = 131072 / 131072".
func firstWord(b []byte) []byte {
	w, _, _ := bytes.Cut(b, []byte(" "))
	return w
}

func parseRing(b []byte, ring *[256]uint64) {
	b = bytes.Trim(b, "[]")
	for i := range ring {
		var w []byte
		if w, b = word(b); len(w) == 0 {
			return
		}
		ring[i], _ = strconv.ParseUint(string(w), 10, 64) // a bad entry is a pause of 0
	}
}

// A memReader turns MemStats into signals and decides how often reading them is affordable.
type memReader struct {
	last   memMark
	at     time.Time // when last was read; zero for never
	due    time.Time // not before
	gcMark memMark   // the reading at which a new GC cycle was last seen
	live   liveHeap
}

// recordCost is what heap?debug=1 costs the target for each record of its memory profile: 1,000 records took 2 ms, and
// 32,000 took 64 ms (Go 1.26, the heap profile at its default rate). It is an estimate from the count, not a stopwatch:
// when the target is short of CPU, waiting for its answer would make us sample less exactly when it matters.
const recordCost = 2 * time.Microsecond

// costShare is the part of one core that reading MemStats may take.
const costShare = 0.003

// MemStatsEvery is how often Sample reads MemStats at most, of a target with so many records in its memory profile.
func MemStatsEvery(records int) time.Duration {
	cost := time.Duration(records) * recordCost
	return time.Duration(float64(cost) / costShare)
}

func (t *HTTP) sampleMemStats(ctx context.Context, s *vitals.Sample, c counts) {
	if s.Time.Before(t.mem.due) {
		return
	}
	m := memStats.Get().(*MemStats)
	defer memStats.Put(m)
	if err := t.readMemStats(ctx, m); err != nil {
		t.absent.set(err.Error(), memSignals[:]...)
		t.mem.due = s.Time.Add(5 * time.Second)
		return
	}
	t.absent.clear(memSignals[:]...)
	t.account.Store(&dated{m.accounts, s.Time})
	if m.TotalAlloc < t.mem.last.TotalAlloc && t.proc.Load() == nil {
		t.reset = true // it only grows: this is another process
	}
	t.mem.due = s.Time.Add(MemStatsEvery(c["heap"])).Add(-10 * time.Millisecond) // ticks jitter
	var started time.Time
	if p := t.proc.Load(); p != nil {
		started = p.started
	} else {
		t.absent.set("needs the process's start time: "+t.whyNoProcess(), vitals.GCCPU, vitals.OffHeap,
			vitals.OffHeapAnon)
	}
	t.mem.apply(m, s, started)
	if _, ok := s.Get(vitals.RSS); ok {
		rss := s.Values[vitals.RSS]
		s.Set(vitals.OffHeap, max(rss-s.Values[vitals.GoMemory], 0))
		if anon, ok := s.Get(vitals.RSSAnon); ok {
			s.Set(vitals.OffHeapAnon, max(anon-s.Values[vitals.GoMemory], 0))
		}
	}
}

// memSignals are the signals that come from MemStats.
var memSignals = [...]vitals.ID{
	vitals.GCCPU, vitals.GCRate, vitals.GCForced, vitals.GCPause, vitals.HeapAlloc, vitals.HeapLive, vitals.HeapGoal, vitals.HeapObjects,
	vitals.AllocRate, vitals.AllocObjectRate, vitals.Stacks, vitals.GoMemory,
}

// apply sets the signals of a reading. started is when the process began, zero if unknown.
func (r *memReader) apply(m *MemStats, s *vitals.Sample, started time.Time) {
	s.Set(vitals.HeapAlloc, m.HeapAlloc)
	s.Set(vitals.HeapGoal, m.NextGC)
	s.Set(vitals.HeapObjects, m.HeapObjects)
	s.Set(vitals.Stacks, m.StackInuse)
	s.Set(vitals.GoMemory, m.Sys-m.HeapReleased)
	if r.at.IsZero() || m.TotalAlloc < r.last.TotalAlloc || m.NumGC < r.last.NumGC { // first, or another process
		*r = memReader{last: m.mark(), at: s.Time, due: r.due, gcMark: m.mark()}
		return
	}
	if v, ok := r.live.read(m, s.Time, &r.last, r.at); ok {
		s.Set(vitals.HeapLive, v)
	}
	if dt := s.Time.Sub(r.at).Seconds(); dt > 0 {
		s.Set(vitals.AllocRate, (m.TotalAlloc-r.last.TotalAlloc)/dt)
		s.Set(vitals.AllocObjectRate, (m.Mallocs-r.last.Mallocs)/dt)
		s.Set(vitals.GCRate, (m.NumGC-r.last.NumGC)/dt)
		s.Set(vitals.GCForced, (m.NumForcedGC-r.last.NumForcedGC)/dt)
	}
	if m.NumGC > r.gcMark.NumGC {
		s.Set(vitals.GCPause, longestPause(m, r.gcMark.lastGC))
		now := m.mark()
		if share, ok := gcShare(&r.gcMark, &now, started); ok {
			s.Set(vitals.GCCPU, share)
		}
		r.gcMark = now
	}
	r.last, r.at = m.mark(), s.Time
}

// gcShare is the GC's share of the available CPU between the ends of two GC cycles.
//
// GCCPUFraction is that share since the process started, computed by the runtime at the end of each cycle
// (runtime/mgc.go, gcMarkTermination; idle marking left out). With T the process's age at the end of a cycle, the GC
// has taken fraction×T of the CPU there was, so between two cycles it took (f₂T₂ − f₁T₁) / (T₂ − T₁). An error ε in the
// start time shifts the result by less than ε/T.
func gcShare(a, b *memMark, started time.Time) (float64, bool) {
	if started.IsZero() || a.lastGC == 0 {
		return 0, false
	}
	start := float64(started.UnixNano())
	ta, tb := a.lastGC-start, b.lastGC-start
	if ta <= 0 || tb <= ta {
		return 0, false
	}
	share := (b.cpuFraction*tb - a.cpuFraction*ta) / (tb - ta)
	return min(max(share, 0), 1), true
}

// longestPause is the longest stop of the world for GC that ended after a time (ns since 1970), in seconds.
func longestPause(m *MemStats, after float64) float64 {
	var longest uint64
	for i, end := range m.PauseEnd {
		if float64(end) > after {
			longest = max(longest, m.PauseNs[i])
		}
	}
	return float64(longest) / 1e9
}

// A histogram remembers the counts of a runtime histogram, to tell what came since.
type histogram struct {
	last    []uint64
	came    []uint64 // between the last two calls of advance
	total   uint64   // of came
	buckets []float64
}

// advance notes what came since the call before.
func (h *histogram) advance(m *metrics.Sample) {
	if m.Value.Kind() != metrics.KindFloat64Histogram {
		h.total = 0
		clear(h.came)
		return
	}
	now := m.Value.Float64Histogram()
	if len(h.last) != len(now.Counts) {
		h.last, h.came = make([]uint64, len(now.Counts)), make([]uint64, len(now.Counts))
	}
	h.total, h.buckets = 0, now.Buckets
	for i, c := range now.Counts {
		h.came[i] = c - h.last[i]
		h.total += h.came[i]
	}
	copy(h.last, now.Counts)
}

// quantile is the upper bound of the bucket that holds the q-quantile of what came, NaN if nothing did.
func (h *histogram) quantile(q float64) float64 {
	v, found := quantile(h.came, h.buckets, uint64(math.Ceil(q*float64(h.total))))
	if !found {
		return math.NaN()
	}
	return v
}

// quantile is the upper bound of the bucket that holds the n-th value.
func quantile(counts []uint64, buckets []float64, n uint64) (float64, bool) {
	var sum uint64
	for i, c := range counts {
		if sum += c; sum >= n && c > 0 {
			upper := buckets[i+1]
			if math.IsInf(upper, 1) {
				upper = buckets[i]
			}
			return upper, true
		}
	}
	return 0, false
}
