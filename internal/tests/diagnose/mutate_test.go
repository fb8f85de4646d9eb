package diagnose_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose"
)

// These mutations change evidence by its structure: a file stays readable, and it says what no process would say.
// Readers refuse random changes of bytes, which therefore never reach a detector.

// A mutator makes the same changes for the same seed.
type mutator struct{ *rand.Rand }

func newMutator(seed uint64) mutator { return mutator{rand.New(rand.NewPCG(seed, 15))} }

func (m mutator) one(share float64) bool { return m.Float64() < share }

func pick[T any](m mutator, list []T) T { return list[m.IntN(len(list))] }

// input changes some of the evidence of a case, what is known about it, or both.
func (m mutator) input(in diagnose.Input) diagnose.Input {
	out := in
	out.Evidence = nil
	for _, e := range in.Evidence {
		if m.one(0.1) {
			continue
		}
		if m.one(0.7) {
			e.Data = m.data(e.Data)
		}
		if m.one(0.2) {
			e.Taken = pick(m, []time.Time{{}, time.Unix(0, math.MinInt64), time.Unix(1<<40, 0), e.Taken.Add(-time.Hour),
				e.Taken.Add(time.Duration(m.Int64()))})
		}
		if m.one(0.1) {
			e.Seconds = pick(m, []float64{0, -1, 1e-300, 1e300, math.Inf(1), math.NaN()})
		}
		if m.one(0.05) {
			e.Kind = pick(m, []string{"", "cpu", "heap", "goroutine", "mutex", "block", "vitals", "runtime"})
		}
		out.Evidence = append(out.Evidence, e)
		if m.one(0.05) {
			out.Evidence = append(out.Evidence, e)
		}
	}
	if m.one(0.2) {
		out.Limits.CPUs, out.Limits.CPUQuota, out.Limits.MemoryBytes = pick(m, m.numbers()), pick(m, m.numbers()),
			m.value(out.Limits.MemoryBytes)
	}
	if m.one(0.2) {
		out.Started, out.Tripped = pick(m, []time.Time{{}, time.Unix(1<<40, 0), in.Started}),
			pick(m, []time.Time{{}, time.Unix(0, 1)})
	}
	return out
}

// data changes one file, whatever it is.
func (m mutator) data(b []byte) []byte {
	plain := unpacked(b)
	switch {
	case bytes.HasPrefix(plain, []byte("{")):
		return []byte(m.lines(string(plain), m.jsonLine))
	case bytes.HasPrefix(plain, []byte("goroutine ")):
		return []byte(m.lines(string(plain), m.dumpLine))
	}
	p, err := profile.ParseData(plain)
	if err != nil {
		return []byte(m.lines(string(plain), m.dumpLine))
	}
	m.profile(p)
	var out bytes.Buffer
	if err := p.WriteUncompressed(&out); err != nil {
		return b
	}
	return out.Bytes()
}

// extreme values make sums overflow, divisors vanish and signs turn.
func extreme() []int64 {
	return []int64{0, 1, -1, 2, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 62, -1 << 62,
		1 << 53, 1 << 32, math.MaxInt32}
}

func (m mutator) value(v int64) int64 {
	switch m.IntN(4) {
	case 0:
		return -v
	case 1:
		return v * int64(m.IntN(1000))
	}
	return pick(m, extreme())
}

func (m mutator) numbers() []float64 {
	return []float64{0, -1, 1, 1e308, -1e308, 5e-324, 1e18, math.MaxInt64, m.Float64()}
}

// names that detectors split, and parts of such names.
func (m mutator) name(old string, all []*profile.Function) string {
	switch m.IntN(5) {
	case 0:
		return pick(m, all).Name
	case 1:
		return old[:m.IntN(len(old)+1)]
	case 2:
		return old[m.IntN(len(old)+1):]
	case 3:
		return strings.Repeat(old, m.IntN(3)) + pick(m, hardNames)
	}
	return pick(m, hardNames)
}

