package stacks

import (
	"testing"
)

// The labels of Go 1.26, which prints them where GODEBUG asks for it, are within the brackets.
func TestLabelsWithinBrackets(t *testing.T) {
	for header, want := range map[string]string{
		`goroutine 7 [select, 2 minutes labels:{"k": "v"}]:`:                     "select, 2 minutes",
		`goroutine 7 [chan receive labels:{"user": "a]: [b]", "x": "y"}]:`:       "chan receive",
		`goroutine 7 [chan send, 3 minutes, locked to thread] {k: v, "a b": c}:`: "chan send, 3 minutes, locked to thread",
		`goroutine 7 gp=0xc0 m=2 mp=0xc1 [running] {k: "]:`:                      "running",
	} {
		if got, ok := headerState([]byte(header)); !ok || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", header, got, ok, want)
		}
	}
	for _, line := range []string{"goroutine 7 [select] k:", "goroutine 7 select {k: v}:", "goroutine running on [x]:",
		"goroutine 7 [select"} {
		if got, ok := headerState([]byte(line)); ok {
			t.Errorf("%s: taken for a header with state %q", line, got)
		}
	}
}

// TestNotFolded: texts with numbers at the end of lines are not stacks.
func TestNotFolded(t *testing.T) {
	for _, text := range []string{"BenchmarkSell-2 1000\nBenchmarkBuy-2 2000\n", "one 1\n", "a;b;c\nd;e;f\n",
		"notes; of today 5\nand more\n"} {
		if isFolded([]byte(text)) {
			t.Errorf("%q was taken for folded stacks", text)
		}
	}
}
