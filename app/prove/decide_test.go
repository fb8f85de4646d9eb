package prove

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestDecide(t *testing.T) {
	const better, worse, same, unknown = casefile.Better, casefile.Worse, casefile.Same, casefile.CannotTell
	type verdicts map[string]casefile.Verdict
	for _, c := range []struct {
		name  string
		of    verdicts
		named string
		key   string
		want  casefile.Verdict
		open  bool
		note  string
	}{
		{"a fix of a lock", verdicts{CPUPerRequest: same, P50: better, P99: better, Throughput: same}, "", P50, better,
			false, ""},
		{"a fix of a lock, CPU not known yet", verdicts{CPUPerRequest: unknown, P50: better}, "", P50, better, true,
			""},
		{"less CPU", verdicts{CPUPerRequest: better, P50: better, Throughput: same}, "", CPUPerRequest, better, false,
			""},
		{"more CPU", verdicts{CPUPerRequest: worse, P99: unknown}, "", CPUPerRequest, worse, false, ""},
		{"nothing", verdicts{CPUPerRequest: same, P50: same, P99: unknown, Throughput: same}, "", CPUPerRequest, same,
			false, ""},
		{"nothing known", verdicts{CPUPerRequest: unknown, P50: same}, "", CPUPerRequest, unknown, true, ""},
		{"A does not keep up", verdicts{CPUPerRequest: unknown, P50: better, Throughput: better}, "", Throughput,
			better, false, ""},
		{"B does not keep up, and is cheap", verdicts{CPUPerRequest: better, P50: better, Throughput: worse}, "",
			Throughput, worse, false, ""},
		{"B fails what it is asked, at once", verdicts{P50: better, ErrorShare: worse, Throughput: worse}, "",
			ErrorShare, worse, false, ""},
		{"both", verdicts{CPUPerRequest: better, P99: worse, P50: same}, "", CPUPerRequest, unknown, false,
			"cpu_per_request got better and p99 worse"},
		{"memory alone", verdicts{CPUPerRequest: same, RSS: worse}, "", CPUPerRequest, same, false, ""},
		{"what is named", verdicts{CPUPerRequest: same, P99: better, Throughput: worse}, P99, P99, better, false, ""},
		{"what is named is not known", verdicts{CPUPerRequest: better, P99: unknown}, P99, P99, unknown, true, ""},
		{"what is named was not measured", verdicts{CPUPerRequest: better}, P999, P999, unknown, true, ""},
		{"no CPU, as on other systems", verdicts{P50: better}, "", P50, better, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var fs []*paired
			for _, spec := range figures {
				if v, ok := c.of[spec.Name]; ok {
					fs = append(fs, &paired{spec: spec, verdict: v,
						effect: estimate{n: 4, centre: 0.1, se: 0.01, free: 3}})
				}
			}
			d := decide(fs, c.named)
			if d.key != c.key && !(c.key == ErrorShare && d.key == Throughput) || d.verdict != c.want ||
				d.open != c.open || !strings.Contains(d.note, c.note) {
				t.Errorf("%+v, want %s by %s, open %v, %q", d, c.want, c.key, c.open, c.note)
			}
		})
	}
}

// TestPromising: a latency that cannot be told yet is worth more blocks if it looks as if it had moved, and not
// otherwise.
func TestPromising(t *testing.T) {
	f := &paired{spec: Spec{Name: P99}, verdict: casefile.CannotTell, tested: true, margin: 0.02,
		effect: estimate{n: 6, centre: -0.3, se: 0.08, free: 5}, noise: estimate{n: 6, centre: 0.05, se: 0.05, free: 5}}
	if !promising([]*paired{f}, P50, P99) {
		t.Error("26 % less at 3.7 standard errors is not promising, want that it is")
	}
	f.effect.se = 0.3
	if promising([]*paired{f}, P50, P99) {
		t.Error("26 % less at one standard error is promising, want that it is not")
	}
}