var hardNames = []string{"", ".", "/", "(", ")", "[", "]", "[]", "[...]", "main", "main.", ".main", "main.(", "main.(*",
	"main.(*T)", "main.(*T).", "main.()", "main..", "main.func1",
	"main.f.func1.2.3", "a/b/", "a/b.", "x.(*y).z-fm", "runtime.", "runtime.main", "runtime.gcBgMarkWorker",
	"runtime.mallocgc", "runtime.goexit", "sync.(*Mutex).Lock",
	"sync.(*RWMutex).RLock", "runtime.gopark", "runtime.chansend1", "net/http.(*conn).serve",
	"net/http.(*persistConn).readLoop", "runtime.selectgo", "database/sql.(*DB).conn",
	"\x00", "\xff\xfe", "a\nb", "main.\u202e", strings.Repeat("main.f[", 50), strings.Repeat("x/", 300) + "y.z",
	"%d%s%n", "runtime/pprof.Do", "main.main"}

// profile changes values, names, stacks, types or the header.
func (m mutator) profile(p *profile.Profile) {
	for range 1 + m.IntN(3) {
		share := pick(m, []float64{0.01, 0.1, 0.5, 1})
		switch m.IntN(6) {
		case 0:
			m.values(p, share)
		case 1:
			if len(p.Function) > 0 {
				m.functions(p, share)
			}
		case 2:
			m.stacks(p, share)
		case 3:
			m.locations(p, share)
		case 4:
			m.types(p)
		case 5:
			p.Period, p.DurationNanos, p.TimeNanos = m.value(p.Period), m.value(p.DurationNanos), m.value(p.TimeNanos)
		}
	}
}

func (m mutator) values(p *profile.Profile, share float64) {
	same, all := pick(m, extreme()), m.one(0.5)
	for _, s := range p.Sample {
		for i := range s.Value {
			switch {
			case !m.one(share):
			case all:
				s.Value[i] = same
			default:
				s.Value[i] = m.value(s.Value[i])
			}
		}
	}
}

func (m mutator) functions(p *profile.Profile, share float64) {
	same, all := pick(m, hardNames), m.one(0.3)
	for _, f := range p.Function {
		switch {
		case !m.one(share):
		case all:
			f.Name = same
		default:
			f.Name = m.name(f.Name, p.Function)
		}
		if m.one(share / 4) {
			f.Filename = pick(m, []string{"", "/", "x.go", "a b\\c.go", "/vendor/", "@v", "<autogenerated>", "\x00",
				":1:2"})
		}
	}
}

func (m mutator) stacks(p *profile.Profile, share float64) {
	for _, s := range p.Sample {
		if !m.one(share) {
			continue
		}
		switch m.IntN(6) {
		case 0:
			s.Location = nil
		case 1:
			if n := len(s.Location); n > 0 {
				s.Location = s.Location[m.IntN(n):]
			}
		case 2:
			if n := len(s.Location); n > 0 {
				s.Location = s.Location[:m.IntN(n)]
			}
		case 3:
			m.Shuffle(len(s.Location), func(i, j int) { s.Location[i], s.Location[j] = s.Location[j], s.Location[i] })
		case 4:
			s.Location = append(append([]*profile.Location(nil), s.Location...), s.Location...)
		case 5:
			if len(p.Location) > 0 {
				s.Location = []*profile.Location{pick(m, p.Location)}
			}
		}
	}
}

func (m mutator) locations(p *profile.Profile, share float64) {
	for _, l := range p.Location {
		switch {
		case !m.one(share):
		case m.one(0.3):
			l.Line = nil
		case m.one(0.3):
			l.Line = append(append([]profile.Line(nil), l.Line...), pick(m, p.Location).Line...)
		default:
			for i := range l.Line {
				l.Line[i].Line = pick(m, extreme())
			}
		}
	}
}

