package holmes

import (
	"fmt"
	"strings"
	"testing"
)

// entries is a text dump of n entries, as the runtime writes them: an empty line after each.
func entries(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d @ 0x1\n#\t0x1\tmain.f\n\n", i)
	}
	return b.String()
}

// holmes drops the last entry of a dump of ten or fewer, whatever it is.
func TestTextDumpKeepsAllOfAFewEntries(t *testing.T) {
	for n := range 2*TrimResultTopN + 1 {
		got := string(trim(goroutine, []byte(entries(n))))
		want := min(n, TrimResultTopN)
		if kept := strings.Count(got, "main.f"); kept != want {
			t.Errorf("of %d entries %d are left, want %d", n, kept, want)
		}
		if !strings.HasPrefix(entries(n), got) {
			t.Errorf("of %d entries, what is left is not the beginning", n)
		}
	}
}

func TestTextOfThreadsIsCutAtALine(t *testing.T) {
	line := strings.Repeat("x", 999) + "\n"
	short := strings.Repeat(line, TrimResultMaxBytes/1000)
	if got := trim(thread, []byte(short)); string(got) != short {
		t.Errorf("%d bytes are cut to %d", len(short), len(got))
	}
	got := trim(thread, []byte("head\n"+short))
	if len(got)%1000 != 5 || len(got) > TrimResultMaxBytes {
		t.Errorf("%d bytes are left, want whole lines and %d at most", len(got), TrimResultMaxBytes)
	}
	if got := trim(thread, []byte(strings.Repeat("x", TrimResultMaxBytes+1))); len(got) != 0 {
		t.Errorf("%d bytes of a line too long are left", len(got))
	}
}

func FuzzTrim(f *testing.F) {
	f.Add(entries(12))
	f.Add("\n\n\n\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range [...]kind{thread, goroutine} {
			if got := string(trim(k, []byte(text))); !strings.HasPrefix(text, got) {
				t.Errorf("%s of %q is no beginning of it: %q", kindTexts[k].check, text, got)
			}
		}
	})
}
