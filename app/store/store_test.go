package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

func TestPut(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop", finding("mem-leak", 74, "main.keep"))
		if r := put(t, s, p); r.Known || r.ID != p.c.ID {
			t.Errorf("the receipt is %+v, want a new case %s", r, p.c.ID)
		}
		if r := put(t, s, p); !r.Known {
			t.Errorf("the second receipt is %+v, want a known case", r)
		}
		c, err := s.Case(t.Context(), p.c.ID)
		if err != nil {
			t.Fatal(err)
		}
		if c.Target.Name != "shop" || len(c.Evidence) != 3 || len(c.Findings) != 1 {
			t.Errorf("the case came back as %+v", c)
		}
		if got, want := exported(t, s, p.c.ID), sha256.Sum256(p.zip); got != want {
			t.Error("the case's zip is another one than was sent")
		}
		wantEvidence(t, s, p)
	})
}

// wantEvidence reads evidence whole, and from the middle.
func wantEvidence(t *testing.T, s *Store, p parcel) {
	t.Helper()
	for _, e := range p.c.Evidence {
		got, b, err := s.Evidence(t.Context(), p.c.ID, e.File)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(b)
		if err != nil {
			t.Fatal(err)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != e.SHA256 || got.Kind != e.Kind || got.Phase != e.Phase {
			t.Errorf("%s came back with sum %s as %+v, want %+v", e.File, sum, got, e)
		}
		part := make([]byte, 100)
		if _, err := b.ReadAt(part, 500); err != nil || !bytes.Equal(part, data[500:600]) {
			t.Errorf("%s: what was read at 500 differs (%v)", e.File, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestPutRefuses(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		wrong := sha256.Sum256([]byte("something else"))
		damaged := slices.Clone(p.zip)
		damaged[bytes.Index(damaged, []byte("cpu.pb.gz"))+200] ^= 1
		broken := iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(p.zip)))
		for _, tc := range []struct {
			name string
			up   Upload
			want error
		}{
			{"no zip", Upload{Body: strings.NewReader("hello")}, ErrInvalid},
			{"empty", Upload{Body: strings.NewReader("")}, ErrInvalid},
			{"another ID", Upload{ID: "20261121T132512Z-gc-cpu-000000", Body: bytes.NewReader(p.zip)}, ErrInvalid},
			{"another digest", Upload{Body: bytes.NewReader(p.zip), SHA256: wrong[:]}, ErrInvalid},
			{"damaged", Upload{Body: bytes.NewReader(damaged)}, ErrInvalid},
			{"cut short", Upload{Body: bytes.NewReader(p.zip[:len(p.zip)/2])}, ErrInvalid},
			{"too large", Upload{Body: bytes.NewReader(p.zip), MaxBytes: 100}, ErrTooLarge},
			{"the sender is gone", Upload{Body: broken}, iotest.ErrTimeout},
		} {
			t.Run(tc.name, func(t *testing.T) {
				if r, err := s.Put(t.Context(), tc.up); !errors.Is(err, tc.want) {
					t.Errorf("Put gave %+v, %v; want an error that is %v", r, err, tc.want)
				}
			})
		}
		page, err := s.List(t.Context(), Filter{})
		if err != nil || len(page.Cases) != 0 {
			t.Errorf("after nothing but refusals the store has %v (%v)", page.Cases, err)
		}
		if _, err := s.Case(t.Context(), p.c.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("a case that is not there: %v", err)
		}
		if _, _, err := s.Evidence(t.Context(), p.c.ID, "../../etc/passwd"); !errors.Is(err, ErrNotFound) {
			t.Errorf("evidence that is not there: %v", err)
		}
	})
}

// Another case of the same ID, or the same case with what its sender added later, does not replace the first.
func TestPutAnotherOfTheSameID(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		put(t, s, p)
		other := p.rewritten(t, func(c *casefile.Case) { c.Findings = append(c.Findings, finding("gc-cpu", 60, "main.f")) })
		if _, err := s.Put(t.Context(), other.upload()); !errors.Is(err, ErrExists) {
			t.Errorf("another case of the ID: %v, want ErrExists", err)
		}
		if got := exported(t, s, p.c.ID); got != sha256.Sum256(p.zip) {
			t.Error("the first case was changed")
		}
	})
}

