package cli_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
)

// patch sends a part of a parcel.
func (p *parcel) patch(t *testing.T, url string, from, to int) *http.Response {
	t.Helper()
	sum := sha256.Sum256(p.zip)
	at := url + "/api/v1/cases/" + p.id + "/uploads/" + hex.EncodeToString(sum[:])
	method := http.MethodPatch
	if from == to { // only ask
		method = http.MethodGet
	}
	req, err := http.NewRequest(method, at, bytes.NewReader(p.zip[from:to]))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Upload-Offset", fmt.Sprint(from))
	req.Header.Set("Upload-Length", fmt.Sprint(len(p.zip)))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp
}

// A server is killed while a case has arrived in part. The next one goes on from there: the same server with SQLite, and
// another with PostgreSQL and a bucket.
func TestKilledServerHasParts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sqlite", "postgres"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--store", filepath.Join(t.TempDir(), "store")}
			if name == "postgres" {
				_, _, flags = teamStore(t)
			}
			p := newParcel(t, 1_000_000)
			half := len(p.zip) / 2
			s := serve(t, flags...)
			if resp := p.patch(t, s.url, 0, half); resp.StatusCode != http.StatusAccepted {
				t.Fatalf("the first half is answered %s", resp.Status)
			}
			s.kill()
			s = serve(t, flags...)
			if got := p.patch(t, s.url, 0, 0).Header.Get("Upload-Offset"); got != fmt.Sprint(half) {
				t.Errorf("after the kill %s bytes have arrived, want %d", got, half)
			}
			if resp := p.patch(t, s.url, half, len(p.zip)); resp.StatusCode != http.StatusCreated {
				t.Errorf("the second half is answered %s", resp.Status)
			}
			s.wantWhole(t, map[string]string{p.id: p.sum})
		})
	}
}
