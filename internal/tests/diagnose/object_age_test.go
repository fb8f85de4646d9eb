package diagnose_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A site of a heap profile: alive, and ever allocated, in objects of 64 KiB.
type ageSite struct{ live, ever int }

// ageProfile is a heap profile, as text, of the functions main.f0, main.f1 and so on.
func ageProfile(at time.Time, sites ...ageSite) diagnose.Evidence {
	const object = 64 << 10
	var b strings.Builder
	// Records are scaled up when they are read: at this rate of one byte they are all there are.
	b.WriteString("heap profile: 1: 1 [1: 1] @ heap/2\n")
	for i, s := range sites {
		fmt.Fprintf(&b, "%d: %d [%d: %d] @ 0x%x\n#\t0x%x\tmain.f%d+0x1\t/src/main.go:%d\n\n", s.live, s.live*object, s.ever,
			s.ever*object, i+1, i+1, i, 10+i)
	}
	return diagnose.Evidence{Name: fmt.Sprintf("heap-%d.txt", at.Unix()), Kind: casefile.Heap, Taken: at,
		Data: []byte(b.String())}
}

// Lines whose live objects stand still have an age: what is alive over what is allocated a second. Those that grow have
// none; of those that allocate nothing, only the least is known.
func TestObjectAges(t *testing.T) {
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{
		ageProfile(readAt, ageSite{1000, 5000}, ageSite{900, 900}, ageSite{800, 2000}, ageSite{700, 10000},
			ageSite{3, 100}),
		ageProfile(readAt.Add(10*time.Second), ageSite{1000, 5500}, ageSite{900, 900}, ageSite{1600, 2800},
			ageSite{350, 10010}, ageSite{3, 200}),
	}}, diagnose.Options{Detectors: []diagnose.Detector{}})
	if rep.Picture == nil {
		t.Fatalf("no picture; %+v", rep.Problems)
	}
	var got []string
	for _, a := range rep.Picture.Ages {
		got = append(got, fmt.Sprintf("%s %s", a.Function, a.Text))
	}
	// 1,000 alive of 50 a second live 20 s: exp(±2√(1/1000+1/500)) is 11 %.
	want := "main.f2 none: more at the end, main.f0 18 to 22 s, main.f1 more than 50 min, main.f3 none: fewer at the end"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("ages: %s\nwant: %s", s, want)
	}
}

// One profile, and two of the same collection, tell no age.
func TestNoObjectAges(t *testing.T) {
	site := ageSite{1000, 5000}
	for name, evidence := range map[string][]diagnose.Evidence{
		"one":                 {ageProfile(readAt, site)},
		"the same collection": {ageProfile(readAt, site), ageProfile(readAt.Add(time.Minute), site)},
	} {
		if rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: evidence},
			diagnose.Options{}); len(rep.Picture.Ages) > 0 {
			t.Errorf("%s: %+v", name, rep.Picture.Ages)
		}
	}
}

// TestAgeIsOfBytes: io.ReadAll throws away many small buffers and keeps a large one; that is what stays.
func TestAgeIsOfBytes(t *testing.T) {
	at := func(second int, small, large int) diagnose.Evidence {
		text := "heap profile: 1: 1 [1: 1] @ heap/2\n" +
			fmt.Sprintf("0: 0 [%d: %d] @ 0x1\n#\t0x1\tmain.read+0x1\t/src/main.go:39\n\n", small, small*4096) +
			fmt.Sprintf("100: %d [%d: %d] @ 0x2\n#\t0x2\tmain.read+0x1\t/src/main.go:39\n\n", 100<<20, large, large<<20)
		return diagnose.Evidence{Name: fmt.Sprintf("heap-%d.txt", second), Kind: casefile.Heap, Data: []byte(text),
			Taken: readAt.Add(time.Duration(second) * time.Second)}
	}
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{at(0, 1000, 200), at(10, 11_000, 300)}},
		diagnose.Options{})
	// 100 MiB alive, of 100 MiB and 39 MiB of small ones in 10 s: 7.2 s, ±26 % for 200 and 10,100 samples.
	if got := rep.Picture.Ages; len(got) != 1 || *got[0].Low < 5 || *got[0].High > 10 {
		t.Errorf("ages %+v, want one of 5 to 10 s", got)
	}
}

// TestSayAges: findings about memory that stays say for how long, where that is known.
func TestSayAges(t *testing.T) {
	for dir, want := range map[string]string{
		"gc_pointer_heap/limit":        "stays for more than",
		"holdout2/inkwell":             "stays for more than",
		"mem_giant/faulty":             "What this line allocates stays for",
		"mem_subslice_retained/faulty": "What this line allocates stays for",
		"mem_leak/faulty":              "", // it grows: there is no age
		"foreign/nats-memory":          "",
	} {
		rep := diagnose.Run(t.Context(), loadCase(t, dir), diagnose.Options{})
		said := ""
		for _, f := range rep.Findings {
			if i := strings.Index(f.Explanation, " stays for "); i >= 0 {
				said += f.Explanation[max(strings.LastIndex(f.Explanation[:i], ". "), 0):]
			}
		}
		if (want == "") != (said == "") || !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", dir, said, want)
		}
	}
}
