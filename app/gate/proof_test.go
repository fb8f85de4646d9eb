package gate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// proofOf is a proof of n blocks in which B has ratio times the p99 of A, and the same errors.
func proofOf(n int, ratio float64) *Proof {
	p := &Proof{Kind: "casebook-proof", Proof: casefile.Proof{
		Before: casefile.Variant{Label: "main"}, After: casefile.Variant{Label: "working tree"},
		Figures: []casefile.Figure{{Name: "p99", Unit: "seconds"}},
		Moved: []casefile.Moved{{Function: "main.slow", Before: 1e-5, After: 3e-5},
			{Function: "main.quick", Before: 2e-5, After: 1e-5}},
	}}
	for i := range n {
		wave := 1 + 0.01*float64(i%3)
		p.Blocks = append(p.Blocks, prove.Block{
			A:  prove.Round{"p99": 0.04 * wave, "errors": 0},
			A2: prove.Round{"p99": 0.041 * wave, "errors": 0},
			B:  prove.Round{"p99": 0.0405 * wave * ratio * (1 + 0.001*float64(i)), "errors": 0},
		})
	}
	return p
}

func TestJudgeProof(t *testing.T) {
	limits := []Limit{{"p99", true, 0.05}, {"errors", true, 0}}
	for _, c := range []struct {
		name   string
		proof  *Proof
		want   Outcome
		reason string
	}{
		{"the same", proofOf(12, 1), Pass, ""},
		{"slower", proofOf(12, 1.2), Fail, ""},
		{"slower, in few blocks", proofOf(4, 1.2), CannotTell, "which need 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := JudgeProof(c.proof, limits)
			if err != nil {
				t.Fatal(err)
			}
			j := find(t, r, "service working tree", "p99")
			if r.Outcome != c.want || !strings.Contains(j.Reason, c.reason) {
				t.Errorf("%s: %+v, want %s (…%s…)", r.Outcome, j, c.want, c.reason)
			}
			if c.want == Fail && (len(j.Because) != 1 || j.Because[0].Function != "main.slow") {
				t.Errorf("because %+v, want main.slow alone: main.quick became quicker", j.Because)
			}
			var b bytes.Buffer
			if err := Text(&b, r); err != nil || !strings.Contains(b.String(), "blocks of casebook prove") {
				t.Errorf("%v: %s", err, b.String())
			}
		})
	}
	if _, err := JudgeProof(proofOf(8, 1), []Limit{{"allocs", true, 0}}); err == nil ||
		!strings.Contains(err.Error(), "it measures errors, p99") {
		t.Errorf("error = %v, want it to name what is measured", err)
	}
}

func FuzzReadProof(f *testing.F) {
	data, err := json.Marshal(proofOf(3, 1.5))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(
		[]byte(
			`{"blocks":[{"a":{"x":-1},"a2":{"x":1e308},"b":{"x":0}},{"a":{"x":0},"a2":{"x":0},"b":{"x":1e308}},{"a":null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadProof(bytes.NewReader(data))
		if err != nil {
			return
		}
		var limits []Limit
		for _, name := range blockNames(p.Blocks) {
			limits = append(limits, Limit{name, true, 0.05})
		}
		r, err := JudgeProof(p, limits)
		if err != nil {
			return // a figure that one side never has
		}
		var b bytes.Buffer
		for name, write := range map[string]func() error{"text": func() error { return Text(&b, r) },
			"Markdown": func() error { return Markdown(&b, r) },
			"JUnit":    func() error { return JUnit(&b, r) },
			"JSON":     func() error { return json.NewEncoder(&b).Encode(r) }} {
			if err := write(); err != nil {
				t.Error(fmt.Errorf("%s: %w", name, err))
			}
		}
	})
}
