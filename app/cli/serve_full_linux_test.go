package cli_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/gocasebook/casebook/internal/disktest"
)

// The disk of a store fills up, at every point of an upload. A case that has no room is answered 507 and when to come
// back; what was acknowledged can be read meanwhile, also by the page of a case, which is drawn from a copy; with room
// again the same upload goes through.
func TestServerOnFullDisk(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, "16m")
	s := serve(t, "--store", filepath.Join(disk, "store"))
	sums := map[string]string{}
	refused, taken := 0, 0
	for free := int64(0); free < 1<<20; free += 48 << 10 {
		filler := disktest.Fill(t, disk, free)
		p := newParcel(t, 200_000)
		resp, err := p.put(s.url)
		if err != nil {
			t.Fatal(err)
		}
		switch resp.StatusCode {
		case http.StatusCreated:
			taken++
		case http.StatusInsufficientStorage:
			refused++
			if resp.Header.Get("Retry-After") == "" {
				t.Errorf("%d bytes free: no Retry-After", free)
			}
		default:
			t.Errorf("%d bytes free: %s, want 201 or 507", free, resp.Status)
		}
		paths := []string{"/", "/api/v1/cases", "/healthz"}
		if len(sums) > 0 {
			id := oneOf(sums)
			paths = append(paths, "/cases/"+id, "/api/v1/cases/"+id+"/zip")
		}
		for _, path := range paths {
			if resp, body := s.get(t, path); resp.StatusCode != http.StatusOK {
				t.Errorf("%d bytes free: %s: %s %.200s", free, path, resp.Status, body)
			}
		}
		s.wantWhole(t, sums)
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if resp, err := p.put(s.url); err != nil || resp.StatusCode >= 300 {
			t.Fatalf("with room again: %v, %v", resp, err)
		}
		sums[p.id] = p.sum
	}
	s.wantWhole(t, sums)
	if refused == 0 || taken == 0 {
		t.Errorf("%d uploads were refused and %d taken: the disk was not full at every point", refused, taken)
	}
	s.kill()
	t.Logf("attack: %d uploads refused on a full disk, %d taken", refused, taken)
}