// Many senders at once, some of the same case: each gets a receipt, and each case is there once.
func TestPutAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		const cases, senders = 30, 3
		parcels := make([]parcel, cases)
		for i := range parcels {
			parcels[i] = newParcel(t, i, "shop")
		}
		var fresh [cases]int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range senders {
			for i, p := range parcels {
				wg.Go(func() {
					r, err := s.Put(t.Context(), p.upload())
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					if !r.Known {
						fresh[i]++
					}
				})
			}
		}
		wg.Wait()
		for i, n := range fresh {
			if n != 1 {
				t.Errorf("case %d was new to %d of %d senders, want one", i, n, senders)
			}
		}
		if got := listed(t, s, Filter{Limit: 7}); len(got) != cases {
			t.Errorf("the list has %d cases, want %d", len(got), cases)
		}
	})
}

// listed walks all pages of a list.
func listed(t *testing.T, s *Store, f Filter) (ids []string) {
	t.Helper()
	for {
		page, err := s.List(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page.Cases {
			ids = append(ids, c.ID)
		}
		if page.Next == "" {
			return ids
		}
		f.After = page.Next
	}
}

func TestList(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		parcels := []parcel{
			newParcel(t, 0, "shop", finding("mem-leak", 74, "main.keep"), finding("gc-cpu", 30, "main.f")),
			newParcel(t, 1, "shop"),
			newParcel(t, 2, "cart", finding("lock-contention", 90, "cart.(*Basket).Add_100%")),
			newParcel(t, 3, "Größe", finding("gc-cpu", 55, "main.f")),
		}
		for _, p := range parcels {
			put(t, s, p)
		}
		for _, tc := range []struct {
			name string
			f    Filter
			want []int // newest first
		}{
			{"all", Filter{}, []int{3, 2, 1, 0}},
			{"in pages of one", Filter{Limit: 1}, []int{3, 2, 1, 0}},
			{"a service", Filter{Service: "shop"}, []int{1, 0}},
			{"no such service", Filter{Service: "sho"}, nil},
			{"a kind that is not first", Filter{Kind: "gc-cpu"}, []int{3, 0}},
			{"a score", Filter{Score: 74}, []int{2, 0}},
			{"a rule", Filter{Rule: "gc-cpu"}, []int{3, 2, 1, 0}},
			{"from and to", Filter{From: opened.Add(time.Second), To: opened.Add(3 * time.Second)}, []int{2, 1}},
			{"a label", Filter{Label: map[string]string{"zone": "z0"}}, []int{3, 0}},
			{"two labels", Filter{Label: map[string]string{"zone": "z0", "x": "y"}}, nil},
			{"a word of a function", Filter{Text: "BASKET"}, []int{2}},
			{"signs that are wildcards", Filter{Text: "add_100%"}, []int{2}},
			{"a wildcard that is none", Filter{Text: "m_in.f"}, nil},
			{"two words", Filter{Text: "shop mem-leak"}, []int{0}},
			{"a word with an umlaut", Filter{Text: "größe"}, []int{3}},
			{"quotes", Filter{Text: `'; DROP TABLE cases; --`}, nil},
		} {
			t.Run(tc.name, func(t *testing.T) {
				var want []string
				for _, i := range tc.want {
					want = append(want, parcels[i].c.ID)
				}
				if got := listed(t, s, tc.f); !slices.Equal(got, want) {
					t.Errorf("the list has %v, want %v", got, want)
				}
			})
		}
		if _, err := s.List(t.Context(), Filter{After: "nowhere"}); !errors.Is(err, ErrInvalid) {
			t.Errorf("a place that no list gave: %v", err)
		}
		services, err := s.Services(t.Context())
		if err != nil || len(services) != 3 || services[1] != (Service{"cart", 1, opened.Add(2 * time.Second), 90}) &&
			services[0] != (Service{"cart", 1, opened.Add(2 * time.Second), 90}) {
			t.Errorf("the services are %+v (%v)", services, err)
		}
	})
}

// What works on folders changes a case; of two who do at once, the second learns of it.
func TestCheckout(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		put(t, s, p)
		first, second := checkedOut(t, s, p.c.ID), checkedOut(t, s, p.c.ID)
		if damaged := first.Folder.Verify(); len(damaged) > 0 {
			t.Error(damaged)
		}
		change(t, first, "mem-leak")
		if err := first.Save(t.Context()); err != nil {
			t.Fatal(err)
		}
		change(t, second, "gc-cpu")
		if err := second.Save(t.Context()); !errors.Is(err, ErrConflict) {
			t.Errorf("the second change: %v, want ErrConflict", err)
		}
		if got := listed(t, s, Filter{Kind: "mem-leak"}); len(got) != 1 {
			t.Errorf("a case with the finding: %v, want one", got)
		}
		if got := listed(t, s, Filter{Kind: "gc-cpu"}); len(got) != 0 {
			t.Errorf("the finding of the second change is there: %v", got)
		}
		change(t, first, "gc-cpu")
		if err := first.Save(t.Context()); err != nil {
			t.Errorf("a further change of the first: %v", err)
		}
		if r := put(t, s, p); !r.Known {
			t.Error("the case as its sender sent it is not known any more after a change here")
		}
	})
}

