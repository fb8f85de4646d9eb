package casefile

import (
	"strings"
	"testing"
)

func TestCheckName(t *testing.T) {
	for _, good := range []string{"cpu.pb.gz", "during/cpu.pb.gz", "a-b_c+d=1.txt", "A", strings.Repeat("a", 200)} {
		if err := checkName(good); err != nil {
			t.Errorf("checkName(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"", ".", "..", "/", "/etc/passwd", "../x", "a/../x", "a/..", "a//b", "a/", "./a", "a/.", ".hidden", "a/.b",
		"a.",
		`a\b`, `..\x`, "C:x", "a b", "a\x00b", "a\nb", "ä", "a?", "a*", "<a>", `"a"`, strings.Repeat("a", 201),
	} {
		if checkName(bad) == nil {
			t.Errorf("checkName(%q) accepts it", bad)
		}
	}
}

func TestNameSet(t *testing.T) {
	for _, tt := range []struct {
		name  string
		taken []string
		want  string // part of the error; "": no error
	}{
		{"cpu.pb.gz", nil, ""},
		{"cpu.pb.gz", []string{"heap.pb.gz"}, ""},
		{"cpu.pb.gz", []string{"cpu.pb.gz"}, "already taken"},
		{"CPU.pb.gz", []string{"cpu.pb.gz"}, "already taken"},
		{"case.json", nil, "already taken"},
		{"Case.JSON", nil, "already taken"},
		{"case.json/a", nil, `"case.json" is a file`},
		{"during/heap", []string{"during/cpu"}, ""},
		{"during", []string{"during/cpu"}, "already taken"},
		{"during/cpu", []string{"during"}, `"during" is a file`},
		{"a/b/c", []string{"A/b"}, `"a/b" is a file`},
	} {
		names := newNameSet()
		for _, n := range tt.taken {
			if err := names.take(n); err != nil {
				t.Fatal(err)
			}
		}
		err := names.take(tt.name)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q after %q: %v, want an error with %q", tt.name, tt.taken, err, tt.want)
		}
	}
}
