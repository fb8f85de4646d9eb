package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

func TestBlobNames(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	for name, want := range map[string]int64{sum: 0, sum + "-1": 1, sum + "-1796000000000": 1796000000000} {
		if got, stamp, ok := readBlobName(name); !ok || got != sum || stamp != want || blobName(sum, stamp) != name {
			t.Errorf("%s is %s, %d, %t; want stamp %d", name, got, stamp, ok, want)
		}
	}
	for _, name := range []string{"", "-1", sum[1:], sum + "-", sum + "-0", sum + "-01", sum + "--1", sum + "-1-1",
		sum + "-99999999999999999999", sum + "/x", "../" + sum} {
		if validBlobName(name) {
			t.Errorf("%q is taken for the name of a blob", name)
		}
	}
}

// Of a store that was made before there were stamps the blobs are named by their checksums alone.
func TestBlobsWithoutStamps(t *testing.T) {
	cfg := sqliteConfig(t)
	s := openStore(t, cfg)
	p, q := newParcel(t, 1, "shop"), newParcelWith(t, 2, 1, "shop")
	put(t, s, p)
	for _, e := range p.c.Evidence {
		was, is := blobPath(blobOf(t, s, e.SHA256)), blobPath(e.SHA256)
		if err := os.Rename(filepath.Join(cfg.Blobs, was), filepath.Join(cfg.Blobs, is)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.index.db.Exec("UPDATE evidence SET stamp = 0"); err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return time.Now().Add(2 * sweepAge) }
	for _, want := range []struct {
		remove parcel
		taken  int
	}{{p, 0}, {q, 3}} { // q has p's blobs
		put(t, s, q)
		wantEvidence(t, s, q)
		if err := s.Remove(t.Context(), want.remove.c.ID); err != nil {
			t.Fatal(err)
		}
		if n, _, err := s.Sweep(t.Context()); err != nil || n != want.taken {
			t.Errorf("a sweep took %d blobs, %v; want %d", n, err, want.taken)
		}
	}
}

// A sweep while a case arrives makes its sender write again, also when a clock is behind, and nothing is lost.
func TestSweptWhileArriving(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s, sweeper := openStore(t, cfg), openStore(t, cfg)
		s.now = func() time.Time { return time.Now().Add(-time.Hour) }
		p := newParcel(t, 1, "shop")
		stamp, err := s.newStamp(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fill := func(w io.Writer) error {
			_, err := w.Write(make([]byte, 10))
			return err
		}
		if err := s.blobs.put(t.Context(), blobName(p.c.Evidence[0].SHA256, stamp), 10, fill); err != nil {
			t.Fatal(err)
		}
		sweeper.now = func() time.Time { return time.Now().Add(sweepAge) }
		if n, _, err := sweeper.Sweep(t.Context()); err != nil || n != 1 {
			t.Errorf("the sweep took %d blobs, %v; want 1", n, err)
		}
		r := newRow(&p.c, nil, s.now())
		r.stamps = []int64{stamp, stamp, stamp}
		if _, err := s.intake.add(t.Context(), r); !errors.Is(err, errSwept) || !errors.Is(err, ErrUnavailable) {
			t.Errorf("a case whose blob was swept: %v, want errSwept", err)
		}
		put(t, s, p) // takes a stamp above the bound
		if _, _, err := sweeper.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantEvidence(t, s, p)
	})
}

// A case of a service that was built without the detectors says so in the place of a diagnosis: it is diagnosed here.
func TestUndiagnosed(t *testing.T) {
	judged := casefile.Undecided{ID: "CPU001", Kind: "cpu-hot-function", Reason: "no CPU profile"}
	leftOut := casefile.Undecided{Kind: "every kind", Reason: "the service was built with the tag casebook_nodiagnose"}
	for _, c := range []struct {
		undecided []casefile.Undecided
		want      bool
	}{{nil, true}, {[]casefile.Undecided{leftOut}, true}, {[]casefile.Undecided{judged}, false},
		{[]casefile.Undecided{judged, leftOut}, false}} {
		r := newRow(&casefile.Case{Diagnosis: casefile.Diagnosis{Undecided: c.undecided}}, nil, time.Now())
		if r.undiagnosed != c.want {
			t.Errorf("with %+v a case is to be diagnosed: %v, want %v", c.undecided, r.undiagnosed, c.want)
		}
	}
}
