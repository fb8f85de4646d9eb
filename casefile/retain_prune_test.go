package casefile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/filetest"
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
	filetest.Want(t, dir, ids...)
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

// readerOf is a reader for which everything that was just written has settled.
func readerOf(dir string) *Reader {
	r := NewReader(Dir(dir))
	r.now = later
	return r
}

// wantRead wants a reader to list what the folder holds.
func wantRead(t *testing.T, r *Reader, when string) {
	t.Helper()
	var got []Summary
	if err := r.Walk(func(s Summary) bool { got = append(got, s); return true }); err != nil {
		t.Fatal(err)
	}
	if want := truth(t, string(r.dir)); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: the reader lists\n%+v\nwant\n%+v", when, got, want)
	}
}

// A reader lists what WalkSummaries does, of a folder with and without an index, sees what changes, and writes nothing.
func TestReader(t *testing.T) {
	dir := t.TempDir()
	var ids []string
	for i := range indexWorth + 3 {
		ids = append(ids, plainCase(t, dir, i))
	}
	r := readerOf(dir)
	wantRead(t, r, "without an index")
	if _, err := os.Stat(filepath.Join(dir, indexName)); !os.IsNotExist(err) {
		t.Errorf("reading the folder made its index: %v", err)
	}
	wantProgress(t, r, len(ids), len(ids))
	if _, _, err := summaries(dir, later()); err != nil { // makes the index
		t.Fatal(err)
	}
	if n := indexed(t, dir); n != len(ids) {
		t.Fatalf("the index has %d cases, want %d", n, len(ids))
	}
	wantRead(t, r, "again")
	r = readerOf(dir)
	wantRead(t, r, "with an index")
	f, err := Open(filepath.Join(dir, ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(c *Case) { c.Trigger.Text = "changed" }); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, ids[1])); err != nil {
		t.Fatal(err)
	}
	wantRead(t, r, "after a change")
	wantProgress(t, r, len(ids)-1, len(ids)-1)
}

func wantProgress(t *testing.T, r *Reader, known, all int) {
	t.Helper()
	k, a, err := r.Progress()
	if err != nil || k != known || a != all {
		t.Errorf("the reader knows %d of %d cases, %v; want %d of %d", k, a, err, known, all)
	}
}

// What somebody stops in the middle is known the next time.
func TestReaderStops(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		plainCase(t, dir, i)
	}
	r := readerOf(dir)
	n := 0
	if err := r.Walk(func(Summary) bool { n++; return n < 3 }); err != nil {
		t.Fatal(err)
	}
	wantProgress(t, r, 3, 5)
	wantRead(t, r, "after a stop")
}

