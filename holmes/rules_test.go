package holmes

import (
	"errors"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A judge replays values of one kind at the interval of the options.
type judge struct {
	t       *testing.T
	o       options
	kind    kind
	engine  *rule.Engine
	record  *record
	catalog *vitals.Catalog
	history *vitals.History
	now     time.Time
}

// ofHost is 4 cores and 1000 bytes: one percent of memory is 10 bytes.
func ofHost() scale { return scale{cores: 4, memory: 1000} }

func newJudge(t *testing.T, k kind, opts ...Option) *judge {
	t.Helper()
	o, err := newOptions().with(opts)
	must(t, err)
	o.kinds[k].Enable = true
	catalog, err := vitals.NewCatalog(signals()...)
	must(t, err)
	j := &judge{t: t, o: o, kind: k, record: new(record), catalog: catalog, history: vitals.NewHistory(1000),
		now: time.Unix(1_700_000_000, 0)}
	j.apply()
	return j
}

// apply does what Set does in a run.
func (j *judge) apply(opts ...Option) {
	j.t.Helper()
	o, err := j.o.with(opts)
	must(j.t, err)
	engine, err := rule.NewEngine(o.rules(ofHost()), j.catalog)
	must(j.t, err)
	if j.engine != nil {
		engine.Follow(j.engine, j.now)
	}
	j.o, j.engine = o, engine
	j.record.set(&o, ofHost())
}

// see judges one more sample, in the unit of the thresholds.
func (j *judge) see(v float64) bool {
	j.now = j.now.Add(j.o.interval)
	s := vitals.NewSample(j.now)
	scale, ids := ofHost(), kindIDs()
	s.Set(ids[cpu].value, 0)
	s.Set(ids[j.kind].value, v*scale.unit(j.kind))
	j.record.judge(&s, &ids)
	fired := j.engine.Step(&s, j.history)
	j.history.Add(s)
	return len(fired) > 0
}

// calm sees a value as often as the warm-up needs.
func (j *judge) calm(v float64) *judge {
	j.t.Helper()
	for range baselineSamples {
		if j.see(v) {
			j.t.Fatalf("%g fired while it was calm", v)
		}
	}
	return j
}

func TestThresholds(t *testing.T) {
	cpuOpt := WithCPUDump(10, 25, 70, time.Minute)
	for _, c := range []struct {
		name       string
		kind       kind
		opt        Option
		calm, then float64
		want       bool
	}{
		{"below min, though risen", cpu, cpuOpt, 2, 9.9, false},
		{"risen by diff", cpu, cpuOpt, 20, 25.1, true},
		{"not risen by diff", cpu, cpuOpt, 20, 24.9, false},
		{"above abs", cpu, cpuOpt, 65, 71, true},
		{"memory risen", mem, WithMemDump(10, 25, 80, time.Minute), 40, 50.1, true},
		{"the live heap above abs", gcHeap, WithGCHeapDump(10, 20, 40, time.Minute), 38, 41, true},
		{"threads", thread, WithThreadDump(10, 25, 70, time.Minute), 69, 71, true},
		{"goroutines", goroutine, WithGoroutineDump(10, 25, 2000, 10_000, time.Minute), 1900, 2001, true},
		{"goroutines at max", goroutine, WithGoroutineDump(10, 25, 2000, 10_000, time.Minute), 1900, 10_000, false},
		{"goroutines just below max", goroutine, WithGoroutineDump(10, 25, 2000, 10_000, time.Minute), 1900, 9_999,
			true},
		{"goroutines at the limit", goroutine, WithGoroutineDump(5, 10, 20, 90, time.Minute), 10, 11, true},
		{"a diff of 0 is any rise", cpu, WithCPUDump(10, 0, 70, time.Minute), 20, 20.1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := newJudge(t, c.kind, c.opt).calm(c.calm).see(c.then); got != c.want {
				t.Errorf("%g after %g fired: %t, want %t", c.then, c.calm, got, c.want)
			}
		})
	}
}

// holmes puts the value into the ring and then compares it with the ring's mean: after ten times 1000 and then 1260, it
// compares 1260 with 1026 + 25 %, which is 1282.
func TestCurrentValueIsNotInItsOwnBaseline(t *testing.T) {
	j := newJudge(t, goroutine, WithGoroutineDump(10, 25, 200_000, 0, time.Minute)).calm(1000)
	if !j.see(1260) {
		t.Error("26 % over the mean of before did not fire at 25 %")
	}
}

// holmes reckons in whole numbers, in which 10 % over 9 goroutines is 9: nine, ten times, are a rise. It is odd, but
// what small thresholds were tried with; holmes' own reporter_test.go needs it.
func TestSmallNumbersAreWhole(t *testing.T) {
	for calm, want := range map[float64]bool{9: true, 10: false} {
		j := newJudge(t, goroutine, WithGoroutineDump(5, 10, 20, 90, time.Minute))
		fired := false
		for range 2 * baselineSamples {
			fired = j.see(calm) || fired
		}
		if fired != want {
			t.Errorf("%g goroutines, always, fired: %t, want %t", calm, fired, want)
		}
	}
}

