package store

import (
	"bytes"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// While a folder is being read, counts have the newest cases, and there is a word of it. Otherwise they have all.
func TestShelfIsRead(t *testing.T) {
	dir := t.TempDir()
	for i, service := range []string{"cart", "shop", "users"} { // users is the newest
		p := newParcel(t, i, service)
		if _, err := casefile.Dir(dir).Import(bytes.NewReader(p.zip), int64(len(p.zip))); err != nil {
			t.Fatal(err)
		}
	}
	s, err := OpenShelf(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.patience = -1 // none at all
	s.reading.Store(true)
	if list, err := s.Services(t.Context()); err != nil || len(list) != 1 || list[0].Name != "users" {
		t.Errorf("while it is read the services are %+v, %v; want that of the newest case", list, err)
	}
	if _, all, err := s.Progress(); err != nil || all != 3 {
		t.Errorf("%d cases are to be read, %v; want 3", all, err)
	}
	if err := s.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Services(t.Context()); err != nil || len(list) != 3 {
		t.Errorf("then the services are %+v, %v; want all three", list, err)
	}
	if read, all, err := s.Progress(); read+all != 0 || err != nil {
		t.Errorf("%d of %d cases are being read, %v; want that it is over", read, all, err)
	}
}
