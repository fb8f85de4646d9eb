package words

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// Texts are those of recorded findings.
func TestCostSaysOnlyWhatTheSummaryDidNot(t *testing.T) {
	for _, c := range []struct{ summary, cost, want string }{
		{"180 cycles a second (vitals) with 5.3 MiB live; the collector takes 30 % of the CPU used.",
			"30 % of the CPU used is the collector's", ""},
		{"The line deepEqual (cpu_reflect.go:55): 30 % of the CPU in the calls; it used 0.29 cores.",
			"30 % of the CPU the process used", ""},
		{"35 % of the CPU in the calls and 11 % in collecting their garbage.", "46 % of the CPU the process used",
			"46 % of the CPU the process used"},
		{"on average 4.3 goroutines wait for it, 100 % of all.", "42.7 s of waiting in 14,601 waits, 3 ms each",
			"42.7 s of waiting in 14,601 waits, 3 ms each"},
		{"91 % of the 282 MiB live heap is one block.", "91 % of the live heap, 282 MiB", ""},
		{"91 MiB of it.", "91 % of it", "91 % of it"}, // another unit is another number
		{"13 objects.", "requests wait inside of it", "requests wait inside of it"},
		{"", "", ""},
	} {
		f := casefile.Finding{Summary: c.summary, Impact: casefile.Impact{Text: c.cost}}
		if got := cost(f); got != c.want {
			t.Errorf("%q beside %q: %q, want %q", c.cost, c.summary, got, c.want)
		}
	}
}
