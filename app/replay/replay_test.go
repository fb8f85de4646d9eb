package replay_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load/targets"
	"github.com/gocasebook/casebook/app/replay"
	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/middleware"
)

// logs is the archive of logs in several forms.
const logs = "testdata/logs.txtar"

func file(t *testing.T, name string) replay.Source {
	t.Helper()
	data, err := fs.ReadFile(txtartest.FS(t, logs), name)
	if err != nil {
		t.Fatal(err)
	}
	return replay.Source{Name: name, Reader: bytes.NewReader(data)}
}

func read(t *testing.T, o replay.Options, sources ...replay.Source) *replay.Result {
	t.Helper()
	res, err := replay.Read(o, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// lines are the requests, a line each.
func lines(res *replay.Result) string {
	var b strings.Builder
	for _, r := range res.Requests {
		fmt.Fprintf(&b, "%s %s %s", r.Time.UTC().Format("15:04:05.999"), r.Method, r.URL)
		if r.Host != "" {
			fmt.Fprintf(&b, " (%s)", r.Host)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// Logs in the forms that programs write by default, and of loggers of JSON. The lines are those of the programs' own
// documentation with other names.
func TestLogs(t *testing.T) {
	for name, want := range map[string]string{
		"nginx.log":    "13:05:01 GET /items/7?page=2&access_token=redacted\n13:05:31 GET /search?q=%22go%22\n",
		"caddy.log":    "13:05:01.25 GET /items/8?sort=price (shop.example.org)\n13:05:02.5 GET /v1/me (api.example.org)\n",
		"traefik.json": "13:05:01.123 GET /items?limit=20 (shop.example.org)\n",
		"envoy.log":    "13:05:01.31 GET /items/9\n",
		"alb.log":      "13:05:01.186 GET /items/10?page=3 (shop.example.org:443)\n",
		"slog.json":    "12:05:01.5 GET /items/11?page=4\n",
		"nginx.json":   "13:05:01 GET /items/12?q=a%20b (shop.example.org)\n",
	} {
		if got := lines(read(t, replay.Options{}, file(t, name))); got != want {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
	}
	res := read(t, replay.Options{}, file(t, "nginx.log"))
	for why, n := range map[string]int{"POST without its body": 1, "lines without a request": 2,
		"DELETE, which is kept only if --method names it": 1} {
		if res.Left[why] != n {
			t.Errorf("left out %v, want %d × %s", res.Left, n, why)
		}
	}
	if res.Redacted["parameter"] != 1 || res.Seen != 2 || res.Peak != 2 || res.Rate() != 2.0/30 ||
		res.PeakAt.Format("15:04") != "13:05" || len(res.Arrivals) != 2 {
		t.Errorf("%+v", res)
	}
}

func TestFilters(t *testing.T) {
	if got := lines(read(t, replay.Options{Methods: []string{"DELETE"}}, file(t, "nginx.log"))); got !=
		"13:07:01 DELETE /items/7\n" {
		t.Error(got)
	}
	if got := lines(read(t, replay.Options{Hosts: []string{"api.example.org"}}, file(t, "caddy.log"))); !strings.Contains(got,
		"/v1/me") || strings.Contains(got, "/items") {
		t.Error(got)
	}
	if got := lines(read(t, replay.Options{Prefix: "/items"}, file(t, "nginx.log"))); strings.Count(got, "\n") != 1 {
		t.Error(got)
	}
}

// A HAR file has headers and bodies; secrets are gone, and numbers stay as they were.
func TestHAR(t *testing.T) {
	res := read(t, replay.Options{}, file(t, "checkout.har"))
	if got := lines(res); got != "13:05:01 GET /?ref=mail (shop.example.org)\n13:05:02 POST /login (shop.example.org)\n"+
		"13:05:03 POST /search (shop.example.org)\n" {
		t.Error(got)
	}
	login := res.Requests[1]
	if string(login.Body) != `{"n":12345678901234567890,"password":"redacted","user":"ann"}` ||
		login.Header.Get("Accept") != "application/json" || len(login.Header) != 2 {
		t.Errorf("%s, %v", login.Body, login.Header)
	}
	if search := res.Requests[2]; string(search.Body) != "q=shoes&csrf_token=redacted" ||
		search.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		t.Errorf("%s, %v", search.Body, search.Header)
	}
	if res.Redacted["header Cookie"] != 1 || res.Redacted["header Authorization"] != 1 || res.Redacted["field of a body"] != 2 {
		t.Errorf("%v", res.Redacted)
	}
	kept := read(t, replay.Options{Headers: []string{"authorization"}}, file(t, "checkout.har"))
	if kept.Requests[0].Header.Get("Authorization") != "Bearer s3cret" {
		t.Errorf("%v", kept.Requests[0].Header)
	}
}

// What a sample of the middleware kept becomes targets that casebook load reads.
func TestSampleToTargets(t *testing.T) {
	s := middleware.NewSample(middleware.SampleConfig{Every: 1, Body: 100})
	h := s.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = new(bytes.Buffer).ReadFrom(r.Body) }))
	h.ServeHTTP(nil, httptest.NewRequest(http.MethodGet, "/items/{{7}}", nil))
	h.ServeHTTP(nil, httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader(`{"id":7}`)))
	h.ServeHTTP(nil, httptest.NewRequest(http.MethodPost, "/orders", strings.NewReader(strings.Repeat("x", 101))))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	res := read(t, replay.Options{}, replay.Source{Name: "sample", Reader: w.Body})
	if res.Seen != 2 || res.Left["POST without its body"] != 1 {
		t.Fatalf("%+v", res)
	}
	var out bytes.Buffer
	if err := replay.Write(&out, res.Requests); err != nil {
		t.Fatal(err)
	}
	list, err := targets.Parse(&out, ".")
	if err != nil || len(list) != 2 || list[1].Method != "POST" || string(list[1].Body) != `{"id":7}` {
		t.Fatalf("%v, %+v", err, list)
	}
	if _, err := targets.Compile(list, targets.Options{Base: "http://127.0.0.1:1", Plain: true}); err != nil {
		t.Error(err)
	}
}

// A sample of a long log is even, keeps the order, and is the same for the same seed.
func TestEvenSample(t *testing.T) {
	var log bytes.Buffer
	z := gzip.NewWriter(&log)
	begin := time.Date(2026, 11, 28, 13, 0, 0, 0, time.UTC)
	for i := range 20_000 {
		fmt.Fprintf(z, "h - - [%s] \"GET /%d/%05d HTTP/1.1\" 200 1\n",
			begin.Add(time.Duration(i)*time.Second).Format("02/Jan/2006:15:04:05 -0700"), i%4, i)
	}
	z.Close()
	source := func() replay.Source { return replay.Source{Name: "log", Reader: bytes.NewReader(log.Bytes())} }
	res := read(t, replay.Options{Most: 2_000, Seed: 7}, source())
	if len(res.Requests) != 2_000 || res.Seen != 20_000 || res.Whole() || res.Peak != 60 {
		t.Fatalf("%d of %d, peak %d", len(res.Requests), res.Seen, res.Peak)
	}
	kinds := make(map[byte]int)
	last := ""
	for _, r := range res.Requests {
		kinds[r.URL[1]]++
		if r.URL[3:] <= last {
			t.Fatalf("%s after %s", r.URL, last)
		}
		last = r.URL[3:]
	}
	for kind, n := range kinds { // 500 are expected of each
		if n < 400 || n > 600 {
			t.Errorf("kind %c: %d", kind, n)
		}
	}
	if lines(res) != lines(read(t, replay.Options{Most: 2_000, Seed: 7}, source())) {
		t.Error("the same seed kept others")
	}
}

func TestNothing(t *testing.T) {
	for text, want := range map[string]string{
		"": "there are no requests in it", "hello\n": "lines without a request",
		`h - - [28/Nov/2026:13:05:01 +0000] "POST / HTTP/1.1" 200 1`: "POST without its body",
		`{"log": {"entries": [`: "begins like a HAR file",
		"\x1f\x8bxxxxxxxx":      "begins like gzip",
	} {
		_, err := replay.Read(replay.Options{}, replay.Source{Name: "in", Reader: strings.NewReader(text)})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error()+"in: ", "in: ") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzRead wants that nothing that claims to be a log panics or keeps a request that is no target, and that a second
// reading of what was written keeps the same.
func FuzzRead(f *testing.F) {
	for _, log := range txtartest.Read(f, logs).Files {
		f.Add(log.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		res, err := replay.Read(replay.Options{Most: 10}, replay.Source{Name: "in", Reader: bytes.NewReader(data)})
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := replay.Write(&out, res.Requests); err != nil {
			t.Fatal(err)
		}
		list, err := targets.Parse(&out, ".")
		if err != nil || len(list) != len(res.Requests) {
			t.Fatalf("%v: %d targets of %d requests", err, len(list), len(res.Requests))
		}
	})
}
