package diagnose

import (
	"slices"
	"strings"
	"testing"
)

// TestSyncRemedies: the remedy is in the words of the library that makes the calls, and only for what the evidence
// shows: many syncs of a request, or many requests at once.
func TestSyncRemedies(t *testing.T) {
	const (
		bboltCommit  = "syscall.Fdatasync go.etcd.io/bbolt.(*Tx).Commit go.etcd.io/bbolt.(*DB).Update"
		sqliteCommit = "modernc.org/libc.Xfsync modernc.org/sqlite/lib._unixSync modernc.org/sqlite.(*tx).Commit " +
			"database/sql.(*Tx).Commit"
		later = "Answer before the disk has it"
		once  = "One sync for all records of a request"
		group = "One sync for several requests (group commit)"
	)
	for _, c := range []struct {
		name, below    string
		each, together float64
		want           []string
	}{
		{"a file, many", "syscall.Fsync os.(*File).Sync", 15, 1, []string{once, later}},
		{"a file, one, many at once", "syscall.Fsync os.(*File).Sync", 1, 9, []string{group, later}},
		{"a file, many, and many are left when they are joined", "syscall.Fsync os.(*File).Sync", 10, 40,
			[]string{once, group, later}},
		{"a file, one, alone", "syscall.Fsync os.(*File).Sync", 1, 0.5, []string{later}},
		{"how many is not known", "syscall.Fsync os.(*File).Sync", 0, 30,
			[]string{once, group, later}},
		{"bbolt, many", bboltCommit, 15, 1, []string{"One transaction for all keys of a request", later}},
		{"bbolt, many at once", bboltCommit, 2, 12, []string{"Commit for many callers together", later}},
		{"raft's log is in bbolt", bboltCommit + " github.com/hashicorp/raft-boltdb/v2.(*BoltStore).StoreLogs", 15, 1,
			[]string{"One call for all entries", later}},
		{"a package whose name begins as bbolt's", "syscall.Fsync go.etcd.io/bboltish.(*DB).Update", 15, 1,
			[]string{once, later}},
		{"SQLite below database/sql", sqliteCommit, 15, 1, []string{"One transaction for many statements", later}},
		{"Pebble joins those of all", "sync.(*WaitGroup).Wait " +
			"github.com/cockroachdb/pebble/v2.(*commitPipeline).Commit " +
			"github.com/cockroachdb/pebble/v2.(*Batch).Commit", 1, 20, []string{later}},
		{"badger, many", "sync.(*WaitGroup).Wait github.com/dgraph-io/badger/v4.(*request).Wait " +
			"github.com/dgraph-io/badger/v4.(*DB).Update", 15, 20,
			[]string{"One transaction for all keys of a request", later}},
		{"a file for each record", "os.(*File).Sync " +
			"github.com/google/renameio/v2.(*PendingFile).CloseAtomicallyReplace " +
			"github.com/google/renameio/v2.WriteFile", 15, 1, []string{"One file for all records of a request", later}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range (syncing{strings.Fields(c.below), c.each, c.together}).remedies() {
				got = append(got, r.Title)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("remedies %q, want %q", got, c.want)
			}
		})
	}
}

// TestSyncCounts: the remedies say how many records a sync can be for.
func TestSyncCounts(t *testing.T) {
	all := syncing{[]string{"os.(*File).Sync"}, 10, 40}.remedies()
	if !strings.Contains(all[0].Text, "10 syncs now") || !strings.Contains(all[1].Text, "4 records wait at once") {
		t.Errorf("%q and %q; want the 10 of a request, and the 4 that are left of 40", all[0].Text, all[1].Text)
	}
}
