package closing_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

func figure(name string, v casefile.Verdict) casefile.Figure {
	some := casefile.Stat{Value: 1, N: 6}
	return casefile.Figure{Name: name, Before: some, After: some, Verdict: v}
}

func proof(v casefile.Verdict, figures ...casefile.Figure) *casefile.Proof {
	return &casefile.Proof{Verdict: v, Figures: figures}
}

func finding(kind, resource string) casefile.Finding {
	return casefile.Finding{ID: "X", Kind: kind, Score: 80, Impact: casefile.Impact{Resource: resource}}
}

func TestCloses(t *testing.T) {
	const better, same, worse, open = casefile.Better, casefile.Same, casefile.Worse, casefile.CannotTell
	unmeasured := figure(prove.RSS, better)
	unmeasured.Before.N = 0
	cpu := proof(better, figure(prove.CPUPerRequest, better), figure(prove.P99, better), figure(prove.ErrorShare, same))
	leak := finding("goroutine-leak", closing.Goroutines)
	for _, c := range []struct {
		name    string
		proof   *casefile.Proof
		finding casefile.Finding
		say     string // a word of why it stays open; "" for a finding that is closed
	}{
		{"no proof", nil, finding("hot", closing.CPU), "nobody"},
		{"CPU by CPU", cpu, finding("hot", closing.CPU), ""},
		{"latency by latency", cpu, finding("lock-contention", closing.Latency), ""},
		{"a leak of goroutines by CPU and latency", cpu, leak, "--base"},
		{"open files by CPU", cpu, finding("fd-leak", closing.Files), "--base"},
		{"memory by CPU", cpu, finding("mem-leak", closing.Memory), "--key rss"},
		{"memory by a side that is absent", proof(better, unmeasured), finding("mem-leak", closing.Memory),
			"--key rss"},
		{"memory that is the same", proof(better, figure(prove.CPUPerRequest, better), figure(prove.RSS, same)),
			finding("mem-leak", closing.Memory), "no figure of that is better"},
		{"garbage by what stays", proof(better, figure(prove.RSS, better)), finding("alloc-site", closing.Memory),
			"--key alloc_bytes"},
		{"garbage by allocations", proof(better, figure(prove.Allocs, better)), finding("alloc-site", closing.Memory),
			""},
		{"a percentile that cannot be told", proof(better, figure(prove.P50, better), figure(prove.P999, open)),
			finding("lock-contention", closing.Latency), ""},
		{"a percentile that is worse", proof(better, figure(prove.P50, better), figure(prove.P99, worse)),
			finding("lock-contention", closing.Latency), "p99 is worse"},
		{"a proof that is worse", proof(worse, figure(prove.CPUPerRequest, better)), finding("hot", closing.CPU),
			"worse"},
		{"a resource that nobody names", cpu, finding("odd", ""), ""},
		{"a resource that nobody knows", cpu, finding("odd", "patience"), "patience"},
	} {
		t.Run(c.name, func(t *testing.T) {
			why := closing.Open(c.proof, &c.finding)
			if closed := closing.Closes(c.proof, &c.finding); closed != (c.say == "") || closed != (why == "") {
				t.Errorf("closed: %t, because %q", closed, why)
			}
			if !strings.Contains(why, c.say) {
				t.Errorf("it stays open because %q, want %q in it", why, c.say)
			}
		})
	}
}

// A case is as open as the worst of what its proof leaves open.
func TestWorst(t *testing.T) {
	c := casefile.Case{Proof: proof(casefile.Better, figure(prove.CPUPerRequest, casefile.Better))}
	hot, leak := finding("hot", closing.CPU), finding("goroutine-leak", closing.Goroutines)
	leak.Score = 60
	c.Findings = []casefile.Finding{hot, leak}
	if got := closing.Worst(&c); got != 60 {
		t.Errorf("the worst that is open has %d, want the leak's 60", got)
	}
	c.Findings = []casefile.Finding{hot}
	if got := closing.Worst(&c); got != 0 {
		t.Errorf("the worst that is open has %d, want none", got)
	}
	c.Proof = nil
	if got := closing.Worst(&c); got != 80 {
		t.Errorf("without a proof the worst that is open has %d, want 80", got)
	}
}

// Every figure of a proof measures one resource, or is known to measure none.
func TestFiguresAreKnown(t *testing.T) {
	none := []string{prove.ErrorShare, prove.GCRate, prove.GCCycle, prove.GCPause, prove.WriteRate, prove.WrittenPer}
	of := make(map[string]int)
	for _, resource := range []string{closing.CPU, closing.Memory, closing.Garbage, closing.Latency, closing.Goroutines,
		closing.Files} {
		for _, name := range closing.Figures(resource) {
			of[name]++
		}
	}
	for _, f := range prove.Figures() {
		if n := of[f.Name]; n > 1 || (n == 0) != slices.Contains(none, f.Name) {
			t.Errorf("%s measures %d resources", f.Name, n)
		}
		delete(of, f.Name)
	}
	for name := range of {
		t.Errorf("no proof has a figure %s", name)
	}
}
