package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// PostgreSQL takes neither a zero byte nor broken UTF-8 as text, and a number of its column's size; SQLite takes all of
// it. What somebody asks for with such a text is not there, with both.
func TestTextsThatNoDatabaseHas(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s, ctx := openStore(t, cfg), t.Context()
		p := newParcel(t, 1, "shop", finding("mem-leak", 74, "main.keep"))
		put(t, s, p)
		for _, text := range []string{"\x00", "a\x00", "\xff", "a\xed\xa0\x80"} {
			for name, f := range map[string]Filter{"service": {Service: text}, "rule": {Rule: text}, "kind": {Kind: text},
				"label": {Label: map[string]string{text: text}}} {
				if page, err := s.List(ctx, f); err != nil || len(page.Cases) != 0 {
					t.Errorf("%s %q: %d cases, %v", name, text, len(page.Cases), err)
				}
			}
			if _, err := s.List(ctx, Filter{Text: text}); err != nil {
				t.Errorf("words %q: %v", text, err)
			}
			_, errCase := s.Case(ctx, text)
			_, _, errEvidence := s.Evidence(ctx, text, "a")
			_, _, errFile := s.Evidence(ctx, p.c.ID, text)
			_, errProofs := s.Proofs(ctx, text)
			_, errCapture := s.Capture(ctx, text)
			_, errCheckout := s.Checkout(ctx, text)
			for _, err := range []error{errCase, errEvidence, errFile, errProofs, errCapture, errCheckout, s.Remove(ctx, text)} {
				if !errors.Is(err, ErrNotFound) {
					t.Errorf("%q: %v, want not found", text, err)
				}
			}
			if list, err := s.Captures(ctx, text, 0); err != nil || len(list) != 0 {
				t.Errorf("captures of %q: %v, %v", text, list, err)
			}
		}
	})
}

// A case that could not be shown, or that one of the databases could not keep, is refused by both.
func TestPutRefusesWhatBreaksLists(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop", finding("mem-leak", 74, "main.keep"))
		late := time.Date(9999, 12, 31, 23, 59, 0, 0, time.FixedZone("", -3600)) // in UTC the year 10000
		for name, change := range map[string]func(*casefile.Case){
			"a score of a trillion":   func(c *casefile.Case) { c.Findings[0].Score = 1e12 },
			"a negative score":        func(c *casefile.Case) { c.Findings[0].Score = -1 },
			"a time that has no JSON": func(c *casefile.Case) { c.Opened = late },
		} {
			if _, err := s.Put(t.Context(), p.rewritten(t, change).upload()); !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v, want not accepted", name, err)
			}
		}
		zeros := p.rewritten(t, func(c *casefile.Case) {
			c.Findings[0].Kind, c.Target.Name = "mem\x00leak", "sh\x00op"
		})
		put(t, s, zeros)
		if page, err := s.List(t.Context(), Filter{Service: "shop", Kind: "memleak"}); err != nil || len(page.Cases) != 1 {
			t.Errorf("a case with zero bytes in names: %v, %v", page, err)
		}
	})
}

// A row that PostgreSQL does not take is refused alone, and not with those that arrived at the same time.
func TestOneRowOfABatch(t *testing.T) {
	s := openStore(t, postgresConfig(t))
	var batch []*arrival
	for i := range 3 {
		p := newParcel(t, i, "shop")
		r := newRow(&p.c, []byte("{}"), time.Now())
		r.stamps = []int64{1, 1, 1}
		batch = append(batch, &arrival{r, make(chan error, 1)})
	}
	batch[1].row.summary.Verdict = "\x00"
	s.intake.commit(batch)
	for i, a := range batch {
		if err := <-a.answer; errors.Is(err, ErrInvalid) != (i == 1) || i != 1 && err != nil {
			t.Errorf("row %d: %v", i, err)
		}
	}
}

// A filter of thousands of words or labels would be a statement that SQLite refuses and PostgreSQL works on for long.
func TestListRefusesLongFilters(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		labels := map[string]string{}
		words := ""
		for i := range 2 * maxTerms {
			labels[fmt.Sprint("l", i)] = "a"
			words += " w"
		}
		for _, f := range []Filter{{Label: labels}, {Text: words}} {
			if _, err := s.List(t.Context(), f); !errors.Is(err, ErrInvalid) {
				t.Errorf("%+v: %v, want not accepted", f, err)
			}
		}
	})
}