// abandon leaves a case as a process does that is killed while it writes a second file.
func abandon(t *testing.T, dir string) string {
	t.Helper()
	w, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(evidence("a"), []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Path(), partPrefix+"X"), []byte("hal"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.Path(), "unlisted"), []byte("whole"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.stage.close() // as the kernel does
	return w.ID()
}

func TestRecover(t *testing.T) {
	dir := t.TempDir()
	id := abandon(t, dir)
	alive, err := Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	done, err := Dir(dir).Recover()
	if err != nil {
		t.Fatal(err)
	}
	if len(done) != 1 || done[0].Case.ID != id {
		t.Fatalf("Recover = %+v, want case %s alone", done, id)
	}
	c := wantVerified(t, done[0].Path).Case
	if len(c.Evidence) != 1 || c.Closed.IsZero() || len(c.Missing) != 1 ||
		!strings.Contains(c.Missing[0].Reason, "ended before the case was finished") {
		t.Errorf("the case is %+v", c)
	}
	filetest.Want(t, filepath.Join(dir, id), ".lock", "a", "case.json", "unlisted")
	if err := done[0].Update(func(c *Case) { c.Tool = "next" }); err != nil {
		t.Error(err)
	}
	if _, err := alive.Commit(); err != nil {
		t.Errorf("Recover disturbed a living writer: %v", err)
	}
	if again, err := Dir(dir).Recover(); len(again) != 0 || err != nil {
		t.Errorf("a second Recover = %v, %v", again, err)
	}
}

func TestRecoverGoesOnAfterAnUnreadableCase(t *testing.T) {
	dir := t.TempDir()
	broken, good := abandon(t, dir), abandon(t, dir)
	path := filepath.Join(dir, tmpPrefix+broken)
	if err := os.WriteFile(filepath.Join(path, caseName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := Dir(dir).Recover()
	if len(done) != 1 || done[0].Case.ID != good {
		t.Errorf("Recover = %+v, want case %s", done, good)
	}
	if err == nil || !strings.Contains(err.Error(), "recovering case "+broken) ||
		!strings.Contains(err.Error(), "its evidence is kept in "+path) {
		t.Errorf("Recover: %v, want an error that names the case and its folder", err)
	}
	if _, err := os.Stat(filepath.Join(path, "a")); err != nil {
		t.Errorf("its evidence is gone: %v", err)
	}
}

func TestRecoverClearsOldScratch(t *testing.T) {
	dir := t.TempDir()
	held, err := newStage(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.close()
	old := filepath.Join(dir, scratchName+"old")
	young := filepath.Join(dir, scratchName+"young")
	for _, path := range []string{old, young} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * scratchAge)
	for _, path := range []string{old, held.path()} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Dir(dir).Recover(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{old: false, young: true, held.path(): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
}

const mib = 1 << 20

// ago is a case of a rule, opened some hours before the pruning. Its ID is its rule and its age.
func ago(hours int, rule string, score int, bytes int64) Keepsake {
	return Keepsake{ID: fmt.Sprintf("%s-%d", rule, hours), Scores: map[string]int{rule: score},
		Since: opened.Add(-time.Duration(hours) * time.Hour), Bytes: bytes}
}

func names(cases []Keepsake) string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

// TestRetentionProperties checks the promises of retention on 3,000 random folders.
func TestRetentionProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	var dropped, over int
	for i := range 3000 {
		cases, keep := randomCases(rng), Retention{
			MaxBytes: int64(rng.IntN(40)-2) * mib, MaxAge: time.Duration(rng.IntN(90)-2) * time.Hour,
			MaxCases: rng.IntN(40) - 2,
		}
		out := keep.Drop(cases, opened)
		dropped += len(out)
		left := slices.DeleteFunc(slices.Clone(cases), func(c Keepsake) bool {
			return slices.ContainsFunc(out, func(o Keepsake) bool { return o.ID == c.ID })
		})
		if len(left)+len(out) != len(cases) {
			t.Fatalf("%d: %d cases, dropped %q", i, len(cases), names(out))
		}
		for _, c := range out {
			if why := mustStay(c, cases); why != "" {
				t.Errorf("%d: dropped %s, which is %s", i, c.ID, why)
			}
		}
		if !slices.IsSortedFunc(out, func(a, b Keepsake) int { return a.Since.Compare(b.Since) }) {
			t.Errorf("%d: not the oldest first: %q", i, names(out))
		}
		if exceeds(keep, left) {
			over++
			for _, c := range left {
				if mustStay(c, cases) == "" {
					t.Errorf("%d: above the limits, and yet %s was kept", i, c.ID)
				}
			}
		}
		if n := len(out); n > 0 && !exceeds(keep, append(left, out[n-1])) {
			t.Errorf("%d: %s was dropped without need", i, out[n-1].ID)
		}
		if again := keep.Drop(left, opened); len(again) > 0 {
			t.Errorf("%d: dropped %q at once and %q when asked again", i, names(out), names(again))
		}
		rng.Shuffle(len(cases), func(a, b int) { cases[a], cases[b] = cases[b], cases[a] })
		if other := keep.Drop(cases, opened); names(other) != names(out) {
			t.Errorf("%d: dropped %q, and %q of the same cases in another order", i, names(out), names(other))
		}
	}
	if dropped < 3000 || over < 100 || over > 2900 {
		t.Errorf("the folders are too tame: %d cases dropped, %d of 3000 stayed above their limits", dropped, over)
	}
}

func randomCases(rng *rand.Rand) []Keepsake {
	var cases []Keepsake
	for i := range rng.IntN(50) {
		c := ago(rng.IntN(100), string(rune('a'+rng.IntN(3))), rng.IntN(5)*20, int64(rng.IntN(3))*mib/2)
		c.ID = fmt.Sprintf("%s-%d", c.ID, i)
		if rng.IntN(10) == 0 {
			c.Fixed = true
		}
		c.Imported, c.Pinned = rng.IntN(5) == 0, rng.IntN(10) == 0
		cases = append(cases, c)
	}
	return cases
}

// mustStay says why pruning must keep c, by looking at every other case.
func mustStay(c Keepsake, cases []Keepsake) string {
	first, worst, newest := true, true, true
	for _, o := range cases {
		if o.Fixed || o.ID == c.ID {
			continue
		}
		older := o.Since.Before(c.Since) || o.Since.Equal(c.Since) && o.ID < c.ID
		if !older {
			newest = false
		}
		if o.Imported {
			continue
		}
		for rule, score := range c.Scores { // one
			other, same := o.Scores[rule]
			if same && older {
				first = false
			}
			if same && (other > score || other == score && older) {
				worst = false
			}
		}
	}
	switch {
	case c.Fixed:
		return "fixed"
	case c.Pinned:
		return "pinned"
	case first && !c.Imported:
		return "the first of its rule"
	case worst && !c.Imported:
		return "the worst of its rule"
	case newest:
		return "the newest of all"
	}
	return ""
}

// exceeds is the definition of Retention, for limits that are not the defaults.
func exceeds(keep Retention, cases []Keepsake) bool {
	keep = keep.withDefaults()
	old := slices.ContainsFunc(cases, func(c Keepsake) bool {
		return !c.Fixed && opened.Sub(c.Since) > keep.MaxAge && mustStay(c, cases) == ""
	})
	return keep.MaxCases > 0 && len(cases) > keep.MaxCases || keep.MaxBytes > 0 && sumBytes(cases) > keep.MaxBytes ||
		keep.MaxAge > 0 && old
}
