package reporter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/internal/flock"
)

func mustAdd(t *testing.T, s *spool, r Report) (dropped int) {
	t.Helper()
	_, dropped, err := s.add(t.Context(), r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	return dropped
}

// refuse marks a waiting case as refused by the server.
func refuse(t *testing.T, s *spool, r Report, status int) {
	t.Helper()
	root, err := s.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	items, err := s.waiting(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if it.id == r.Case.ID {
			if err := root.Rename(it.name(), it.refusedWith(status).name()); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("case %s does not wait", r.Case.ID)
}

// When there is too much, refused cases are dropped first, then the oldest. The newest stays.
func TestSpoolIsBounded(t *testing.T) {
	dir := t.TempDir()
	var all []Report
	for i := range 6 {
		all = append(all, mustCommit(t, dir, i, 100_000))
	}
	id := func(i int) string { return all[i].Case.ID }
	s := &spool{dir: t.TempDir(), most: 350_000} // three cases and a half
	for i := range 3 {
		if n := mustAdd(t, s, all[i]); n != 0 {
			t.Errorf("case %d: %d dropped, want none", i, n)
		}
	}
	refuse(t, s, all[1], 400)
	if n := mustAdd(t, s, all[3]); n != 1 {
		t.Errorf("%d dropped, want one", n)
	}
	casetest.WantSpooled(t, s.dir, id(0)+".zip", id(2)+".zip", id(3)+".zip")
	if n := mustAdd(t, s, all[4]); n != 1 {
		t.Errorf("%d dropped, want one", n)
	}
	casetest.WantSpooled(t, s.dir, id(2)+".zip", id(3)+".zip", id(4)+".zip")
}

func TestSpoolRefusesWhatIsLargerThanItself(t *testing.T) {
	dir := t.TempDir()
	s := &spool{dir: t.TempDir(), most: 50_000}
	small := mustCommit(t, dir, 1, 100)
	mustAdd(t, s, small)
	_, _, err := s.add(t.Context(), mustCommit(t, dir, 2, 100_000).Folder)
	if err == nil || !isFinal(err) || !strings.Contains(err.Error(), "larger than MaxSpoolBytes") {
		t.Errorf("add said %v", err)
	}
	casetest.WantSpooled(t, s.dir, small.Case.ID+".zip")
}

// A case that got another finding is another item, and replaces its older version.
func TestSpoolReplacesOlderVersions(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	r := mustCommit(t, t.TempDir(), 1, 100)
	first, _, err := s.add(t.Context(), r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := s.add(t.Context(), r.Folder)
	if err != nil || again.key() != first.key() {
		t.Errorf("the same case has the keys %s and %s, %v", first.key(), again.key(), err)
	}
	casetest.WantSpooled(t, s.dir, r.Case.ID+".zip")
	f, err := casefile.Open(r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Update(func(c *casefile.Case) { c.Findings = nil }); err != nil {
		t.Fatal(err)
	}
	later, dropped, err := s.add(t.Context(), r.Folder)
	if err != nil || dropped != 0 || later.key() == first.key() {
		t.Errorf("the changed case: key %s, %d dropped, %v; want another key than %s, none dropped", later.key(),
			dropped, err, first.key())
	}
	if _, err := os.Stat(filepath.Join(s.dir, later.name())); err != nil {
		t.Error(err)
	}
	casetest.WantSpooled(t, s.dir, r.Case.ID+".zip")
}

func TestSpoolAddFails(t *testing.T) {
	dir := t.TempDir()
	damaged := mustCommit(t, dir, 1, 100)
	if err := os.WriteFile(filepath.Join(damaged.Folder, "during/cpu.pb.gz"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name, folder string
		ctx          context.Context
		final        bool
		want         string
	}{
		{"no such case", filepath.Join(dir, "gone"), t.Context(), true, "case.json"},
		{"a damaged case", damaged.Folder, t.Context(), false, "cut short or changed"},
		{"no time left", mustCommit(t, dir, 2, 100).Folder, ended, false, "context canceled"},
	} {
		s := &spool{dir: t.TempDir(), most: 1 << 20}
		_, _, err := s.add(tt.ctx, tt.folder)
		if err == nil || isFinal(err) != tt.final || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: add said %v (final %t), want %q in it (final %t)", tt.name, err, isFinal(err), tt.want,
				tt.final)
		}
		casetest.WantSpooled(t, s.dir)
	}
}

// What a killed writer left is removed. What a living one writes and what belongs to somebody else stays.
func TestSpoolSweep(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	r := mustCommit(t, t.TempDir(), 1, 100)
	mustAdd(t, s, r)
	now := time.Now()
	for _, name := range []string{partPrefix + "dead", partPrefix + "alive", partPrefix + "young", "notes.txt",
		anID + ".zip"} {
		path, written := filepath.Join(s.dir, name), now.Add(-time.Hour)
		if name == partPrefix+"young" {
			written = now
		}
		if err := errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
	}
	writer, err := os.Open(filepath.Join(s.dir, partPrefix+"alive"))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if !haveLocks(t) {
		t.Skip("no locks here")
	}
	if err := flock.Try(writer); err != nil {
		t.Fatal(err)
	}
	root, err := s.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := s.sweep(root, now); err != nil {
		t.Error(err)
	}
	casetest.WantSpooled(t, s.dir, partPrefix+"alive", partPrefix+"young", r.Case.ID+".zip", anID+".zip", "notes.txt")
	if n := s.count(); n != 1 {
		t.Errorf("%d wait, want 1", n)
	}
}

// What disappears between listing and opening counts neither as a failure nor as a success.
func TestUploadOfWhatIsGone(t *testing.T) {
	c := newCourier(spool{dir: t.TempDir(), most: 1 << 20}, packCase, nil)
	root, err := c.spool.open()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := c.upload(t.Context(), root, item{id: anID, sum: aSum}); !errors.Is(err, errGone) {
		t.Errorf("upload said %v, want errGone", err)
	}
}

// The case with the fewest attempts goes first, among equals the oldest. What is gone is forgotten.
func TestPick(t *testing.T) {
	c := newCourier(spool{}, nil, nil)
	var waiting []item
	for i := range 3 {
		waiting = append(waiting, item{id: fmt.Sprintf("20261121T13251%dZ-gc-cpu-3f2a9c", i), sum: aSum})
	}
	for i, want := range []int{0, 1, 2, 0} {
		got := c.pick(waiting)
		if got != waiting[want] {
			t.Errorf("pick %d is %s, want %s", i, got.id, waiting[want].id)
		}
		c.failed(got)
	}
	if c.pick(waiting[2:]); len(c.tries) != 1 {
		t.Errorf("%d cases are remembered, want the one that still waits", len(c.tries))
	}
}

// A spool that another process sends from is left alone. One that cannot be used is reported.
func TestSpoolInUse(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	if !haveLocks(t) {
		t.Skip("no locks here")
	}
	err := s.locked(func(*os.Root) error {
		inner := s.locked(func(*os.Root) error { return errTest })
		if !errors.Is(inner, errElsewhere) {
			t.Errorf("the second said %v, want errElsewhere", inner)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := collectorOf(t, "http://127.0.0.1:1", filepath.Join(file, "spool"), nil)
	got := reportOf(t, r, mustCommit(t, t.TempDir(), 1, 10))
	if got.Failed == 0 || !strings.Contains(got.LastError, "not a directory") {
		t.Errorf("a spool below a file: %+v", got)
	}
}

// A case that is kept again after it was refused waits again. A refusal that may be from this very moment stays.
func TestSpoolKeepsARefusalOfTheSame(t *testing.T) {
	s := &spool{dir: t.TempDir(), most: 1 << 20}
	r := mustCommit(t, t.TempDir(), 1, 100)
	mustAdd(t, s, r)
	refuse(t, s, r, 400)
	mustAdd(t, s, r)
	casetest.WantSpooled(t, s.dir, r.Case.ID+".refused-400.zip", r.Case.ID+".zip")
}

// haveLocks reports whether the file system of the tests has locks.
func haveLocks(t *testing.T) bool {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return !errors.Is(flock.Try(f), flock.ErrUnsupported)
}

func TestPause(t *testing.T) {
	p := Retry{First: time.Second, Max: 10 * time.Second}.withDefaults()
	for _, tt := range []struct {
		failures int
		after    time.Duration
		random   float64
		want     time.Duration
	}{
		{1, 0, 0, time.Second},
		{1, 0, 1, 500 * time.Millisecond},
		{2, 0, 0, 2 * time.Second},
		{4, 0, 0, 8 * time.Second},
		{5, 0, 0, 10 * time.Second},
		{1_000_000, 0, 0, 10 * time.Second},
		{1_000_000, 0, 1, 5 * time.Second},
		{1, 4 * time.Second, 0.5, 4250 * time.Millisecond},
		{4, time.Second, 1, 4 * time.Second},
		{1, time.Hour, 0.5, 10 * time.Second},
	} {
		if got := p.pause(tt.failures, tt.after, tt.random); got != tt.want {
			t.Errorf("pause(%d, %s, %g) = %s, want %s", tt.failures, tt.after, tt.random, got, tt.want)
		}
	}
}

func TestSlackText(t *testing.T) {
	m := NewMessage(Report{Case: casetest.Sample(), Folder: "/var/lib/case book/20261121T132512Z-gc-cpu-3f2a9c"})
	m.Host = "web-1"
	want := "*phones on web-1*: rule *gc-cpu* tripped: gc_cpu was 31 %, above 25 % for 5s\n" +
		"*critical GC003: Many pointers in the heap*: 35 M objects.\n" +
		"Where: `main.load (cache.go:42)`\n" +
		"Remedy: Keep the entries in pointer-free memory\n" +
		"1 more finding in the case.\n" +
		"Open: `casebook case show '/var/lib/case book/20261121T132512Z-gc-cpu-3f2a9c'`"
	if got := slackText(m); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	m.Findings, m.Evidence = nil, 4
	if got, want := slackText(m), "\nNo finding; 4 artefacts of evidence.\nOpen: "; !strings.Contains(got, want) {
		t.Errorf("without findings:\n%s\nwant %q in it", got, want)
	}
}

// Whatever name a service has, the message notifies nobody and contains no link made from it.
func TestSlackTextDefusesMarkup(t *testing.T) {
	c := casetest.Sample()
	c.Target.Name = "<!channel>"
	c.Trigger.Text = "<https://evil.example|click> & <@U123>\n*more*"
	c.Findings[1].Where[0].Function = "main.`rm`.<T>"
	text := slackText(NewMessage(Report{Case: c}))
	for _, bad := range []string{"<", ">", "`rm`", "\n*more"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the text:\n%s", bad, text)
		}
	}
	for _, good := range []string{"&lt;!channel&gt;", "&amp; &lt;@U123&gt;", "`main.'rm'.&lt;T&gt; (cache.go:42)`"} {
		if !strings.Contains(text, good) {
			t.Errorf("%q is not in the text:\n%s", good, text)
		}
	}
}

func TestSlackTextIsShort(t *testing.T) {
	text := slackText(NewMessage(hugeReport()))
	if n := utf8.RuneCountInString(text); n > 4000 {
		t.Errorf("%d characters, want 4,000 at most", n)
	}
}

func FuzzSlackEscape(f *testing.F) {
	for _, s := range []string{"", "a & b", "<!channel>", "&amp;", "<a|b>", "`", "*_~", "\xff<"} {
		f.Add(s)
	}
	back := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	f.Fuzz(func(t *testing.T, text string) {
		got := escapeSlack(text)
		if strings.ContainsAny(got, "<>") {
			t.Errorf("escapeSlack(%q) = %q", text, got)
		}
		if again := back.Replace(got); again != text {
			t.Errorf("escapeSlack(%q) = %q, which reads %q", text, got, again)
		}
		if inner := code(text); strings.Count(inner, "`") != 2 {
			t.Errorf("code(%q) = %q: the code ends early", text, inner)
		}
	})
}

// hugeReport has too much of everything.
func hugeReport() Report {
	long := strings.Repeat("<&>\"\n\x00é", 5000)
	c := casetest.Sample()
	c.ID, c.Target.Name, c.Trigger.Text, c.Trigger.Rule = long, long, long, long
	c.Target.URL = "http://user:pass@127.0.0.1/" + strings.Repeat("x", 5000) + "?token=secret"
	labels := map[string]string{}
	for i := range 200 {
		labels[strings.Repeat("k", i+1)] = long
		c.Also = append(c.Also, casefile.Trigger{Rule: long})
		f := casefile.Finding{ID: long, Title: long, Summary: long, Score: 10}
		f.Where = []casefile.Frame{{Function: long, File: long, Line: 1}}
		f.Remedies = []casefile.Remedy{{Title: long}}
		c.Findings = append(c.Findings, f)
	}
	return Report{Case: c, Folder: "/" + long, Labels: labels}
}

// TestRemedySaysHow: behind the title stands the first sentence, whole or not at all.
func TestRemedySaysHow(t *testing.T) {
	long := strings.Repeat("word ", 70) + "end."
	for _, c := range []struct{ text, want string }{
		{"", "Bound it"},
		{"Remove the oldest. Or count.", "Bound it. Remove the oldest."},
		{long, "Bound it"},
	} {
		f := casefile.Finding{Remedies: []casefile.Remedy{{Title: "Bound it", Text: c.text}}}
		m := NewMessage(Report{Case: casefile.Case{Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{f}}}})
		if got := m.Findings[0].Remedy; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
