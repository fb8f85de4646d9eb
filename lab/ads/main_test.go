package ads

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/lab/redis"
	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/lab/serve/servetest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Check(m.Run(), "lab/ads.", "net/http.", "go-redis")) }

// testWorld is small enough to make a catalogue in milliseconds.
func testWorld() World {
	return World{Topics: 5, Ads: 60, Campaigns: 120, Keywords: 12, Users: 20}
}

func startRedis(t *testing.T) *redis.Server {
	t.Helper()
	s, err := redis.Start(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Stop() }) // some tests have stopped it
	return s
}

// startContent runs a content service for the test world. extra are its flags.
func startContent(t *testing.T, extra ...string) (*servetest.Process, serve.Addresses) {
	t.Helper()
	var where serve.Addresses
	p := servetest.Start(t, ContentMain, &where, append(testWorld().Args(), extra...)...)
	return p, where
}

// startDelivery runs a delivery service that is ready. extra are its flags.
func startDelivery(t *testing.T, redis, content string, extra ...string) (*servetest.Process, string) {
	t.Helper()
	args := append([]string{"-listen", "127.0.0.1:0", "-pprof", "127.0.0.1:0", "-timeout", "5s", "-redis", redis,
		"-content-url", "http://" + content}, extra...)
	var where serve.Addresses
	p := servetest.Start(t, Main, &where, args...)
	await(t, where.Listen, "/readyz", http.StatusOK)
	return p, where.Listen
}

// await asks until the answer has the status.
func await(t *testing.T, addr, path string, status int) {
	t.Helper()
	for t.Context().Err() == nil {
		if got, _ := fetch(t, "http://"+addr+path); got == status {
			return
		}
	}
	t.Fatalf("GET %s never answered %d", path, status)
}

// fetch does a request on its own connection and returns status and body. The status is 0 if there was no answer.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, req)
}

func send(t *testing.T, req *http.Request) (int, string) {
	t.Helper()
	req = req.WithContext(t.Context())
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("GET %s: reading the answer: %v", req.URL, err)
	}
	return resp.StatusCode, string(body)
}

// ask sends the i-th request of the test world's load.
func ask(t *testing.T, addr string, i uint64) (int, string) {
	t.Helper()
	req, err := Requests(testWorld(), DefaultPage())(addr, i)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, req)
}

// An answer is what delivery answers.
type answer struct {
	Ads []struct {
		Slot         int
		Ad, Campaign int64
		Creative     string
		Bid          int64
	}
	Degraded string
}

func decode(t *testing.T, body string) answer {
	t.Helper()
	var a answer
	if err := json.Unmarshal([]byte(body), &a); err != nil {
		t.Fatalf("decoding %q: %v", body, err)
	}
	return a
}

func TestBadFlags(t *testing.T) {
	for _, tt := range []struct{ name, arg, want string }{
		{"unknown flag", "-nope", "not defined"},
		{"left over", "serve", "serve"},
		{"content", "-content-url=127.0.0.1:80", "-content-url must be a URL"},
		{"redis", "-redis=6379", "-redis must be host:port"},
		{"timeout", "-timeout=0s", "-timeout"},
		{"refresh", "-refresh=-1s", "-refresh"},
		{"stale", "-max-stale=0s", "-max-stale"},
		{"in flight", "-in-flight=0", "-in-flight"},
		{"consider", "-consider=10001", "-consider must be from 1 to 10000"},
		{"part", "-part=0", "-part must be above 0"},
		{"report", "-report=", "-report"},
		{"fan-out", "-fanout=many", "-fanout must be one of workers, goroutines"},
		{"room", "-room=all", "-room must be one of fitted, maximum"},
		{"match", "-match=", "-match must be one of set, nested"},
		{"index", "-index=int", "-index must be one of number, text"},
		{"keys", "-keys=fmt", "-keys must be one of append, sprintf"},
		{"counts", "-counts=one", "-counts must be one of batched, each"},
		{"report by", "-report-by=json", "-report-by must be one of direct, reflect"},
		{"drain", "-drain=0s", "-drain"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := Main(t.Context(), []string{"-content-url=http://h", tt.arg}, &stdout, &stderr)
			if code != serve.ExitUsage || !strings.Contains(stderr.String(), tt.want) || stdout.Len() > 0 {
				t.Errorf("Main(%s) = %d, stderr %q, stdout %q; want %d and %q", tt.arg, code, &stderr, &stdout,
					serve.ExitUsage, tt.want)
			}
		})
	}
}

func TestBadContentFlags(t *testing.T) {
	for _, arg := range []string{"-topics=0", "-ads=10001", "-campaigns=0", "-keywords=151", "-republish=-1s",
		"-reach=0", "-match=set", "-flow-by=", "-notes=map", "more"} {
		var stderr bytes.Buffer
		name, _, _ := strings.Cut(arg, "=")
		if code := ContentMain(t.Context(), []string{arg}, io.Discard, &stderr); code != serve.ExitUsage ||
			!strings.Contains(stderr.String(), name) {
			t.Errorf("ContentMain(%s) = %d, stderr %q; want %d and the flag's name", arg, code, &stderr,
				serve.ExitUsage)
		}
	}
}

func TestHelpIsNotAnError(t *testing.T) {
	for name, main := range map[string]func(io.Writer) int{
		"ads":     func(w io.Writer) int { return Main(t.Context(), []string{"-help"}, io.Discard, w) },
		"content": func(w io.Writer) int { return ContentMain(t.Context(), []string{"-help"}, io.Discard, w) },
	} {
		var stderr bytes.Buffer
		if code := main(&stderr); code != serve.ExitOK || !strings.Contains(stderr.String(), "-listen") {
			t.Errorf("%s -help = %d, stderr %q; want %d and the flags", name, code, &stderr, serve.ExitOK)
		}
	}
}
