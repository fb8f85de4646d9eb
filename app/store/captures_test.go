package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// alertCapture is what an alert asks of a target.
func alertCapture(id, alert, target string) Capture {
	return Capture{ID: id, Alert: alert, Source: "alertmanager", Target: target, Service: "shop", Reason: "alert " + id,
		Began: opened}
}

func ask(t *testing.T, s *Store, c Capture) (known bool) {
	t.Helper()
	known, err := s.AddCapture(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func wantCapture(t *testing.T, s *Store, id string, state State, failure string) Capture {
	t.Helper()
	c, err := s.Capture(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if c.State != state || c.Failure != failure {
		t.Errorf("capture %s is %s (%q), want %s (%q)", id, c.State, c.Failure, state, failure)
	}
	return c
}

func TestCaptures(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		if ask(t, s, alertCapture("a", "k1", "one")) || !ask(t, s, alertCapture("a", "k1", "one")) {
			t.Error("the same capture must be known the second time, and the second time only")
		}
		if _, err := s.TakeCapture(t.Context(), "me", []string{"two", "three"}, time.Minute); !errors.Is(err, ErrNotFound) {
			t.Errorf("a capture of another target was taken: %v", err)
		}
		if _, err := s.TakeCapture(t.Context(), "me", nil, time.Minute); !errors.Is(err, ErrNotFound) {
			t.Errorf("a process without targets took one: %v", err)
		}
		c, err := s.TakeCapture(t.Context(), "me", []string{"two", "one"}, time.Minute)
		if err != nil || c.ID != "a" || c.Tries != 1 || !c.Began.Equal(opened) {
			t.Fatalf("took %+v, %v", c, err)
		}
		if _, err := s.TakeCapture(t.Context(), "other", []string{"one"}, time.Minute); !errors.Is(err, ErrNotFound) {
			t.Errorf("two took the same capture: %v", err)
		}
		if err := s.CaptureFailed(t.Context(), c, errors.New("it is silent"), 0); err != nil {
			t.Fatal(err)
		}
		wantCapture(t, s, "a", Waiting, "it is silent")
		if c, err = s.TakeCapture(t.Context(), "other", []string{"one"}, time.Minute); err != nil || c.Tries != 2 {
			t.Fatalf("took %+v, %v after a failure", c, err)
		}
		c.Case = "20261121T132512Z-manual-000000"
		if err := errors.Join(s.CaptureTaken(t.Context(), c), s.CaptureDone(t.Context(), c)); err != nil {
			t.Fatal(err)
		}
		if got := wantCapture(t, s, "a", Done, ""); got.Case != c.Case {
			t.Errorf("the case of the capture is %q", got.Case)
		}
		ask(t, s, alertCapture("b", "k2", "two"))
		if list, err := s.Captures(t.Context(), "two", 0); err != nil || len(list) != 1 || list[0].ID != "b" {
			t.Errorf("captures of a target: %+v, %v", list, err)
		}
		if list, err := s.Captures(t.Context(), "", 1); err != nil || len(list) != 1 {
			t.Errorf("captures of all: %+v, %v", list, err)
		}
	})
}

// An alert that ends drops what waits, and is written into the cases that it got, whoever opened them.
func TestEndAlert(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		opened := newParcel(t, 1, "shop")
		put(t, s, opened)
		for _, id := range []string{"waits", "joined", "taken"} {
			ask(t, s, alertCapture(id, "k", id))
		}
		joined, err := s.TakeCapture(t.Context(), "me", []string{"joined"}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		joined.Case = opened.c.ID
		if err := errors.Join(s.NoteAlert(t.Context(), joined), s.CaptureDone(t.Context(), joined)); err != nil {
			t.Fatal(err)
		}
		taken, err := s.TakeCapture(t.Context(), "me", []string{"taken"}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		end := opened.c.Opened.Add(5 * time.Minute)
		for range 2 { // senders repeat themselves
			if err := s.EndAlert(t.Context(), "k", end); err != nil {
				t.Fatal(err)
			}
		}
		wantCapture(t, s, "waits", Dropped, "the alert ended before its turn came")
		c, err := s.Case(t.Context(), opened.c.ID)
		if err != nil || len(c.Also) != 1 || c.Also[0].Rule != RuleAlert || c.Also[0].Text != "alert joined" ||
			!c.Also[0].Ended.Equal(end) || c.Trigger.Rule != "gc-cpu" || !c.Trigger.Ended.IsZero() {
			t.Errorf("the case says %+v, %+v (%v)", c.Trigger, c.Also, err)
		}
		if err := s.CaptureDone(t.Context(), taken); !errors.Is(err, ErrConflict) {
			t.Errorf("a capture was finished as if its alert fired still: %v", err)
		}
		wantEvidence(t, s, opened)
		if r := put(t, s, opened); !r.Known {
			t.Error("the case as its sender has it is not known any more")
		}
	})
}

func TestCapturesAreBounded(t *testing.T) {
	s := openStore(t, sqliteConfig(t))
	for i := range maxWaiting {
		ask(t, s, alertCapture(fmt.Sprint("c", i), "", "one"))
	}
	if _, err := s.AddCapture(t.Context(), alertCapture("more", "", "one")); !errors.Is(err, ErrBusy) ||
		!errors.Is(err, ErrUnavailable) {
		t.Errorf("one more: %v, want ErrBusy", err)
	}
	if _, err := s.Capture(t.Context(), "more"); !errors.Is(err, ErrNotFound) {
		t.Errorf("what was refused is there: %v", err)
	}
	s.now = func() time.Time { return time.Now().Add(captureKept + time.Hour) }
	ask(t, s, alertCapture("later", "", "one"))
	if list, err := s.Captures(t.Context(), "", maxPage); err != nil || len(list) != 1 {
		t.Errorf("%d captures are kept after a month, %v", len(list), err)
	}
}

func TestProofs(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		put(t, s, p)
		proof := func(n int, verdict casefile.Verdict) casefile.Proof {
			return casefile.Proof{Taken: opened.Add(time.Duration(n) * time.Hour), Verdict: verdict,
				Summary: fmt.Sprint("round ", n), Figures: []casefile.Figure{{Name: "p99", Unit: "s", Better: "lower"}}}
		}
		for _, n := range []int{2, 3, 1, 3} {
			known, err := s.AddProof(t.Context(), p.c.ID, proof(n, casefile.Better), "ann")
			if err != nil || known != (n == 3 && len(proofsOf(t, s, p.c.ID)) == 3) {
				t.Errorf("proof %d: known %v, %v", n, known, err)
			}
		}
		list := proofsOf(t, s, p.c.ID)
		if len(list) != 3 || list[0].Summary != "round 3" || list[2].Summary != "round 1" || list[0].Who != "ann" {
			t.Errorf("the proofs are %+v", list)
		}
		c, err := s.Case(t.Context(), p.c.ID)
		if err != nil || c.Proof == nil || c.Proof.Summary != "round 3" {
			t.Errorf("the case shows %+v, %v; want the proof that was taken last", c.Proof, err)
		}
		if page, err := s.List(t.Context(), Filter{}); err != nil || page.Cases[0].Proof != "better" {
			t.Errorf("the list shows %+v, %v", page, err)
		}
		for name, bad := range map[string]casefile.Proof{"no verdict": proof(1, ""), "a verdict of its own": proof(1, "great"),
			"nothing measured": {Taken: opened, Verdict: casefile.Same, Summary: "s"}} {
			if _, err := s.AddProof(t.Context(), p.c.ID, bad, ""); !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v, want ErrInvalid", name, err)
			}
		}
		if _, err := s.AddProof(t.Context(), "20261121T132512Z-gc-cpu-000000", proof(1, casefile.Same), ""); !errors.Is(err,
			ErrNotFound) {
			t.Errorf("a proof of no case: %v", err)
		}
	})
}

