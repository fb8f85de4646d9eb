package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

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
