package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

const quotaKind = "cpu-quota"

// TestQuotaRecorded: programs by other hands whose quota was used up, and others whose was not, or that nobody waits
// for.
func TestQuotaRecorded(t *testing.T) {
	for _, tt := range []struct {
		dir   string
		first bool // the kind is found, and first
		most  int  // of the score where it is not
	}{
		{"foreign/caddy-quota", true, 0}, {"foreign/etcd-quota", true, 0}, {"foreign/prometheus-quota", true, 0},
		{"foreign/coredns-quota", true, 0}, {"foreign/prometheus-bursts", true, 0},
		{"foreign/etcd-quota-unused", false, 0}, {"foreign/prometheus-quota-start", false, 0},
		{"foreign/caddy-full-quota", false, 0}, {"foreign/caddy-no-quota", false, 0},
		{"quota/batch", false, capNotice},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			fs := judged(t, tt.dir).Findings
			if tt.first && (len(fs) == 0 || fs[0].Kind != quotaKind || fs[0].Score < 50) {
				t.Errorf("found %v, want the quota first", titlesOf(fs))
			}
			for _, f := range fs {
				if f.Kind == quotaKind && !tt.first && f.Score > tt.most {
					t.Errorf("found %d %s; want %d at most", f.Score, f.Title, tt.most)
				}
			}
		})
	}
}

func titlesOf(fs []casefile.Finding) (out []string) {
	for _, f := range fs {
		out = append(out, f.Kind+": "+f.Title)
	}
	return out
}

// TestQuotaRemedies: the remedy follows the numbers, and so does the number of cores.
func TestQuotaRemedies(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	signals := func(throttled, held, used, procs float64) map[vitals.ID]func(int) float64 {
		m := map[vitals.ID]func(int) float64{vitals.Throttled: constant(throttled),
			vitals.ThrottledCores: constant(held), vitals.CPU: constant(used)}
		if procs > 0 {
			m[vitals.GoMaxProcs] = constant(procs)
		}
		return m
	}
	busy := dumpOf(crowd{40, "IO wait", "net/http.(*conn).serve:1", ""})
	work := map[string]int64{"main.work net/http.(*conn).serve": 400}
	for _, tt := range []struct {
		name   string
		quota  float64
		goVer  string
		values map[vitals.ID]func(int) float64
		ticks  map[string]int64
		first  string // of the first remedy's title
		text   string // of the summary or the remedies
	}{
		// a share of 0.8 on 2 cores, one CPU held back: the work needs about 3
		{"all used up", 2, "go1.24.1", signals(0.8, 0.8, 1.98, 48), work, "A CPU limit of 3 cores",
			"With 3 cores at most, fewer than 5 % of the periods"},
		{"bursts of many threads", 2, "go1.24.1", signals(0.5, 8, 0.6, 48), work, "GOMAXPROCS=2",
			"48 threads use up the quota in 4.17 ms of the period, 2 in 100 ms. Go before 1.25 " +
				"takes the machine's CPUs"},
		{"set by hand", 2, "go1.26.0", signals(0.5, 8, 0.6, 48), work, "GOMAXPROCS=2",
			"Go 1.25 and later follow the quota by themselves: take the GOMAXPROCS of the environment"},
		{"below one core", 0.5, "go1.26.0", signals(0.4, 0.3, 0.2, 0), work, "A CPU limit of 1.3 cores",
			"GOMAXPROCS is 2 (what Go sets by itself for this quota)"},
		{"the collector", 2, "go1.26.0", signals(0.8, 0.8, 1.98, 2), map[string]int64{
			"main.work net/http.(*conn).serve": 250, gcStack: 150}, "Let the collector run less often",
			"The collector took 37.5 % of that CPU"},
		{"no account of what was held back", 1, "go1.26.0", map[vitals.ID]func(int) float64{
			vitals.Throttled: constant(0.5), vitals.CPU: constant(0.98)}, work, "A larger CPU " +
			"limit", "more than 1 core"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Build: casefile.Build{GoVersion: tt.goVer},
				Limits: casefile.Limits{CPUs: tt.quota, CPUQuota: tt.quota}}
			in.Evidence = []diagnose.Evidence{{Name: "dump", Data: busy}, cpuProfile(t, 10, tt.ticks), history(t, at, tt.values)}
			f, score := scoreOf(t, in, quotaKind)
			if score < 75 || !strings.HasPrefix(f.Remedies[0].Title, tt.first) {
				t.Fatalf("%d, first remedy %+v; want %q first", score, f.Remedies, tt.first)
			}
			all := f.Summary
			for _, r := range f.Remedies {
				all += " " + r.Text
			}
			if !strings.Contains(all, tt.text) {
				t.Errorf("it says %q, want %q", all, tt.text)
			}
		})
	}
}

// TestQuotaSilent: numbers of which nothing follows.
func TestQuotaSilent(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	busy := dumpOf(crowd{40, "IO wait", "net/http.(*conn).serve:1", ""})
	for _, tt := range []struct {
		name   string
		limits casefile.Limits
		values map[vitals.ID]func(int) float64
		most   int
	}{
		{"no quota", casefile.Limits{CPUs: 2}, map[vitals.ID]func(int) float64{vitals.CPU: constant(1.9)}, 0},
		{"unused", casefile.Limits{CPUQuota: 2}, map[vitals.ID]func(int) float64{vitals.CPU: constant(0.1),
			vitals.Throttled: constant(0)}, 0},
		{"bound by the CPU, and never stopped", casefile.Limits{CPUQuota: 2}, map[vitals.ID]func(int) float64{
			vitals.CPU: constant(1.99), vitals.Throttled: constant(0.01)}, 0},
		{"at its start", casefile.Limits{CPUQuota: 1}, map[vitals.ID]func(int) float64{vitals.CPU: constant(0.3),
			vitals.Throttled: func(i int) float64 { return max(1-float64(i)/8, 0) }}, 0},
		{"for moments", casefile.Limits{CPUQuota: 8}, map[vitals.ID]func(int) float64{vitals.CPU: constant(7),
			vitals.Throttled: constant(0.5), vitals.ThrottledCores: constant(0.5)}, capNotice},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Limits: tt.limits, Evidence: []diagnose.Evidence{{Name: "dump", Data: busy},
				history(t, at, tt.values)}}
			if f, score := scoreOf(t, in, quotaKind); score > tt.most {
				t.Errorf("%d: %s", score, f.Summary)
			}
		})
	}
}
