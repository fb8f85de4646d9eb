package messages

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/serve/servetest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "lab/messages", "pebble")) }

// ask makes one request on a connection of its own.
func ask(t *testing.T, method, url string, body []byte) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, got
}

// TestMessages: in both forms the newest message of a sender comes back, also after the service has been stopped and
// started again, and its bytes are counted.
func TestMessages(t *testing.T) {
	for _, values := range valueNames {
		t.Run(values, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			newest := Message(3, 100_000)
			var where serve.Addresses
			args := []string{"-listen", "127.0.0.1:0", "-pprof", "", "-dir", dir, "-values", values}
			p := servetest.Start(t, Main, &where, args...)
			url := "http://" + where.Listen + "/messages/" + Sender(7)
			for _, m := range [][]byte{Message(1, 50_000), Message(2, 10), newest} {
				if status, body := ask(t, http.MethodPut, url, m); status != http.StatusNoContent {
					t.Fatalf("PUT: %d %s", status, body)
				}
			}
			if status, _ := ask(t, http.MethodPut, url, make([]byte, maxMessage+1)); status != http.StatusBadRequest {
				t.Errorf("a message that is too large: %d", status)
			}
			if status, _ := ask(t, http.MethodGet, url+"0", nil); status != http.StatusNotFound {
				t.Errorf("a sender of whom there is none: %d", status)
			}
			if _, stats := ask(t, http.MethodGet, "http://"+where.Listen+"/stats", nil); !strings.Contains(string(stats),
				`"done":3,"bytes":150010`) {
				t.Errorf("stats %s, want three messages of 150,010 bytes", stats)
			}
			p.Stop()
			if code := <-p.Code; code != serve.ExitOK {
				t.Fatalf("exit code %d: %s", code, p.Stderr)
			}
			servetest.Start(t, Main, &where, args...)
			status, got := ask(t, http.MethodGet, "http://"+where.Listen+"/messages/"+Sender(7), nil)
			if status != http.StatusOK || !bytes.Equal(got, newest) {
				t.Errorf("after a restart: %d, %d bytes, want the newest message of %d", status, len(got), len(newest))
			}
		})
	}
}

// TestFlags names the flag at fault.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-values", "beside"}, {"-warm", "-1"}, {"-warm-bytes", "0"}, {"-listen", "x"}} {
		var stderr strings.Builder
		if _, err := parseConfig(args, &stderr); err == nil || !strings.Contains(err.Error(), args[0]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
