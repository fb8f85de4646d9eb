package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/server"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// diagnosedStore is a store with so many cases that have been diagnosed, and their IDs, oldest first.
func diagnosedStore(t *testing.T, n int) (dir string, ids []string) {
	t.Helper()
	dir, source := filepath.Join(t.TempDir(), "store"), t.TempDir()
	url, end := served(t, "--store", dir)
	defer end()
	ids = oldCases(t, source, n, 1)
	for _, id := range ids {
		sendCase(t, url, source, id)
		var c casefile.Case
		for deadline := time.Now().Add(patience); len(c.Undecided) == 0; time.Sleep(50 * time.Millisecond) {
			if get(t, url+"api/v1/cases/"+id, &c); time.Now().After(deadline) {
				t.Fatal("the case was not diagnosed")
			}
		}
	}
	return dir, ids
}

// A server with limits removes what came first and is not pinned, as casebook store prune --dry-run said.
func TestServeRetention(t *testing.T) {
	dir, ids := diagnosedStore(t, 4)
	casebook(t, dir, "store", "pin", "--store", dir, ids[0]).want(t, 0)
	casebook(t, dir, "store", "pin", "--store", dir, "nonsense").want(t, 2, "not found")
	casebook(t, dir, "store", "prune", "--store", dir).want(t, 2, "no limit is given")
	casebook(t, dir, "store", "prune", "--store", dir, "--keep-cases", "0").want(t, 2, "--keep-cases is 0")
	plan := casebook(t, dir, "store", "prune", "--store", dir, "--keep-cases", "2", "--dry-run")
	plan.want(t, 0, "would remove "+ids[1], "would remove "+ids[2], "would remove 2 cases,", "2 cases left", "1 of them pinned")
	url, end := served(t, "--store", dir, "--keep-cases", "2")
	var p server.RetentionPlan
	for deadline := time.Now().Add(patience); p.Cases != 2 || len(p.Removed) > 0; time.Sleep(50 * time.Millisecond) {
		if get(t, url+"api/v1/retention", &p); time.Now().After(deadline) {
			t.Fatalf("the server has not removed what it should: %+v", p)
		}
	}
	var list store.Page
	get(t, url+"api/v1/cases", &list)
	if len(list.Cases) != 2 || list.Cases[0].ID != ids[3] || list.Cases[1].ID != ids[0] || !list.Cases[1].Pinned {
		t.Errorf("%+v are left, want the newest and the pinned", list.Cases)
	}
	end()
	casebook(t, dir, "store", "unpin", "--store", dir, ids[0]).want(t, 0)
	casebook(t, dir, "store", "prune", "--store", dir, "--keep-cases", "1").want(t, 0, "removed "+ids[0], "1 case left")
	serving := casebook(t, dir, "serve", ".", "--keep-cases", "1")
	serving.want(t, 2, "are for --store")
	if strings.Contains(serving.out, "Cases at") {
		t.Error("it serves nevertheless")
	}
}
