package gate

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A gate once printed "time −0.9 %" beside "1.065µs → 980.5ns", which is −7.9 %: the change was that of the pairs, the
// values were the medians of the sides. TestValuesAndChangeAgree reads both from every form and checks that they agree.
func TestValuesAndChangeAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 400 {
		spread, level := 0.6*rng.Float64(), math.Exp(20*rng.Float64()-18)
		f := figure(rng, 3+rng.IntN(20), math.Exp(rng.NormFloat64()/2), spread)
		f.Unit = []string{"sec/op", "seconds", "allocs/op"}[i%3]
		// Pairs whose level moves a lot, as on a machine whose clock frequency does. There, medians and pairs differ.
		drift := 1.0
		for k := range f.Pairs {
			f.Pairs[k].Base *= level * drift
			f.Pairs[k].Head *= level * drift
			drift *= math.Exp(0.3 * rng.NormFloat64())
		}
		r := &Result{Judgements: Judge([]Figure{f}, []Limit{{"time", true, 0.05}})}
		j := r.Judgements[0]
		if got := j.Head/j.Base - 1; math.Abs(got-j.Change) > 1e-9*(1+math.Abs(got)) {
			t.Fatalf("%+v: the values say %v, the change %v", j, got, j.Change)
		}
		var text, markdown, junit bytes.Buffer
		if err := Text(&text, r); err != nil {
			t.Fatal(err)
		}
		if err := Markdown(&markdown, r); err != nil {
			t.Fatal(err)
		}
		if err := JUnit(&junit, r); err != nil {
			t.Fatal(err)
		}
		for form, out := range map[string]string{"text": text.String() + " " + j.numbers(),
			"markdown": markdown.String(), "junit": junit.String()} {
			checkPrinted(t, form, out)
		}
	}
}

var (
	printedChange = regexp.MustCompile(`([−+])([0-9][0-9.,]*) %|([×÷])([0-9][0-9.,]*)`)
	printedValues = regexp.MustCompile(`([0-9.]+) ?([a-zµ]*)[^→|0-9]*[→|] ([0-9.]+) ?([a-zµ]*)`)
)

// checkPrinted compares what a form prints for the values with what it prints for the change, as far as their digits
// allow.
func checkPrinted(t *testing.T, form, out string) {
	t.Helper()
	out = strings.ReplaceAll(out, `\`, "") // Markdown's
	change, values := printedChange.FindStringSubmatch(out), printedValues.FindStringSubmatch(out)
	if change == nil || values == nil {
		t.Fatalf("%s: no change or no values in:\n%s", form, out)
	}
	least, most := printedRatio(t, change[1]+change[3], change[2]+change[4])
	base, baseHalf := printedNumber(t, values[1], values[2])
	head, headHalf := printedNumber(t, values[3], values[4])
	low, high := (head-headHalf)/(base+baseHalf), (head+headHalf)/(base-baseHalf)
	if most < low*(1-1e-9) || least > high*(1+1e-9) {
		t.Errorf("%s prints %s → %s and %s, which is not within ×%.4g and ×%.4g:\n%s", form, values[1]+values[2],
			values[3]+values[4], change[0], low, high, out)
	}
}

// printedRatio is what "−12.1 %", "+5 %", "×2.6" or "÷250" says of head over base: at least and at most, for its last
// digit is rounded. Zeros at the end are not written, so that "×2.6" may be any of ×2.595 to ×2.605.
func printedRatio(t *testing.T, sign, text string) (least, most float64) {
	t.Helper()
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		t.Fatal(err)
	}
	half := 0.05
	if sign == "×" || sign == "÷" {
		half = 0.5 * math.Pow10(max(int(math.Floor(math.Log10(v)))-2, -6))
		half = min(half, 0.5)
	}
	switch sign {
	case "+":
		return 1 + (v-half)/100, 1 + (v+half)/100
	case "−":
		return 1 - (v+half)/100, 1 - (v-half)/100
	case "÷":
		return 1 / (v + half), 1 / (v - half)
	}
	return v - half, v + half
}

// printedNumber is a number in its scale, and half of its last digit.
func printedNumber(t *testing.T, text, unit string) (value, half float64) {
	t.Helper()
	scale, known := map[string]float64{"": 1, "allocs": 1, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "min": 60,
		"h": 3600, "m": 1e-3, "µ": 1e-6, "n": 1e-9, "k": 1e3}[unit]
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !known {
		t.Fatalf("%q %q is no number: %v", text, unit, err)
	}
	half = 0.5
	if _, digits, ok := strings.Cut(text, "."); ok {
		half = 0.5 * math.Pow10(-len(digits))
	}
	return value * scale, half * scale
}

// TestLevelsOfZeros: a figure that is 0 in some round has no ratio there. Medians are shown.
func TestLevelsOfZeros(t *testing.T) {
	f := Figure{Subject: "service x", Name: "errors", Unit: "share"}
	for i := range 11 {
		f.Pairs = append(f.Pairs, Pair{0, float64(i%2) / 100})
	}
	j := newJudgement(f, Limit{"errors", true, 0.05})
	if j.Base != 0 || j.Head != 0 || j.Change != 0 {
		t.Errorf("%+v, want medians of 0", j)
	}
	if text := fmt.Sprint(j.move()); text != "0 %" {
		t.Errorf("moved %q, want 0 %%", text)
	}
}
