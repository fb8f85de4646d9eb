package casefile_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/filetest"
	"github.com/gocasebook/casebook/internal/flock"
	"github.com/gocasebook/casebook/internal/race"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	var ids []string // newest first
	for i := range 3 {
		c := newCase()
		c.Opened = opened.Add(-time.Duration(i) * time.Hour)
		ids = append(ids, mustCommit(t, dir, c, map[string]string{"a": "a"}).Case.ID)
	}
	if err := os.WriteFile(filepath.Join(dir, ids[1], caseName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCase()
	c.Opened = opened.Add(time.Hour)
	w, err := casefile.Dir(dir).Create(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"not-a-case", ".hidden", scratchName + "X"} {
		if err := os.Mkdir(filepath.Join(dir, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, casefile.NewID(opened, "a-file")), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	misnamed := casefile.NewID(opened.Add(-5*time.Hour), "misnamed")
	if err := os.CopyFS(filepath.Join(dir, misnamed), os.DirFS(filepath.Join(dir, ids[0]))); err != nil {
		t.Fatal(err)
	}

	list, err := casefile.Dir(dir).List()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		id         string
		unfinished bool
		err        string
	}{
		{w.ID(), true, ""},
		{ids[0], false, ""},
		{ids[1], false, "reading case.json: line 1: unexpected end"},
		{ids[2], false, ""},
		{misnamed, false, "the folder holds case " + ids[0]},
	}
	if len(list) != len(want) {
		t.Fatalf("List = %+v, want %d entries", list, len(want))
	}
	for i, e := range list {
		if e.ID != want[i].id || e.Unfinished != want[i].unfinished || (e.Err == nil) != (want[i].err == "") {
			t.Errorf("entry %d is %s, unfinished %v, %v, want %+v", i, e.ID, e.Unfinished, e.Err, want[i])
		}
		if e.Err != nil && !strings.Contains(e.Err.Error(), want[i].err) {
			t.Errorf("entry %d: %v, want an error with %q", i, e.Err, want[i].err)
		}
		if e.Err == nil && e.Case.ID != e.ID {
			t.Errorf("entry %d has case %q", i, e.Case.ID)
		}
	}
}

// A copy under a name of one's own is not listed, and is not passed over in silence either.
func TestMisnamed(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"before-the-fix", casefile.NewID(time.Now(), "heap"), "notes"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if name == "notes" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name, caseName), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := casefile.Dir(dir).Misnamed(); err != nil || len(got) != 1 || got[0] != "before-the-fix" {
		t.Errorf("Misnamed = %q, %v, want before-the-fix", got, err)
	}
	if got, err := casefile.Dir(filepath.Join(dir, "none")).Misnamed(); err != nil || len(got) != 0 {
		t.Errorf("Misnamed of no folder = %q, %v", got, err)
	}
}

func TestListOfNothing(t *testing.T) {
	if list, err := casefile.Dir(filepath.Join(t.TempDir(), "none")).List(); len(list) != 0 || err != nil {
		t.Errorf("List = %v, %v, want nothing", list, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := casefile.Dir(file).List(); err == nil || !strings.Contains(err.Error(), "a part of the path is a file") {
		t.Errorf("List of a file: %v", err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, id := range []string{"20261121T132512Z-gc-cpu-aaaaaa", "20261121T132512Z-gc-cpu-bbbbbb",
		"20261122T000000Z-p99-cccccc"} {
		c := newCase()
		c.ID = id
		mustCommit(t, dir, c, nil)
	}
	for _, tt := range []struct{ prefix, want, err string }{
		{"20261122", "20261122T000000Z-p99-cccccc", ""},
		{"20261121T132512Z-gc-cpu-b", "20261121T132512Z-gc-cpu-bbbbbb", ""},
		{"20261121T132512Z-gc-cpu-aaaaaa", "20261121T132512Z-gc-cpu-aaaaaa", ""},
		{"20261121", "", "it matches 20261121T132512Z-gc-cpu-bbbbbb, 20261121T132512Z-gc-cpu-aaaaaa: give more of " +
			"the ID"},
		{"", "", "it matches"},
		{"../", "", "no case ID starts with that"},
		{"20261121T132512Z-gc-cpu-aaaaaa/", "", "no case ID starts with that"},
	} {
		e, err := casefile.Dir(dir).Find(tt.prefix)
		if e.ID != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("Find(%q) = %q, %v, want %q, %q", tt.prefix, e.ID, err, tt.want, tt.err)
		}
		if err == nil && e.Case.ID != tt.want {
			t.Errorf("Find(%q) read case %q", tt.prefix, e.Case.ID)
		}
	}
	if _, err := casefile.Dir(dir).Find("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Find of nothing: %v, want fs.ErrNotExist", err)
	}
}

func TestFindNamesAFewCandidates(t *testing.T) {
	dir := t.TempDir()
	for range 8 {
		mustCommit(t, dir, newCase(), nil)
	}
	if _, err := casefile.Dir(dir).Find("2026"); err == nil || !strings.Contains(err.Error(), ", 3 more: give more") {
		t.Errorf("Find: %v", err)
	}
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	f := mustCommit(t, dir, newCase(), map[string]string{"during/a": "a"})
	broken := mustCommit(t, dir, newCase(), nil)
	if err := os.WriteFile(filepath.Join(broken.Path, caseName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{f.Case.ID, broken.Case.ID} {
		if err := casefile.Dir(dir).Remove(id); err != nil {
			t.Error(err)
		}
	}
	filetest.Want(t, dir)
	if err := casefile.Dir(dir).Remove(f.Case.ID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removing it twice: %v, want fs.ErrNotExist", err)
	}
}

func TestRemoveStaysInside(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(top, "outside", "kept")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "cases")
	f := mustCommit(t, dir, newCase(), nil)
	linked := casefile.NewID(opened, "link")
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, linked)); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(f.Path, "link")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", ".", "..", "../outside", "../cases/" + f.Case.ID, linked} {
		if err := casefile.Dir(dir).Remove(id); err == nil {
			t.Errorf("Remove(%q) went well", id)
		}
	}
	if err := casefile.Dir(dir).Remove(f.Case.ID); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Errorf("what a link pointed to is gone: %v", err)
	}
}

