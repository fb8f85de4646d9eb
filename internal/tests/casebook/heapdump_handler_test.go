package casebook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/instance"
)

// modeDumps has a child serve heap dumps.
const modeDumps = "dumps"

// TestHeapDumpHandler asks another process: a dump of this one would stop the tests beside it.
func TestHeapDumpHandler(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, lines := startChild(t, modeDumps, dir)
	if !lines.Scan() {
		t.Fatal("the child did not print its address")
	}
	url := lines.Text()
	price := new(instance.HeapDumpPrice)
	if err := json.Unmarshal(request(t, http.MethodGet, url, "", http.StatusOK), price); err != nil {
		t.Fatal(err)
	}
	if price.Bytes < 64<<10 || price.Objects == 0 || price.Low <= 0 || price.High < price.Low {
		t.Errorf("price %+v", price)
	}
	request(t, http.MethodPost, url, "https://evil.example", http.StatusForbidden)
	request(t, http.MethodPut, url, "", http.StatusMethodNotAllowed)
	dump := request(t, http.MethodPost, url, "", http.StatusOK)
	if !bytes.HasPrefix(dump, []byte("go1.7 heap dump\n")) || !bytes.HasSuffix(dump, []byte{0, 0}) {
		t.Errorf("%d bytes: no whole dump", len(dump))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestHeapDumpHandlerWithoutRoom says what is wrong with the folder, and stops nothing.
func TestHeapDumpHandlerWithoutRoom(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(casebook.HeapDumpHandler("/no/such/folder"))
	defer srv.Close()
	if got := request(t, http.MethodPost, srv.URL, "", http.StatusInsufficientStorage); !bytes.Contains(got,
		[]byte("no such file")) {
		t.Errorf("got %s", got)
	}
}

// request sends a request, from a page of another site if that is named, and wants a status.
func request(t *testing.T, method, url, site string, want int) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if site != "" {
		r.Header.Set("Origin", site)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != want {
		t.Fatalf("%s: %s, %v, want %d: %.200s", method, resp.Status, err, want, body)
	}
	return body
}

// beHeapDumpServer is a service that serves heap dumps by way of a folder. It ends with its standard input.
func beHeapDumpServer(dir string) int {
	srv := httptest.NewServer(casebook.HeapDumpHandler(dir))
	defer srv.Close()
	fmt.Println("ready")
	fmt.Println(srv.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}
