package holmes

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

func TestProfileHandler(t *testing.T) {
	t.Parallel()
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), always(time.Hour), WithCPUDump(10, 1000, 1_000_000, time.Hour))
	server := httptest.NewServer(h.ProfileHandler(http.NotFoundHandler()))
	defer server.Close()
	get := func() (int, []byte) {
		t.Helper()
		resp, err := http.Get(server.URL + "?seconds=1")
		must(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		must(t, err)
		return resp.StatusCode, body
	}
	if code, _ := get(); code != http.StatusNotFound {
		t.Errorf("before Start the answer is %d, not that of the other handler", code)
	}
	h.EnableCPUDump().EnableGoroutineDump().Start()
	told.next(t, "goroutine") // it is watching
	code, body := get()
	if _, err := profile.ParseData(body); code != http.StatusOK || err != nil {
		t.Errorf("while a CPU profile runs the answer is %d (%v): %.200s", code, err, body)
	}
	h.Stop()
	if code, _ := get(); code != http.StatusNotFound {
		t.Errorf("after Stop the answer is %d, not that of the other handler", code)
	}
}
