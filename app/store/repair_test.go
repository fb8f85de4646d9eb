package store

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// Evidence that is lost, cut short or changed comes back from a backup, as far as that has it whole.
func TestRepair(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s, backup := openStore(t, cfg), openStore(t, sqliteConfig(t))
		var lost [4]casefile.Evidence
		var last parcel
		for i := range lost {
			last = newParcel(t, i, "shop")
			put(t, s, last)
			lost[i] = last.c.Evidence[0]
		}
		if _, err := s.Copy(t.Context(), backup, nil); err != nil {
			t.Fatal(err)
		}
		damage(t, backup, lost[3], "") // the backup has lost it, too
		damage(t, s, lost[3], "")
		damage(t, s, lost[0], "")
		damage(t, s, lost[1], "short")
		damage(t, s, lost[2], strings.Repeat("x", int(lost[2].Bytes)))
		r, err := s.Repair(t.Context(), backup)
		if err != nil || r.Blobs != 3 || len(r.Left) != 1 || r.Left[0].Case != last.c.ID {
			t.Errorf("the repair says %+v, %v; want 3 blobs, and that of %s left", r, err, last.c.ID)
		}
		h, err := s.Check(t.Context(), true)
		if err != nil || len(h.Faults) != 1 {
			t.Errorf("then a check says %+v, %v; want one fault", h, err)
		}
		if _, _, err := s.Evidence(t.Context(), last.c.ID, last.c.Evidence[0].File); !errors.Is(err, ErrNotFound) {
			t.Errorf("evidence that nobody has: %v", err)
		}
	})
}

// blobOf names the blob of a checksum.
func blobOf(t *testing.T, s *Store, sum string) string {
	t.Helper()
	stamp, err := s.index.stampOf(t.Context(), sum)
	if err != nil {
		t.Fatal(err)
	}
	return blobName(sum, stamp)
}

// damage puts a text in the place of a blob; nothing for an empty one.
func damage(t *testing.T, s *Store, e casefile.Evidence, text string) {
	t.Helper()
	name := blobOf(t, s, e.SHA256)
	if err := s.blobs.remove(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	if text == "" {
		return
	}
	err := s.blobs.put(t.Context(), name, int64(len(text)), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
