package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
)

func example() *Result {
	limit := Limit{"time", true, 0.05}
	return &Result{
		Base: "main (3f2a9c1)", Head: "the files", Outcome: Fail, Rounds: 6, Method: "in turns",
		Judgements: []Judgement{
			{Subject: "example.com/shop BenchmarkA", Figure: "time", Unit: "sec/op", Limit: limit, Outcome: Pass,
				Base: 1e-6, Head: 1.01e-6, Change: 0.01, P: 1, Rounds: 6},
			{Subject: "example.com/shop BenchmarkB/<x>|", Figure: "time", Unit: "sec/op", Limit: limit, Outcome: Fail,
				Base: 1e-6, Head: 1.2e-6, Change: 0.2,
				P: 0.0001, Noise: 0.012, Rounds: 14, Because: []Blame{{Function: "example.com/shop.(*T[int]).mix",
					Base: 0.5e-6, Head: 0.7e-6}}},
			{Subject: "example.com/shop BenchmarkC", Figure: "allocs", Unit: "allocs/op",
				Limit: Limit{"allocs", true, 0}, Outcome: CannotTell, Reason: "noise", Rounds: 14, P: 0.2},
		},
		Identical: []string{"example.com/shop/sub"}, Notes: []string{"example.com/shop BenchmarkNew is new"},
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, example()); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if !strings.HasPrefix(text,
		"FAIL  BenchmarkB/<x>|  time +20 % (limit +5 %)\n      example.com/shop\n      1.000µs/op → 1.200µs/op, p "+
			"< 0.001 in 14 rounds, noise ±1.2 %\n      because example.com/shop.(*T[int]).mix: 500.0ns/op → "+
			"700.0ns/op\n????  BenchmarkC") {
		t.Errorf("what failed is not first:\n%s", text)
	}
	for _, want := range []string{"pass  BenchmarkA  time +1 %", "pass  example.com/shop/sub  the same binary",
		"note  example.com/shop BenchmarkNew is new",
		"FAIL: 1 figure beyond the limit, 1 figure too noisy to tell, 1 figure within the limit",
		"base: main (3f2a9c1)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b, example()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"**FAIL** | BenchmarkB/\\<x\\>\\| |", "because example.com/shop",
		"| pass | BenchmarkA |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := JUnit(&b, example()); err != nil {
		t.Fatal(err)
	}
	var back junitSuites
	if err := xml.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != 4 || back.Failures != 1 || back.Skipped != 1 || len(back.Suites) != 2 {
		t.Errorf("%d tests, %d failures, %d skipped, %d suites; want 4, 1, 1, 2", back.Tests, back.Failures,
			back.Skipped, len(back.Suites))
	}
	c := back.Suites[0].Cases[1]
	if c.Name != "BenchmarkB/<x>| time:+5%" || c.Failure == nil ||
		!strings.Contains(c.Failure.Text, "because example.com/shop.") {
		t.Errorf("%+v, want a failure with its reason", c)
	}
}

func TestJSON(t *testing.T) {
	data, err := json.Marshal(example())
	if err != nil || !strings.Contains(string(data), `"outcome":"fail"`) {
		t.Errorf("%v: %s", err, data)
	}
}