func (m mutator) types(p *profile.Profile) {
	if len(p.SampleType) == 0 {
		return
	}
	switch m.IntN(3) {
	case 0:
		m.Shuffle(len(p.SampleType), func(i, j int) {
			p.SampleType[i], p.SampleType[j] = p.SampleType[j],
				p.SampleType[i]
		})
	case 1:
		*pick(m, p.SampleType) = *pick(m, p.SampleType)
	case 2:
		st := pick(m, p.SampleType)
		st.Type = pick(m, []string{"", "cpu", "samples", "inuse_space", "alloc_objects", "contentions", "delay",
			"goroutine", "x"})
		st.Unit = pick(m, []string{"", "count", "bytes", "nanoseconds", "furlongs"})
	}
}

// lines changes, drops, doubles and moves some lines of a text.
func (m mutator) lines(text string, change func(string) string) string {
	lines, share := strings.SplitAfter(text, "\n"), pick(m, []float64{0.01, 0.1, 0.5})
	var out strings.Builder
	for i, line := range lines {
		switch {
		case !m.one(share):
			out.WriteString(line)
		case m.one(0.15): // dropped
		case m.one(0.15):
			out.WriteString(line + line)
		case m.one(0.15):
			out.WriteString(lines[m.IntN(len(lines))])
		default:
			out.WriteString(change(lines[i]))
		}
	}
	return out.String()
}

// dumpLine changes a line of a goroutine dump, or of a profile as text.
func (m mutator) dumpLine(line string) string {
	name, rest, isHeader := strings.Cut(line, " [")
	switch {
	case isHeader && strings.HasPrefix(name, "goroutine ") && m.one(0.5):
		return name +
			" [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by main.main in goroutine " +
			"1\n\t/src/main.go:10 +0x1\n\n"
	case isHeader && m.one(0.5):
		return name + " [" + pick(m, []string{"", ",", ", ", "running", "sync.Mutex.Lock, 5 minutes",
			"chan receive, 99999999999999999999 minutes", "sync.RWMutex.RLock", "runnable",
			"semacquire, -1 minutes", "select (no cases)", "chan send (nil chan), 1 minutes, locked to thread"}) +
			"]:\n"
	case m.one(0.3):
		return pick(m, hardNames) + rest
	case m.one(0.3):
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return pick(m, []rune("0019"))
			}
			return r
		}, line)
	}
	return line[m.IntN(len(line)+1):]
}

// jsonLine replaces some numbers in a line of JSON with extreme ones.
func (m mutator) jsonLine(line string) string {
	parts := strings.SplitAfter(line, ":")
	for i, p := range parts {
		end := strings.IndexAny(p, ",}")
		if end > 0 && strings.Trim(p[:end], "-0123456789.eE") == "" && m.one(0.3) {
			parts[i] = pick(m, []string{"0", "-1", "1e308", "-1e308", "5e-324", "1e18", "9223372036854775807", "1e999",
				"null"}) + p[end:]
		}
	}
	return strings.Join(parts, "")
}

// whole fails the test if a diagnosis panicked, or says what cannot be.
func whole(t testing.TB, rep diagnose.Report) {
	t.Helper()
	if len(rep.Failed) > 0 {
		t.Errorf("detectors failed: %v", rep.Failed)
	}
	for _, p := range rep.Problems {
		if strings.HasPrefix(p.Reason, "not a readable profile (") {
			t.Errorf("a reader broke: %s: %s", p.File, p.Reason)
		}
	}
	for _, fd := range rep.Findings {
		if fd.Score < 25 || fd.Score > 100 || !(fd.Confidence >= 0 && fd.Confidence <= 1) || len(fd.Where) == 0 ||
			!(fd.Impact.Share >= 0 && fd.Impact.Share <= 1) {
			t.Errorf("%s: score %d, confidence %v, %d places, impact %v", fd.ID, fd.Score, fd.Confidence, len(fd.Where),
				fd.Impact.Share)
		}
		if text := fd.Title + fd.Summary + fd.Impact.Text; strings.Contains(text, "NaN") ||
			strings.Contains(text, "Inf ") || strings.Contains(text, "-9223372036854775808") {
			t.Errorf("%s: not a number: %s", fd.ID, text)
		}
	}
}