// holmes cuts 70.9 % to 70, which is not above 70.
func TestPercentagesAreNotCutToWholeNumbers(t *testing.T) {
	if !newJudge(t, cpu, WithCPUDump(10, 1000, 70, time.Minute)).calm(65).see(70.9) {
		t.Error("70.9 % did not fire above 70")
	}
}

func TestNothingFiresBeforeTenIntervals(t *testing.T) {
	j := newJudge(t, cpu)
	for i := range baselineSamples - 1 {
		if j.see(99) {
			t.Fatalf("sample %d of %d fired", i+1, baselineSamples)
		}
	}
	if !j.see(99) {
		t.Error("the tenth sample did not fire")
	}
}

func TestRuleIsNotDisabledAfterNRuns(t *testing.T) {
	j := newJudge(t, cpu, WithCollectInterval("10s"), WithCPUDump(10, 25, 70, time.Minute))
	fired := 0
	for range 10_000 {
		if j.see(90) {
			fired++
		}
	}
	if want := 10_000 / 6; fired < want-5 || fired > want+5 {
		t.Errorf("fired %d times in 100,000 s with a cool-down of 60 s, want about %d", fired, want)
	}
}

func TestCPUMaxKeepsEveryKindQuiet(t *testing.T) {
	j := newJudge(t, cpu, WithCPUMax(80), WithCPUDump(10, 1000, 70, time.Minute)).calm(60)
	if j.see(85) {
		t.Error("fired at 85 % of CPU with a maximum of 80")
	}
	if !j.see(75) {
		t.Error("did not fire at 75 % of CPU with a maximum of 80")
	}
	h := mustNew(t, WithCPUMax(80))
	if h.EnableDump(80) == nil || h.EnableDump(79) != nil {
		t.Error("EnableDump allows 80 % or refuses 79 % with a maximum of 80")
	}
}

func TestCooldownOfZero(t *testing.T) {
	j := newJudge(t, cpu, WithCPUDump(10, 25, 70, 0)).calm(60)
	for i := range 2 {
		if !j.see(90) {
			t.Errorf("sample %d of two above the limit did not fire, though there is no cool-down", i+1)
		}
	}
}

// In a container, holmes uses the machine's memory. With WithCGroup its loop ends where there is only cgroup v2.
func TestMemoryLimitInContainer(t *testing.T) {
	pod := casefile.Limits{CPUs: 1.5, MemoryBytes: 512 << 20}
	const total = 64 << 30
	for _, c := range []struct {
		name          string
		opts          []Option
		limits        casefile.Limits
		total         float64
		cores, memory float64
	}{
		{"the container's", nil, pod, total, 1.5, 512 << 20},
		{"with WithCGroup, the same", []Option{WithCGroup(true)}, pod, total, 1.5, 512 << 20},
		{"without a container, the machine's", nil, casefile.Limits{CPUs: 8}, total, 8, total},
		{"a limit above the machine is none", nil, casefile.Limits{CPUs: 8, MemoryBytes: 1 << 40}, total, 8, total},
		{"as the options say", []Option{WithMemoryLimit(100), WithCPUCore(0.5)}, pod, total, 0.5, 100},
		{"where the machine is not known", nil, pod, 0, 1.5, 512 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := newOptions().with(c.opts)
			must(t, err)
			s := o.scale(machine{c.limits, c.total, nil})
			if s.cores != c.cores || s.memory != c.memory || s.noLimit != nil {
				t.Errorf("100 %% is %g cores and %g bytes (%v), want %g and %g", s.cores, s.memory, s.noLimit, c.cores,
					c.memory)
			}
		})
	}
}

func TestUnknownMemoryIsNotJudged(t *testing.T) {
	o := newOptions()
	s := o.scale(machine{unknown: errors.New("unknown here")})
	if s.noLimit == nil {
		t.Error("nothing says that the memory is not known")
	}
	o.kinds[mem].Enable, o.kinds[gcHeap].Enable = true, true
	if rules := o.rules(s); len(rules) != 1 || rules[0].Name != "holmes-nothing" {
		t.Errorf("memory of unknown size is judged by %+v", rules)
	}
}

func TestParseMemTotal(t *testing.T) {
	for text, want := range map[string]float64{
		"MemTotal:       16077216 kB\nMemFree: 1 kB\n": 16077216 * 1024,
		"MemFree: 1 kB\n":               0,
		"MemTotal: -1 kB\n":             0,
		"MemTotal: 0 kB\n":              0,
		"MemTotal:\n":                   0,
		"":                              0,
		"MemFree: 1 kB\nMemTotal: 2 kB": 2048,
	} {
		got, err := parseMemTotal([]byte(text))
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %g (%v), want %g", text, got, err, want)
		}
	}
}
