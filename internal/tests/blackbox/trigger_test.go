package blackbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/vitals"
)

// series is 60 samples, one per second, made by set from the seconds that are left before the end.
func series(set func(s *vitals.Sample, before float64)) []vitals.Sample {
	var list []vitals.Sample
	for i := range 60 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		set(&s, float64(59-i))
		list = append(list, s)
	}
	return list
}

const mib = 1 << 20

// memoryTo is memory that ends at a share of 512 MiB, after it rose by rate bytes per second.
func memoryTo(share, rate float64) func(*vitals.Sample, float64) {
	return func(s *vitals.Sample, before float64) {
		rss := max(share*512*mib-rate*before, 0)
		s.Set(vitals.RSS, rss)
		s.Set(vitals.MemoryLimit, 512*mib)
		s.Set(vitals.MemoryShare, rss/(512*mib))
	}
}

func TestTrigger(t *testing.T) {
	quiet := func(s *vitals.Sample, before float64) {
		memoryTo(0.4, 0)(s, before)
		s.Set(vitals.CPU, 1.2)
		s.Set(vitals.Goroutines, 340)
		s.Set(vitals.Threads, 12)
	}
	count := func(id vitals.ID, was, is float64) func(*vitals.Sample, float64) {
		return func(s *vitals.Sample, before float64) {
			if s.Set(id, was); before < 10 {
				s.Set(id, is)
			}
		}
	}
	word := "the process ended without a word"
	for _, c := range []struct {
		name     string
		samples  []vitals.Sample
		rebooted bool
		kills    int64
		want     string
		signal   string
	}{
		{"memory", series(memoryTo(0.99, 12*mib)), false, -1,
			"killed; memory was at 99 % of 512 MiB (memory_share), rising 12 MiB/s", "memory_share"},
		{"memory and the kernel's word", series(memoryTo(0.99, 0)), false, 1,
			"killed, most likely out of memory: the kernel's OOM killer struck 1 time in its cgroup since it " +
				"started; memory was at 99 % of 512 MiB (memory_share)", "memory_share"},
		{"memory, and the kernel says no", series(memoryTo(0.96, 0)), false, 0,
			word + "; memory was at 96 % of 512 MiB (memory_share), but the kernel counts no OOM kill in its cgroup",
			"memory_share"},
		{"memory between two samples", series(memoryTo(0.70, 200*mib)), false, -1,
			"killed; memory was at 70 % of 512 MiB (memory_share), rising 200 MiB/s, which reaches the limit " +
				"before the next sample",
			"memory_share"},
		{"the kernel's word only", series(quiet), false, 2,
			"killed, most likely out of memory: the kernel's OOM killer struck 2 times in its cgroup since it " +
				"started; memory was at 40 % of 512 MiB (memory_share), 1.2 cores in use, 340 goroutines, 12 " +
				"threads", ""},
		{"restart", series(quiet), true, -1,
			"the machine was restarted; memory was at 40 % of 512 MiB (memory_share), 1.2 cores in use, 340 " +
				"goroutines, 12 threads",
			""},
		{"threads", series(count(vitals.Threads, 20, 9900)), false, -1,
			word + "; it had 9,900 threads, and the Go runtime ends a process that needs more than 10000", "threads"},
		{"goroutines", series(count(vitals.Goroutines, 1000, 230_000)), false, -1,
			word + "; it had 230 k goroutines, 1,000 at the median of the last 59s", "goroutines"},
		{"many goroutines as ever", series(count(vitals.Goroutines, 230_000, 230_000)), false, -1,
			word + " (SIGKILL, a crash, or os.Exit); 230 k goroutines", ""},
		{"quiet", series(quiet), false, 0,
			word +
				" (SIGKILL, a crash, or os.Exit); memory was at 40 % of 512 MiB (memory_share), 1.2 cores in use, " +
				"340 goroutines, 12 threads",
			""},
		{"no samples", nil, false, -1, word + " (SIGKILL, a crash, or os.Exit); no sample had been taken yet", ""},
		{"nothing known", series(func(*vitals.Sample, float64) {}), false, -1,
			word + " (SIGKILL, a crash, or os.Exit); no sample had been taken yet", ""},
		{"rss without its share", series(count(vitals.RSS, 510*mib, 510*mib)), false, -1,
			"killed; memory was at 99.6 % of 512 MiB (memory_share)", "memory_share"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := blackbox.Record{Target: phones(), Started: start.Add(-time.Hour), Samples: c.samples, Rebooted: c.rebooted,
				OOMKills: c.kills}
			if strings.HasPrefix(c.name, "thr") || strings.HasPrefix(c.name, "gor") ||
				strings.HasPrefix(c.name, "many") {
				r.Target.Limits = casefile.Limits{}
			}
			got := r.Trigger()
			if got.Text != c.want || got.Signal != c.signal || got.Rule != "killed" {
				t.Errorf("got  %+v\nwant %s (%s)", got, c.want, c.signal)
			}
			when := r.Started
			if n := len(c.samples); n > 0 {
				when = c.samples[n-1].Time
			}
			if !got.Time.Equal(when) {
				t.Errorf("its time is %s, want %s", got.Time, when)
			}
			ob, trouble := blackbox.Obituary(r.Target, c.samples)
			if trouble != (c.signal != "") || len(c.samples) > 0 && !strings.HasPrefix(ob.Text, "the process ended; ") {
				t.Errorf("Obituary = %+v, %v", ob, trouble)
			}
		})
	}
}
