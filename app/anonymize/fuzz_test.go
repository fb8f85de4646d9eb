package anonymize

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// FuzzNoWordStays puts a word into hostile dumps, vitals and settings: whatever surrounds it, the word is not in the
// output.
func FuzzNoWordStays(f *testing.F) {
	for _, seed := range []string{"goroutine 1 [running]:\nmain.WORD(0x1)\n\t/srv/WORD.go:2 +0x1\n",
		"goroutine 7 [WORD, 3 minutes]:\ncreated by WORD in goroutine 2\n\tWORD:1\n",
		`{"schema":1,"units":{"WORD":"count"}}` + "\n" + `{"t":"2026-11-21T13:25:12Z","WORD":1}`,
		`{"environment":{"GOGC":"WORD"},"build":{"path":"WORD/x"},"memstats":{"WORD":1}}`,
		"goroutine 1 [running]:\nsync.(*Mutex).Lock(0x1, WORD)\n\t/usr/local/go/src/sync/WORD:2\n...WORD\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const word = "zebrafinch"
		n, err := newNames(Options{Key: bytes.Repeat([]byte("k"), 32)})
		if err != nil {
			t.Fatal(err)
		}
		data := []byte(strings.ReplaceAll(text, "WORD", word))
		for name, rewrite := range map[string]func([]byte) ([]byte, error){"dump": n.dump, "vitals": n.vitals,
			"numbers": n.numbers, "profile": n.profile} {
			if out, err := rewrite(data); err == nil {
				for line := range strings.Lines(string(out)) {
					if strings.Contains(strings.ToLower(line), word) && !ofStd(line) {
						t.Errorf("%s kept it: %q became %q", name, data, out)
					}
				}
			} else if err != nil && strings.Contains(err.Error(), word) {
				t.Errorf("%s shows it: %v", name, err)
			}
		}
	})
}

// ofStd reports whether a line of a dump names a function or a file as the standard library's. Such names stay.
func ofStd(line string) bool {
	line = strings.TrimPrefix(strings.TrimSpace(line), "created by ")
	_, file := stdFolder(path.Dir(line), true)
	return file || isStd(stacks.FuncOf(line, "", "").Package)
}