func TestRemoveRefusesWhatIsBeingWritten(t *testing.T) {
	dir := t.TempDir()
	w, err := casefile.Dir(dir).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	if err := casefile.Dir(dir).Remove(w.ID()); !errors.Is(err, flock.ErrInUse) {
		t.Errorf("Remove: %v, want %v", err, flock.ErrInUse)
	}
	if _, err := w.Commit(); err != nil {
		t.Error(err)
	}
}

// writeCases is the child of TestKill: it writes cases into dir in an endless loop and prints each one that was
// reported as written.
func writeCases(dir string) error {
	for {
		w, err := casefile.Dir(dir).Create(newCase())
		if err != nil {
			return err
		}
		fmt.Println("created", w.ID())
		for i := range 4 {
			name := fmt.Sprintf("during/f%d", i)
			if err := w.Add(evidence(name), bytes.Repeat([]byte{byte(i)}, 1+i*50_000)); err != nil {
				return err
			}
			fmt.Println("added", w.ID(), name)
		}
		w.Missing(casefile.Block, casefile.During, "not asked for")
		f, err := w.Commit()
		if err != nil {
			return err
		}
		fmt.Println("committed", f.Case.ID)
		err = f.Update(func(c *casefile.Case) { c.Findings = append(c.Findings, casefile.Finding{ID: "GC001"}) })
		if err != nil {
			return err
		}
		fmt.Println("updated", f.Case.ID)
	}
}

// TestKill kills a writer with SIGKILL at random moments. Every case must be readable, and nothing that was reported as
// written may be lost.
func TestKill(t *testing.T) {
	moments := 100
	if testing.Short() || race.Enabled { // the writer is one goroutine
		moments = 10
	}
	seen := map[string]int{}
	for i := range moments {
		dir := t.TempDir()
		reported := killedWriter(t, dir, i)
		for _, line := range reported {
			checkReported(t, dir, line)
		}
		before, _ := casefile.Dir(dir).List()
		recovered, err := casefile.Dir(dir).Recover()
		if err != nil {
			t.Fatalf("moment %d: Recover: %v", i, err)
		}
		after, err := casefile.Dir(dir).List()
		if err != nil || len(after) != len(before) {
			t.Fatalf("moment %d: %d cases before Recover, %d after it: %v", i, len(before), len(after), err)
		}
		for _, e := range append(before, after...) {
			if e.Err != nil {
				t.Errorf("moment %d: unreadable case: %v", i, e.Err)
			}
		}
		for _, e := range after {
			if f := wantVerified(t, e.Path); e.Unfinished || f.Case.Closed.IsZero() {
				t.Errorf("moment %d: case %s is still unfinished", i, e.ID)
			}
		}
		seen[fmt.Sprint(len(recovered), " recovered")]++
	}
	t.Log(seen)
	if seen["1 recovered"] == 0 || seen["0 recovered"] == 0 {
		t.Errorf("all %d moments were alike: %v", moments, seen)
	}
}

