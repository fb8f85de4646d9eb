package casefile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// caseAgo writes a case that was opened some hours ago, with a finding of this score and this many bytes of evidence.
func caseAgo(t *testing.T, dir string, hours, score, bytes int) *Folder {
	t.Helper()
	c := newCase()
	c.Opened = opened.Add(-time.Duration(hours) * time.Hour)
	f := mustCommit(t, dir, c, map[string]string{"during/cpu.pb.gz": strings.Repeat("x", bytes)})
	// not by score
	findings := []Finding{{ID: "GC003", Score: 20}, {ID: "CPU001", Score: score}, {ID: "AL001", Score: 25}}
	if err := f.Update(func(c *Case) { c.Findings = findings }); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	first, second := caseAgo(t, dir, 9, 30, mib), caseAgo(t, dir, 8, 30, mib)
	worst, third := caseAgo(t, dir, 7, 80, mib), caseAgo(t, dir, 6, 30, mib)
	newest := caseAgo(t, dir, 1, 30, 2*mib)
	if err := third.AddFile("report.html", make([]byte, mib)); err != nil {
		t.Fatal(err)
	}
	if err := third.Update(func(c *Case) { c.Proof = &Proof{Verdict: Better} }); err != nil {
		t.Fatal(err)
	}
	all, err := folderBytes(dir)
	if err != nil {
		t.Fatal(err)
	}
	keep := Retention{MaxBytes: 5 * mib}
	plan, err := Dir(dir).PlanPrune(keep, opened)
	if err != nil {
		t.Fatal(err)
	}
	wantCases(t, dir, newest, third, worst, second, first)
	done, err := Dir(dir).Prune(keep, opened)
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Pruned{"PlanPrune": plan, "Prune": done} {
		if !slices.Equal(p.Removed, []string{second.Case.ID, third.Case.ID}) || p.Cases != 3 || p.Freed < 3*mib ||
			p.Freed+p.Bytes != all || p.OverBytes != 0 {
			t.Errorf("%s = %+v, want the second and the third case removed, of %d bytes", name, p, all)
		}
	}
	wantCases(t, dir, newest, worst, first)
	if left, err := folderBytes(dir); err != nil || left != done.Bytes {
		t.Errorf("%d bytes are left (%v), Prune said %d", left, err, done.Bytes)
	}
	wantVerified(t, worst.Path)

	keep.MaxBytes = 2 * mib
	p, err := Dir(dir).Prune(keep, opened)
	if err != nil || len(p.Removed) != 0 || p.OverBytes != p.Bytes-keep.MaxBytes || p.OverBytes < 2*mib {
		t.Errorf("Prune = %+v, %v; want nothing removed and to hear how far it is above the limit", p, err)
	}
}

// wantCases wants exactly these cases in dir, newest first.
func wantCases(t *testing.T, dir string, want ...*Folder) {
	t.Helper()
	var ids []string
	for _, f := range want {
		ids = append(ids, f.Case.ID)
	}
	slices.Sort(ids)
	wantFiles(t, dir, ids...)
}

// Pruning keeps every case that somebody is writing, has left unfinished, or still has to look at.
func TestPruneLeavesAlone(t *testing.T) {
	dir := t.TempDir()
	caseAgo(t, dir, 99, 90, 1) // the first and the worst
	locked, stubborn, goes := caseAgo(t, dir, 9, 1, 1), caseAgo(t, dir, 7, 1, 1), caseAgo(t, dir, 6, 1, 1)
	var alone []string // two of each, so that they are not kept as the first of a rule
	for i := range 2 {
		unreadable, unfinished := caseAgo(t, dir, 8-i, 1, 1), caseAgo(t, dir, 5-i, 1, 1)
		if err := os.WriteFile(filepath.Join(unreadable.Path, caseName), []byte(`{"schema": 99}`), 0o600); err != nil {
			t.Fatal(err)
		}
		left := filepath.Join(dir, tmpPrefix+unfinished.Case.ID) // by a process that was killed
		if err := os.Rename(unfinished.Path, left); err != nil {
			t.Fatal(err)
		}
		alone = append(alone, unreadable.Path, left)
	}
	old := newCase()
	old.Opened = opened.Add(-50 * time.Hour)
	writing, err := Dir(dir).Create(old)
	if err != nil {
		t.Fatal(err)
	}
	caseAgo(t, dir, 1, 1, 1) // the newest

	root, err := os.OpenRoot(locked.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	lock, err := tryLock(root)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(stubborn.Path, lockName) // a lock that cannot be opened: the case cannot be removed
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}

	p, err := Dir(dir).Prune(Retention{MaxCases: 1}, opened)
	if !slices.Equal(p.Removed, []string{goes.Case.ID}) || p.Cases != 9 || p.Unreadable != 2 {
		t.Errorf("Prune = %+v, want %s removed, 9 left, two of them unreadable", p, goes.Case.ID)
	}
	if err == nil || !strings.Contains(err.Error(), stubborn.Case.ID) || strings.Contains(err.Error(), locked.Case.ID) {
		t.Errorf("Prune: %v, want an error of %s alone", err, stubborn.Case.ID)
	}
	for _, path := range append(alone, locked.Path, stubborn.Path, writing.Path()) {
		if !exists(path) {
			t.Errorf("%s is gone", path)
		}
	}

	lock.release()
	if p, _ := Dir(dir).Prune(Retention{MaxCases: 1}, opened); !slices.Equal(p.Removed, []string{locked.Case.ID}) {
		t.Errorf("Prune = %+v, want %s removed, which is free now", p, locked.Case.ID)
	}
	if _, err := writing.Commit(); err != nil {
		t.Error(err)
	}
}

func TestPruneOfNoFolder(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	if p, err := Dir(none).Prune(Retention{}, opened); err != nil || p.Cases != 0 || exists(none) {
		t.Errorf("Prune = %+v, %v, want nothing done", p, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dir(file).Prune(Retention{}, opened); err == nil ||
		!strings.Contains(err.Error(), "a part of the path is a file") {
		t.Errorf("Prune of a file: %v", err)
	}
	dir := t.TempDir()
	caseAgo(t, dir, 9000, 1, 1)
	f := caseAgo(t, dir, 8000, 1, 1)
	caseAgo(t, dir, 1, 1, 1)
	if _, err := Dir(dir).Prune(Retention{MaxAge: 1}, opened); err == nil ||
		!strings.Contains(err.Error(), "field MaxAge is 1ns") || !exists(f.Path) {
		t.Errorf("Prune with a limit that cannot be meant: %v", err)
	}
}

// Two Casebooks that prune one folder at the same time lose nothing that must stay, and report no error.
func TestPruneAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		caseAgo(t, dir, 100-i, 10+i%7, 1000)
	}
	results := make(chan Pruned)
	for range 3 {
		go func() {
			p, err := Dir(dir).Prune(Retention{MaxCases: 5}, opened)
			if err != nil {
				t.Error(err)
			}
			results <- p
		}()
	}
	removed := map[string]int{}
	for range 3 {
		for _, id := range (<-results).Removed {
			removed[id]++
		}
	}
	list, err := Dir(dir).List()
	if err != nil || len(list) != 5 || len(removed) != 25 {
		t.Errorf("%d cases are left and %d were removed, want 5 and 25; %v", len(list), len(removed), err)
	}
	for id, n := range removed {
		if n != 1 {
			t.Errorf("%s was removed %d times", id, n)
		}
	}
}