func checkedOut(t *testing.T, s *Store, id string) *Checkout {
	t.Helper()
	c, err := s.Checkout(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func change(t *testing.T, c *Checkout, kind string) {
	t.Helper()
	err := c.Folder.Update(func(c *casefile.Case) { c.Findings = append(c.Findings, finding(kind, 60, "main.f")) })
	if err != nil {
		t.Fatal(err)
	}
}

func TestRemoveAndSweep(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p, q := newParcel(t, 1, "shop"), newParcel(t, 2, "shop")
		put(t, s, p)
		put(t, s, q)
		if err := s.Remove(t.Context(), p.c.ID); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(t.Context(), p.c.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("removing it again: %v, want ErrNotFound", err)
		}
		if n, _, err := s.Sweep(t.Context()); err != nil || n != 0 {
			t.Errorf("a sweep took %d young blobs (%v)", n, err)
		}
		s.now = func() time.Time { return time.Now().Add(2 * sweepAge) }
		if n, _, err := s.Sweep(t.Context()); err != nil || n != 3 {
			t.Errorf("a sweep took %d blobs, want the 3 of the removed case (%v)", n, err)
		}
		wantEvidence(t, s, q)
		put(t, s, p)
		wantEvidence(t, s, p)
	})
}

func TestCheck(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		put(t, s, p)
		h, err := s.Check(t.Context(), true)
		if err != nil || h.Cases != 1 || h.Evidence != 3 || h.Blobs != 3 || h.Spare != 0 || len(h.Faults) != 0 {
			t.Errorf("a sound store: %+v (%v)", h, err)
		}
		lost, changed := p.c.Evidence[0], p.c.Evidence[1]
		if err := s.blobs.remove(t.Context(), blobOf(t, s, lost.SHA256)); err != nil {
			t.Fatal(err)
		}
		fill := func(w io.Writer) error {
			_, err := w.Write(make([]byte, changed.Bytes))
			return err
		}
		if err := s.blobs.put(t.Context(), blobOf(t, s, changed.SHA256), changed.Bytes, fill); err != nil {
			t.Fatal(err)
		}
		h, err = s.Check(t.Context(), true)
		if err != nil || len(h.Faults) != 2 || !strings.Contains(h.Faults[0].Text+h.Faults[1].Text, "missing") ||
			!strings.Contains(h.Faults[0].Text+h.Faults[1].Text, "changed") {
			t.Errorf("one blob lost, one changed: %+v (%v)", h, err)
		}
		if _, _, err := s.Evidence(t.Context(), p.c.ID, lost.File); !errors.Is(err, ErrNotFound) ||
			!strings.Contains(err.Error(), "casebook store check") {
			t.Errorf("lost evidence: %v", err)
		}
	})
}

