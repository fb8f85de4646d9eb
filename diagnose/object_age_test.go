package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A site of a heap profile: alive, and ever allocated, in objects of 64 KiB.
type ageSite struct{ live, ever int }

// ageProfile is a heap profile, as text, of the functions main.f0, main.f1 and so on.
func ageProfile(at time.Time, sites ...ageSite) Evidence {
	const object = 64 << 10
	var b strings.Builder
	// Records are scaled up when they are read: at this rate of one byte they are all there are.
	b.WriteString("heap profile: 1: 1 [1: 1] @ heap/2\n")
	for i, s := range sites {
		fmt.Fprintf(&b, "%d: %d [%d: %d] @ 0x%x\n#\t0x%x\tmain.f%d+0x1\t/src/main.go:%d\n\n", s.live, s.live*object, s.ever,
			s.ever*object, i+1, i+1, i, 10+i)
	}
	return Evidence{Name: fmt.Sprintf("heap-%d.txt", at.Unix()), Kind: casefile.Heap, Taken: at, Data: []byte(b.String())}
}

// Lines whose live objects stand still have an age: what is alive over what is allocated a second. Those that grow have
// none; of those that allocate nothing, only the least is known.
func TestObjectAges(t *testing.T) {
	rep := Run(t.Context(), Input{Evidence: []Evidence{
		ageProfile(readAt, ageSite{1000, 5000}, ageSite{900, 900}, ageSite{800, 2000}, ageSite{700, 10000},
			ageSite{3, 100}),
		ageProfile(readAt.Add(10*time.Second), ageSite{1000, 5500}, ageSite{900, 900}, ageSite{1600, 2800},
			ageSite{350, 10010}, ageSite{3, 200}),
	}}, Options{Detectors: []Detector{}})
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
	for name, evidence := range map[string][]Evidence{
		"one":                 {ageProfile(readAt, site)},
		"the same collection": {ageProfile(readAt, site), ageProfile(readAt.Add(time.Minute), site)},
	} {
		if rep := Run(t.Context(), Input{Evidence: evidence}, Options{}); len(rep.Picture.Ages) > 0 {
			t.Errorf("%s: %+v", name, rep.Picture.Ages)
		}
	}
}