// A copy that is made again brings what changed in cases that the other store has.
func TestCopyBringsChanges(t *testing.T) {
	from, to := openStore(t, sqliteConfig(t)), openStore(t, sqliteConfig(t))
	p := newParcel(t, 1, "shop")
	put(t, from, p)
	if _, err := from.Copy(t.Context(), to, nil); err != nil {
		t.Fatal(err)
	}
	proof := casefile.Proof{Taken: opened, Verdict: casefile.Worse, Summary: "round 1",
		Figures: []casefile.Figure{{Name: "p99", Unit: "s", Better: "lower"}}}
	if _, err := from.AddProof(t.Context(), p.c.ID, proof, "ann"); err != nil {
		t.Fatal(err)
	}
	for n, want := range []Progress{{Cases: 1}, {Known: 1}} {
		if got, err := from.Copy(t.Context(), to, nil); err != nil || got != want {
			t.Errorf("copy %d after the change: %+v, %v; want %+v", n, got, err, want)
		}
	}
	c, err := to.Case(t.Context(), p.c.ID)
	if list := proofsOf(t, to, p.c.ID); err != nil || c.Proof == nil || len(list) != 1 || list[0].Who != "ann" {
		t.Errorf("the other store has %+v and the proofs %+v, %v", c.Proof, list, err)
	}
	wantEvidence(t, to, p)
}

func proofsOf(t *testing.T, s *Store, id string) []Proof {
	t.Helper()
	list, err := s.Proofs(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestReadProof(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"casebook-proof","schema":1,"proof":{"verdict":"better"},"blocks":[]}`: "better",
		`{"verdict":"same","new":1}`: "same",
		`{}`:                         "",
	} {
		if p, err := ReadProof([]byte(text)); err != nil || string(p.Verdict) != want {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
	for _, text := range []string{"", "x", `{"figures":3}`} {
		if _, err := ReadProof([]byte(text)); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v, want ErrInvalid", text, err)
		}
	}
}