// killedWriter lets a child write, kills it a random moment after a line of its output and returns the whole output.
func killedWriter(t *testing.T, dir string, seed int) []string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	cmd := filetest.Child(t, childVar, "write", dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := random.IntN(25)
	var report []string
	sc := bufio.NewScanner(out)
	for n := 0; sc.Scan(); n++ {
		report = append(report, sc.Text())
		if n == lines {
			time.AfterFunc(time.Duration(random.IntN(2000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: the output ended, as the test wants
	if len(report) <= lines {
		t.Fatalf("the child ended on its own after %q", report)
	}
	return report
}

// checkReported fails unless what the child printed is true.
func checkReported(t *testing.T, dir, line string) {
	t.Helper()
	words := strings.Fields(line)
	e, err := casefile.Dir(dir).Find(words[1])
	if err != nil || e.Err != nil {
		t.Errorf("%q, but: %v %v", line, err, e.Err)
		return
	}
	f := wantVerified(t, e.Path)
	switch words[0] {
	case "added":
		listed := false
		for _, ev := range f.Case.Evidence {
			listed = listed || ev.File == words[2]
		}
		if !listed {
			t.Errorf("%q, but the case lists %v", line, f.Case.Evidence)
		}
	case "committed", "updated":
		if e.Unfinished || filepath.Base(e.Path) != words[1] {
			t.Errorf("%q, but the case is in %s", line, e.Path)
		}
		if words[0] == "updated" && len(f.Case.Findings) != 1 {
			t.Errorf("%q, but it has %d findings", line, len(f.Case.Findings))
		}
	}
}

func TestOpenZip(t *testing.T) {
	w, err := casefile.Dir(t.TempDir()).Create(newCase())
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("profile "), 1000)
	if err := w.Add(evidence("a"), want); err != nil {
		t.Fatal(err)
	}
	f, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := casefile.Export(f, &b); err != nil {
		t.Fatal(err)
	}
	z, err := casefile.OpenZip(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	record, err := f.Read(caseName)
	if err != nil || !bytes.Equal(z.Record, record) || z.Case.ID != f.Case.ID {
		t.Errorf("the zip's case.json differs from the folder's (%v)", err)
	}
	e := z.Case.Evidence[0]
	var got bytes.Buffer
	if err := z.Extract(e, &got); err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("the evidence came back with %d bytes, want %d (%v)", got.Len(), len(want), err)
	}
	longer, shorter, other, missing := e, e, e, e
	longer.Bytes++
	shorter.Bytes--
	other.SHA256 = strings.Repeat("0", 64)
	missing.File = "nowhere"
	for name, e := range map[string]casefile.Evidence{"longer": longer, "shorter": shorter, "other": other, "missing": missing} {
		if err := z.Extract(e, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("evidence that is %s in case.json: %v, want that the zip is damaged", name, err)
		}
	}
}

func TestRecoverOfNothing(t *testing.T) {
	if done, err := casefile.Dir(filepath.Join(t.TempDir(), "none")).Recover(); len(done) != 0 || err != nil {
		t.Errorf("Recover = %v, %v", done, err)
	}
}

// What a process was writing when it died is removed. What a living process writes, and what is young, stays.
func TestRecoverClearsLeftovers(t *testing.T) {
	dir := t.TempDir()
	long := time.Now().Add(-2 * time.Minute)
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, written := range map[string]time.Time{
		partPrefix + "dead": long, checkPrefix + "dead": long, partPrefix + "alive": long,
		partPrefix + "young": time.Now(), "notes.txt": long,
	} {
		if err := os.WriteFile(path(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path(name), written, written); err != nil {
			t.Fatal(err)
		}
	}
	writer, err := os.Open(path(partPrefix + "alive"))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if err := flock.Try(writer); errors.Is(err, flock.ErrUnsupported) {
		t.Skip("no locks here")
	} else if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path(tmpPrefix+casefile.NewID(time.Now(), "empty")), 0o700); err != nil {
		t.Fatal(err)
	}
	if done, err := casefile.Dir(dir).Recover(); len(done) != 0 || err != nil {
		t.Errorf("Recover = %v, %v, want no case of an empty folder and no word of it", done, err)
	}
	filetest.Want(t, dir, partPrefix+"alive", partPrefix+"young", "notes.txt")
}
