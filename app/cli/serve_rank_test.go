package cli_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/app/store"
)

// A server asks an engine with the credentials of a file, and ranks what its services do with their CPU. Nothing that
// it answers shows the credentials.
func TestServeRanksAnEngine(t *testing.T) {
	t.Parallel()
	e := enginetest.NewPyroscope(t)
	e.Refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") == "Bearer s3cret" {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	p := enginetest.Recorded(t, "coredns-dnssec", "cpu.pb.gz")
	for i := range 80 { // the machine may be busy for minutes
		e.Add(map[string]string{"service_name": "dns", "squad": "storage"}, "process_cpu",
			time.Now().Add(10*time.Minute-time.Duration(i)*15*time.Second), p)
	}
	url, end := served(t, "--store", filepath.Join(t.TempDir(), "store"), "--engine", "pyroscope://"+e.Host,
		"--engine-bearer-file", write(t, "bearer", "s3cret\n"), "--owner-label", "squad")
	var list store.Ranking
	body := ""
	for late := time.Now().Add(patience); len(list.Findings) == 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("no ranking: %s", body)
		}
		_, body = get(t, url+"api/v1/ranking", &list)
	}
	if f := list.Findings[0]; f.Service != "dns" || f.Owner != "storage" || f.Cores <= 0 {
		t.Errorf("the first is %+v", f)
	}
	_, page := get(t, url, nil)
	if !strings.Contains(page, "What costs most CPU") || strings.Contains(page+body, "s3cret") {
		t.Error("the first page has no ranking, or something shows the token")
	}
	if code, why := get(t, url+"api/v1/release?service=dns", nil); code != http.StatusNotFound ||
		!strings.Contains(why, "no two versions") {
		t.Errorf("a service of one version: %d, %s", code, why)
	}
	end()
}

// Where an engine may not be asked, the server does not ask.
func TestServeAsksAllowedEnginesOnly(t *testing.T) {
	t.Parallel()
	e := enginetest.NewPyroscope(t)
	url, end := served(t, "--store", filepath.Join(t.TempDir(), "store"), "--engine", "pyroscope://"+e.Host,
		"--allow", "10.0.0.0/8")
	var list store.Ranking
	get(t, url+"api/v1/ranking", &list)
	end()
	if n := len(e.Asked()); n > 0 || len(list.Findings) > 0 {
		t.Errorf("an engine outside of the allowed networks got %d requests", n)
	}
}
