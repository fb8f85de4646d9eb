package holmes

import (
	"bytes"
	"fmt"
	"math"
	"runtime/pprof"
	"strings"
	"testing"
)

// entries is a text dump of n entries in the runtime's form: an empty line after each.
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

// A heap profile of the runtime begins with its smallest entries.
func TestTextDumpOfTheHeapKeepsTheLargest(t *testing.T) {
	var b strings.Builder
	b.WriteString("heap profile: 9: 9 [9: 9] @ heap/1048576\n")
	for i := range 30 {
		held := max(i-20, 0) // 21 that hold nothing
		fmt.Fprintf(&b, "%d: %d [%d: %d] @ 0x1 0x2\n#\t0x1\tmain.f%d+0x1\tmain.go:%d\n\n", held, held, i, 100-i, i, i)
	}
	b.WriteString("\n# runtime.MemStats\n# Alloc = 1\n")
	got := string(trim(mem, []byte(b.String())))
	want := "heap profile: 9: 9 [9: 9] @ heap/1048576\n9: 9 [29: 71] @"
	if !strings.HasPrefix(got, want) {
		t.Errorf("it begins with %.80q, want %q", got, want)
	}
	// Nine hold something. Of the others the one that allocated most is kept, as it may hold what is swept just now.
	var kept []string
	for line := range strings.Lines(got) {
		if _, name, ok := strings.Cut(line, "main.f"); ok {
			name, _, _ = strings.Cut(name, "+")
			kept = append(kept, name)
		}
	}
	if s := strings.Join(kept, " "); s != "29 28 27 26 25 24 23 22 21 0" {
		t.Errorf("it keeps the entries %s", s)
	}
	all := sortHeap(t, []byte(b.String()))
	if len(all) != b.Len() || !strings.HasSuffix(string(all), "\n\n\n# runtime.MemStats\n# Alloc = 1\n") {
		t.Errorf("sorting makes %d bytes of %d, or loses the end: %q", len(all), b.Len(), all[max(len(all)-60, 0):])
	}
}

// Whatever the runtime writes, sorting loses nothing.
func TestSortHeapOfTheRuntime(t *testing.T) {
	var b bytes.Buffer
	must(t, pprof.Lookup("heap").WriteTo(&b, 1))
	sorted := sortHeap(t, b.Bytes())
	if len(sorted) != b.Len() {
		t.Errorf("%d bytes of %d are left", len(sorted), b.Len())
	}
	last := int64(math.MaxInt64)
	for line := range strings.Lines(string(sorted)) {
		var objects, held int64
		if n, _ := fmt.Sscanf(line, "%d: %d [", &objects, &held); n != 2 {
			continue
		}
		if held > last {
			t.Errorf("an entry of %d bytes follows one of %d", held, last)
		}
		last = held
	}
	if last == math.MaxInt64 {
		t.Error("the runtime's text has no entries that could be read")
	}
}

// What was freed a moment ago is in no entry that holds something, and is resident all the same.
func TestTextDumpOfTheHeapKeepsTheMaker(t *testing.T) {
	var b strings.Builder
	b.WriteString("heap profile: 9: 9 [9: 9] @ heap/1048576\n")
	for i := range 30 {
		allocated := i
		if i == 4 || i == 25 { // the last but four by what they hold, and the fifth
			allocated = 1 << 30
		}
		fmt.Fprintf(&b, "%d: %d [%d: %d] @ 0x1\n#\t0x1\tmain.f%d+0x1\n\n", i, i, i, allocated, i)
	}
	b.WriteString("\n# runtime.MemStats\n")
	got := string(trim(mem, []byte(b.String())))
	if n := strings.Count(got, "main.f"); n != TrimResultTopN || !strings.Contains(got, "main.f4+") ||
		!strings.Contains(got, "main.f25+") || strings.Contains(got, "main.f20+") {
		t.Errorf("it keeps %d entries, without the one that allocated most:\n%s", n, got)
	}
}

func sortHeap(t *testing.T, text []byte) []byte {
	t.Helper()
	h, ok := parseHeap(text)
	if !ok {
		t.Fatalf("not read: %.200q", text)
	}
	h.sort()
	return h.text(len(text))
}

func TestSortHeapLeavesOtherTexts(t *testing.T) {
	for _, text := range []string{"", "\n", "goroutine profile: total 1\n1 @ 0x1\n#\tmain.f\n\n",
		"heap profile: 0: 0 [0: 0] @ heap/1048576\n\n# runtime.MemStats\n", "a\nb\n\n\nc", "a\n\n\n\n"} {
		if _, ok := parseHeap([]byte(text)); ok {
			t.Errorf("%q is read as a heap profile", text)
		}
		if got := string(trim(mem, []byte(text))); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