// From SQLite to PostgreSQL, and back, with an end in the middle: every case is the same.
func TestCopy(t *testing.T) {
	first, middle, last := openStore(t, sqliteConfig(t)), openStore(t, postgresConfig(t)), openStore(t, sqliteConfig(t))
	parcels := make([]parcel, 3*copyBatch)
	for i := range parcels {
		parcels[i] = newParcel(t, i, "shop")
		put(t, first, parcels[i])
	}
	change := checkedOut(t, first, parcels[0].c.ID)
	if err := change.Folder.Update(func(c *casefile.Case) { c.Proof = &casefile.Proof{Verdict: "better"} }); err != nil {
		t.Fatal(err)
	}
	if err := change.Save(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p, err := first.Copy(ctx, middle, func(p Progress) {
		if p.Cases == 50 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || p.Cases < 50 || p.Cases == len(parcels) {
		t.Fatalf("the copy that was ended: %+v, %v", p, err)
	}
	rest, err := first.Copy(t.Context(), middle, nil)
	if err != nil || rest.Known+rest.Cases != len(parcels) || rest.Known < p.Cases {
		t.Fatalf("the copy that went on: %+v, %v", rest, err)
	}
	if p, err := middle.Copy(t.Context(), last, nil); err != nil || p.Cases != len(parcels) {
		t.Fatalf("the copy back: %+v, %v", p, err)
	}
	for _, p := range parcels {
		if a, b := exported(t, first, p.c.ID), exported(t, last, p.c.ID); a != b {
			t.Errorf("case %s is another one after two moves", p.c.ID)
		}
	}
	if r := put(t, last, parcels[0]); !r.Known {
		t.Error("a case that was changed before the move is not known to its sender's name any more")
	}
}

// A blob that was changed does not travel, and the other cases do.
func TestCopyLeavesOutDamage(t *testing.T) {
	cfg := sqliteConfig(t)
	from, to := openStore(t, cfg), openStore(t, sqliteConfig(t))
	p, q := newParcel(t, 1, "shop"), newParcel(t, 2, "shop")
	put(t, from, p)
	put(t, from, q)
	if err := from.blobs.remove(t.Context(), blobOf(t, from, p.c.Evidence[1].SHA256)); err != nil {
		t.Fatal(err)
	}
	done, err := from.Copy(t.Context(), to, nil)
	if err == nil || !strings.Contains(err.Error(), p.c.ID) || done.Cases != 1 || done.Failed != 1 {
		t.Errorf("the copy: %+v, %v", done, err)
	}
	wantEvidence(t, to, q)
}

func TestJobs(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		now := time.Now().Add(time.Minute)
		s.now = func() time.Time { return now }
		const cases = 20
		for i := range cases {
			put(t, s, newParcel(t, i, "shop"))
		}
		put(t, s, newParcel(t, cases, "shop", finding("mem-leak", 74, "main.f"))) // its sender has diagnosed it
		taken := map[string]string{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for _, holder := range []string{"a", "b", "c"} {
			wg.Go(func() {
				for {
					j, err := s.TakeJob(t.Context(), holder, time.Minute)
					if errors.Is(err, ErrNotFound) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					if other, twice := taken[j.Case]; twice {
						t.Errorf("case %s was given to %s and to %s", j.Case, other, holder)
					}
					taken[j.Case] = holder
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if len(taken) != cases {
			t.Errorf("%d jobs were taken, want %d", len(taken), cases)
		}
		wantJobsReturn(t, s, &now, cases)
	})
}

// wantJobsReturn lets the time of the holders pass.
func wantJobsReturn(t *testing.T, s *Store, now *time.Time, cases int) {
	t.Helper()
	*now = now.Add(2 * time.Minute)
	j, err := s.TakeJob(t.Context(), "d", time.Minute)
	if err != nil || j.Tries != 2 || j.Work != Diagnose {
		t.Fatalf("the job of a holder that is gone: %+v, %v", j, err)
	}
	if err := s.JobFailed(t.Context(), j, errors.New("no room"), time.Hour); err != nil {
		t.Error(err)
	}
	if err := s.JobDone(t.Context(), j); !errors.Is(err, ErrNotFound) {
		t.Errorf("ending a job that was put back: %v, want ErrNotFound", err)
	}
	for range cases - 1 {
		j, err := s.TakeJob(t.Context(), "d", time.Minute)
		if err == nil {
			err = s.JobDone(t.Context(), j)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if j, err := s.TakeJob(t.Context(), "d", time.Minute); !errors.Is(err, ErrNotFound) {
		t.Errorf("a job that is not due for an hour: %+v, %v", j, err)
	}
	*now = now.Add(2 * time.Hour)
	if j, err := s.TakeJob(t.Context(), "d", time.Minute); err != nil || j.Tries != 3 {
		t.Errorf("a job that failed, after its hour: %+v, %v", j, err)
	}
}

// Several processes open a new store at once; later one finds tables of a newer Casebook.
func TestOpen(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				s, err := Open(t.Context(), cfg)
				if err == nil {
					err = s.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		s := openStore(t, cfg)
		if err := s.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := s.index.db.Exec("INSERT INTO migrations (number, name) VALUES (1000, 'later')"); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "update casebook") {
			t.Errorf("tables of a newer Casebook: %v", err)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	good := sqliteConfig(t)
	for _, tc := range []struct{ index, blobs, want string }{
		{"", good.Blobs, "no such database"},
		{"mysql://x", good.Blobs, "no such database"},
		{"sqlite:", good.Blobs, "needs the path"},
		{"postgres://u:s3cret@127.0.0.1:1/x", good.Blobs, "not available"},
		{"postgres://u:s3cret@%zz/x", good.Blobs, "cannot be read"},
		{good.Index, "", "no folder and no bucket"},
		{good.Index, "gs://bucket", "not in gs://"},
		{good.Index, "s3://", "no bucket is named"},
		{good.Index, "s3://key:s3cret@bucket", "do not belong"},
		{good.Index, "s3://bucket?endpoint=ftp://x", "must be a URL"},
	} {
		_, err := Open(t.Context(), Config{Index: tc.index, Blobs: tc.blobs})
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("Open(%q, %q): %v, want %q and no secret", tc.index, tc.blobs, err, tc.want)
		}
	}
}
