package casefile

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNewID(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	at := time.Date(2026, 11, 21, 14, 25, 12, 999, berlin)
	for _, tt := range []struct{ rule, prefix string }{
		{"gc-cpu", "20261121T132512Z-gc-cpu-"},
		{"GC CPU > 25 %", "20261121T132512Z-gc-cpu-25-"},
		{"", "20261121T132512Z-case-"},
		{"../../etc", "20261121T132512Z-etc-"},
		{"größe\x00", "20261121T132512Z-gr-e-"},
		{strings.Repeat("a", 500), "20261121T132512Z-" + strings.Repeat("a", 40) + "-"},
		{strings.Repeat("a-", 500), "20261121T132512Z-" + strings.Repeat("a-", 20)},
	} {
		id := NewID(at, tt.rule)
		suffix, ok := strings.CutPrefix(id, tt.prefix)
		if !ok || len(suffix) != 6 || !isHex(suffix) {
			t.Errorf("NewID(%.20q) = %q, want %s and six hexadecimal digits", tt.rule, id, tt.prefix)
		}
		if !ValidID(id) {
			t.Errorf("NewID(%.20q) = %q, which ValidID refuses", tt.rule, id)
		}
	}
}

func TestNewIDDiffers(t *testing.T) {
	seen := map[string]bool{}
	for range 100 { // two of 100 are equal once in 3,400 runs: 100²/2/2²⁴
		seen[NewID(opened, "x")] = true
	}
	if len(seen) < 99 {
		t.Errorf("100 IDs of one second have %d different values", len(seen))
	}
}

func TestValidID(t *testing.T) {
	const good = "20261121T132512Z-gc-cpu-3f2a9c"
	if !ValidID(good) {
		t.Errorf("ValidID(%q) is false", good)
	}
	for _, bad := range []string{
		"", ".", "..", "/", "20261121T132512Z", "20261121T132512Z-3f2a9c", "20261121T132512Z--3f2a9c",
		"20261121T132512Z-../../x-3f2a9c", "20261121T132512Z-a/b-3f2a9c", "20261121T132512Z-a\\b-3f2a9c",
		"20261121T132512Z-a.b-3f2a9c", "20261121T132512Z-A-3f2a9c", "20261121T132512Z-a--b-3f2a9c",
		"20261121T132512Z-a-3f2a9", "20261121T132512Z-a-3F2A9C", "20261121T132512Z-a-3f2a9c\n",
		"20261321T132512Z-a-3f2a9c", "20261121T132512+-a-3f2a9c", tmpPrefix + good,
		"20261121T132512Z-" + strings.Repeat("a", 41) + "-3f2a9c",
	} {
		if ValidID(bad) {
			t.Errorf("ValidID(%q) is true", bad)
		}
	}
}

func FuzzValidID(f *testing.F) {
	f.Add("20261121T132512Z-gc-cpu-3f2a9c")
	f.Add("20261121T132512Z-../..-3f2a9c")
	f.Fuzz(func(t *testing.T, id string) {
		if !ValidID(id) {
			return
		}
		if path := filepath.Join("/cases", id); filepath.Dir(path) != "/cases" || filepath.Base(path) != id {
			t.Errorf("ValidID(%q), but joined to /cases it is %s", id, path)
		}
	})
}
