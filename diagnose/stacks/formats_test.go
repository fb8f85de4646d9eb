package stacks

import (
	"testing"
)

// TestNotFolded: texts with numbers at the end of lines are not stacks.
func TestNotFolded(t *testing.T) {
	for _, text := range []string{"BenchmarkSell-2 1000\nBenchmarkBuy-2 2000\n", "one 1\n", "a;b;c\nd;e;f\n",
		"notes; of today 5\nand more\n"} {
		if isFolded([]byte(text)) {
			t.Errorf("%q was taken for folded stacks", text)
		}
	}
}
