package prove_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/golden"
)

// merge joins rounds of several figures.
func merge(lists ...[]prove.Round) []prove.Round {
	out := make([]prove.Round, len(lists[0]))
	for i := range out {
		out[i] = prove.Round{}
		for _, l := range lists {
			for name, v := range l[i] {
				out[i][name] = v
			}
		}
	}
	return out
}

// gateway is the proof of a cache that was made pointer-free.
func gateway(t *testing.T) casefile.Proof {
	t.Helper()
	const n = 30
	before := prove.Side{
		Variant: casefile.Variant{Label: "gcache"},
		Rounds: merge(around(prove.P50, 0.0061, 0.0004, n), around(prove.P99, 0.0874, 0.012, n),
			around(prove.P999, 0.21, 0.15, n),
			around(prove.ErrorShare, 0.004, 0.002, n), around(prove.Throughput, 1494, 4, n),
			around(prove.CPUPerRequest, 0.00061, 0.00003, n),
			around(prove.GCCPU, 0.412, 0.05, n), repeat(prove.HeapObjects, 35.01e6, n),
			around(prove.RSS, 1.4e9, 2e7, n)),
		Whole:  prove.Round{prove.P50: 0.0062, prove.P99: 0.0912, prove.P999: 0.25},
		Absent: map[string]string{prove.Throttled: "the process has no CPU quota"},
	}
	after := prove.Side{
		Variant: casefile.Variant{Label: "a pointer-free table"},
		Rounds: merge(around(prove.P50, 0.0055, 0.0004, n), around(prove.P99, 0.0401, 0.004, n),
			around(prove.P999, 0.20, 0.15, n),
			repeat(prove.ErrorShare, 0, n), around(prove.Throughput, 1500, 4, n),
			around(prove.CPUPerRequest, 0.00022, 0.00003, n),
			around(prove.GCCPU, 0.011, 0.004, n), repeat(prove.HeapObjects, 17e3, n), around(prove.RSS, 1.7e9, 2e7, n)),
		Whole:  prove.Round{prove.P50: 0.0056, prove.P99: 0.0404, prove.P999: 0.24},
		Absent: map[string]string{prove.Throttled: "the process has no CPU quota"},
	}
	p, err := prove.Compare(before, after, prove.Options{Key: prove.GCCPU, Load: "1,500 req/s, open model, 30 s each"})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFormat(t *testing.T) {
	empty, err := prove.Compare(prove.Side{}, prove.Side{}, prove.Options{Key: prove.P99})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		proof  casefile.Proof
		layout prove.Layout
	}{
		{"gateway", gateway(t), prove.Layout{}},
		{"gateway-colour-100", gateway(t), prove.Layout{Width: 100, Colour: true}},
		{"empty", empty, prove.Layout{Width: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := prove.Format(&got, c.proof, c.layout); err != nil {
				t.Fatal(err)
			}
			golden.Is(t, filepath.Join("testdata", c.name+".golden"), got.String())
			if c.layout.Colour != strings.Contains(got.String(), "\x1b[") {
				t.Errorf("colour asked for: %v, in the text: %v", c.layout.Colour, !c.layout.Colour)
			}
			if c.layout.Width == 0 {
				checkWidth(t, got.String(), 80)
			}
		})
	}
}

func checkWidth(t *testing.T, text string, width int) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
			t.Errorf("a line of %d columns, want at most %d: %q", n, width, line)
		}
	}
}

// full is a writer without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFormatReportsWriteError(t *testing.T) {
	if err := prove.Format(full{}, gateway(t), prove.Layout{}); err == nil ||
		!strings.Contains(err.Error(), "no space left") {
		t.Errorf("err = %v, want the writer's", err)
	}
}

// TestFormatPairsFits: a proof that was measured in pairs fits into 80 columns, whatever its figures and functions are.
func TestFormatPairsFits(t *testing.T) {
	effect := func(v, low, high, noise float64) *casefile.Effect {
		return &casefile.Effect{Value: v, Low: low, High: high, Noise: noise}
	}
	stat := func(v float64) casefile.Stat { return casefile.Stat{Value: v, N: 9} }
	p := casefile.Proof{
		Verdict: casefile.CannotTell, Summary: "cpu_per_request went from 842 µs to 844 µs.",
		Figures: []casefile.Figure{
			{Name: prove.CPUPerRequest, Unit: "seconds", Key: true, Before: stat(0.0108), After: stat(0.0209),
				Effect: effect(0.93, -0.272, 0.918, 0.356), Verdict: casefile.CannotTell},
			{Name: prove.RSS, Unit: "bytes", Before: stat(137.4e6), After: stat(137.4e6),
				Effect: effect(-0.1, -0.14, 0.12, 0.06), Verdict: casefile.CannotTell},
			{Name: prove.ErrorShare, Unit: "share", Before: stat(0), After: stat(0),
				Effect: &casefile.Effect{Absolute: true}, Verdict: casefile.Same},
			{Name: prove.CPU, Unit: "cores", Before: stat(0.967), After: stat(0.0551),
				Effect: effect(-0.943, -0.951, -0.931, 0.012), Verdict: casefile.CannotTell},
		},
		Moved: []casefile.Moved{
			{Function: "github.com/prometheus/node_exporter/collector.(*netClassCollector).getNetClassInfo",
				Before: 0.00295,
				File:   "/root/go/pkg/mod/github.com/prometheus/node_exporter@v1.12.1/collector/netclass_linux.go",
				Line:   168}},
	}
	var b bytes.Buffer
	if err := prove.Format(&b, p, prove.Layout{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"noise floor: A/A is how much A differed from itself in the same blocks, for " +
		"cpu_per_request 35.6 %; its change is known to ±59.5 %.",
		"netClassCollector).getNetClassInfo …", "netclass_linux.go:168 ", " 0…0 pp ",
		"cpu (cores) 0.967 0.0551 −94.3 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
