package diagnose

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
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

// TestStoreSteps: what a function's name says that it does for a store.
func TestStoreSteps(t *testing.T) {
	for name, want := range map[string]storeStep{
		"github.com/cockroachdb/pebble/v2.(*DB).compact":                                 merges,
		"github.com/cockroachdb/pebble/v2.(*DB).flush":                                   flushes,
		"github.com/cockroachdb/pebble.(*DB).compact.func1":                              merges,
		"github.com/syndtr/goleveldb/leveldb.(*DB).tCompaction":                          merges,
		"github.com/syndtr/goleveldb/leveldb.(*DB).mCompaction":                          flushes,
		"github.com/dgraph-io/badger/v4.(*levelsController).runCompactor":                merges,
		"github.com/dgraph-io/badger/v4.(*DB).handleMemTableFlush":                       flushes,
		"github.com/VictoriaMetrics/VictoriaMetrics/lib/storage.(*partition).mergeParts": merges,
		"github.com/prometheus/prometheus/tsdb.(*LeveledCompactor).Compact":              merges,
		"github.com/prometheus/prometheus/tsdb.(*DB).compactHead":                        flushes,
		"github.com/cockroachdb/pebble/v2.(*DB).Set":                                     noStep,
		"encoding/json.Compact":                                                          noStep,
		"slices.Compact":                                                                 noStep,
		"main.(*store).mergeFiles":                                                       merges,
		"go.etcd.io/bbolt.(*Tx).Commit":                                                  noStep,
	} {
		f := stacks.FuncOf(name, "", "example.com/service")
		if got := stepOf(&f); got != want {
			t.Errorf("%s: step %d, want %d", name, got, want)
		}
	}
}
