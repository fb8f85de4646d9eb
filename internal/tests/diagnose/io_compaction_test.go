package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// TestCompaction: testdata/compaction has stores by several hands. Large values in what is merged are found, at the
// user's line that writes them, with the store's own remedy first; the same values beside it, small records and reads
// are no warning, and small records are not taken for large values.
func TestCompaction(t *testing.T) {
	checkout.Need(t)
	for _, tt := range []struct {
		name, line, remedy string // line is part of the first place's function; "": no finding of 50 or more
		least              int    // the score: the machine was busy, and some got a tenth of a core
	}{
		{"lab-messages-sick", "messages.store.put", "Values in files of their own", 50},
		{"pebble-bench-large", "main.(*ycsb)", "Values in files of their own", 25},
		{"badger-bench-large", "cmd.writeRandom", "Values in the value log", 50},
		{"goleveldb-blobs", "main.(*archive).save", "Keep large values outside", 50},
		{"goleveldb-dbstress-large", "main.main", "Keep large values outside", 25},
		{"segments", "main.(*store).mergeFiles", "Keep large values outside", 50},

		{"lab-messages-cured", "", "", 0},
		{"badger-bench-separate", "", "", 0},
		{"badger-bench-small", "", "", 0},
		{"pebble-bench-small", "", "", 0},
		{"pebble-bench-read", "", "", 0},
		{"goleveldb-feed", "", "", 0},
		{"goleveldb-dbstress-small", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := findingOf(judged(t, "compaction/"+tt.name).Findings, "io-compaction")
			switch {
			case tt.line == "" && f != nil && f.Score > capNotice:
				t.Errorf("%d, %q; want a notice at most", f.Score, f.Title)
			case f != nil && strings.Contains(tt.name, "small") && strings.Contains(f.Title, "large values"):
				t.Errorf("%q, and the records are small", f.Title)
			case tt.line == "":
			case f == nil || f.Score < tt.least:
				t.Fatalf("finding %v, want one of %d or more", f, tt.least)
			case !strings.Contains(f.Title, "large values"), !strings.Contains(f.Where[0].Function, tt.line),
				!strings.HasPrefix(f.Remedies[0].Title, tt.remedy):
				t.Errorf("%q at %v, first %q; want large values at %s, first %q", f.Title, f.Where, f.Remedies[0].Title,
					tt.line, tt.remedy)
			}
		})
	}
}
