package cli_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestLoadFindLimit has a server that answers the first 60 requests of a step and refuses the rest: {{seq}} says which
// they are, and no clock is read. 60 is the truth for steps of a second. Confirming takes two seconds, in which 30 a
// second are answered, so that the search goes down from 56.6 over 40 to 28.3.
func TestLoadFindLimit(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/")); err != nil || n > 60 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(srv.Close)
	out := filepath.Join(t.TempDir(), "limit.json")
	r := inProcess(t, "load", "--find-limit", "p50 < 60s, errors < 2%", "--rate", "20", "--pace", "constant", "--step",
		"1s", "--warmup", "0s", "--resolution", "50%",
		"--timeout", "1m", "-o", out, srv.URL+"/{{seq}}")
	r.want(t, 0, "the highest rate that meets p50 <", "20/s", "meets it, confirming",
		"The highest rate that meets it is", "confirmed over 2s")
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Kind        string
		Best, Fails float64
		Steps       []struct{ Rate float64 }
	}
	if err := json.Unmarshal(b, &kept); err != nil {
		t.Fatal(err)
	}
	if kept.Kind != "casebook-load-limit" || math.Round(10*kept.Best) != 283 || kept.Fails != 40 ||
		len(kept.Steps) != 8 {
		t.Errorf("found %+v, want 28.3 a second, and that 40 fail, after 8 steps", kept)
	}
}
