package reporter_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/casetest"
	"github.com/gocasebook/casebook/reporter"
)

const secretPath = "/services/T00000000/B00000000/XsecretX"

const secretQuery = "?key=QsecretQ"

// hook is a webhook of the server at url, without retries.
func hook(t *testing.T, url string, change func(*reporter.WebhookConfig)) reporter.Reporter {
	t.Helper()
	cfg := reporter.WebhookConfig{URL: url + secretPath + secretQuery,
		Header: map[string]string{"Authorization": "Bearer " + secretToken}}
	if change != nil {
		change(&cfg)
	}
	r, err := reporter.Webhook(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.Retry = reporter.Retry{First: time.Millisecond, Max: 2 * time.Millisecond}
	return r
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// report queues one case for r and returns what became of it.
func report(t *testing.T, r reporter.Reporter) reporter.Status {
	t.Helper()
	return reportOf(t, r, reporter.Report{Case: casetest.Sample(), Folder: "/var/lib/casebook/x"})
}

// reportOf is report of a case that may be on disk.
func reportOf(t *testing.T, r reporter.Reporter, about reporter.Report) reporter.Status {
	t.Helper()
	q := mustQueue(t, reporter.QueueOptions{}, r)
	stop := running(q)
	q.Put(about)
	eventually(t, "sent or failed", func() bool { s := q.Status()[0]; return s.Sent+s.Failed > 0 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	return q.Status()[0]
}

func TestWebhookJSON(t *testing.T) {
	var got reporter.Message
	var header http.Header
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header
		if r.Method != http.MethodPost || r.URL.Path != secretPath || "?"+r.URL.RawQuery != secretQuery {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusAccepted)
	})
	wantCounts(t, report(t, hook(t, s.URL, nil)), counts{sent: 1})
	if got.Schema != 1 || got.ID != casetest.Sample().ID || got.Findings[0].ID != "GC003" {
		t.Errorf("the message: %+v", got)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Idempotency-Key": casetest.Sample().ID, "Authorization": "Bearer " + secretToken,
		"User-Agent": "casebook",
	} {
		if header.Get(name) != want {
			t.Errorf("header %s is %q, want %q", name, header.Get(name), want)
		}
	}
}

func TestWebhookSlack(t *testing.T) {
	var got map[string]string
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { _ = json.NewDecoder(r.Body).Decode(&got) })
	wantCounts(t, report(t, hook(t, s.URL, func(c *reporter.WebhookConfig) { c.Format = reporter.Slack })),
		counts{sent: 1})
	if len(got) != 1 || !strings.Contains(got["text"], "rule *gc-cpu* tripped") {
		t.Errorf("the body: %v", got)
	}
}

// What servers answer, what becomes of the report, and what is logged: never anything secret.
func TestWebhookAnswers(t *testing.T) {
	after := func(n int32, first, then http.HandlerFunc) http.HandlerFunc {
		var calls atomic.Int32
		return func(w http.ResponseWriter, r *http.Request) {
			if calls.Add(1) <= n {
				first(w, r)
				return
			}
			then(w, r)
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	text := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	ok := status(http.StatusOK)
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    counts
		say     string
	}{
		{"500 then 200", after(1, status(500), ok), counts{sent: 1, retried: 1}, "answered 500 Internal Server Error"},
		{"500 forever", status(500), counts{failed: 1, retried: 2}, "answered 500"},
		{"429 with Retry-After", after(1, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(429)
		}, ok), counts{sent: 1, retried: 1}, "answered 429 Too Many Requests"},
		{"408 then 200", after(1, status(408), ok), counts{sent: 1, retried: 1}, "answered 408"},
		{"400 with a reason", text(400, "invalid_payload"), counts{failed: 1},
			"answered 400 Bad Request: invalid_payload"},
		{"401", status(401), counts{failed: 1}, "check the token"},
		{"404", status(404), counts{failed: 1}, "check the URL"},
		{"413", status(413), counts{failed: 1}, "no report of this size"},
		{"an unknown status", status(799), counts{failed: 1, retried: 2}, "answered 799"},
		{"a reason of two lines", text(400, "one\ntwo\x1b[31m"), counts{failed: 1}, "Bad Request: one two [31m"},
		{"a reason that repeats the path", text(400, "no such hook: "+secretPath), counts{failed: 1}, withheld},
		{"a reason that repeats the token", text(400, strings.Repeat(" ", 3000)+"bad token HSECRETh"),
			counts{failed: 1}, withheld},
		{"a reason without end", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(400)
			for r.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 64<<10))
			}
		}, counts{failed: 1}, "answered 400"},
		{"200 and then no end", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(200)
			for r.Context().Err() == nil {
				_, _ = w.Write(make([]byte, 64<<10))
			}
		}, counts{sent: 1}, ""},
		{"200 drop by drop", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte("."))
				w.(http.Flusher).Flush()
				time.Sleep(time.Millisecond)
			}
		}, counts{sent: 1}, ""},
		{"an HTML page", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(400)
			_, _ = io.WriteString(w, "<h1>proxy</h1>")
		}, counts{failed: 1}, "answered 400 Bad Request"},
		{"the connection dropped", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			counts{failed: 1, retried: 2}, "cannot reach"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.handler)
			got := report(t, hook(t, s.URL, nil))
			wantCounts(t, got, tt.want)
			if !strings.Contains(got.LastError, tt.say) || tt.say == "" && got.LastError != "" ||
				strings.Contains(got.LastError, "<h1>") {
				t.Errorf("last error %q, want %q in it", got.LastError, tt.say)
			}
			wantNoSecret(t, got.LastError)
		})
	}
}

// listen answers every connection with f.
func listen(t *testing.T, f func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				f(c)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// Servers that do not speak HTTP, or stop in the middle.
func TestWebhookBrokenServers(t *testing.T) {
	var printed bytes.Buffer
	log.SetOutput(&printed)
	defer func() {
		log.SetOutput(os.Stderr)
		if printed.Len() > 0 {
			t.Errorf("a guest printed: %.200s", printed.String())
		}
	}()
	closed := listen(t, func(net.Conn) {})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refused := "http://" + l.Addr().String()
	l.Close()
	for _, tt := range []struct {
		name, url, say string
		slow           bool
	}{
		{"nobody listens", refused, "connection refused", false},
		{"closes at once", closed, "cannot reach", false},
		{"hangs", listen(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }), "did not answer in time", true},
		{"garbage", listen(t, func(c net.Conn) { fmt.Fprintf(c, "SSH-2.0-OpenSSH %s\r\n", secretPath) }), withheld,
			false},
		{"other garbage", listen(t, func(c net.Conn) { fmt.Fprint(c, "\x00\xff\x00\r\n\r\n") }), "malformed HTTP",
			false},
		{"headers without end", listen(t, func(c net.Conn) {
			fmt.Fprint(c, "HTTP/1.1 200 OK\r\n")
			for {
				if _, err := fmt.Fprintf(c, "X: %s\r\n", strings.Repeat("x", 4000)); err != nil {
					return
				}
			}
		}), "cannot reach", false},
		{"headers drop by drop", listen(t, func(c net.Conn) {
			for {
				if _, err := fmt.Fprint(c, "H"); err != nil {
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}), "did not answer in time", true},
		{"TLS is wanted where there is none", strings.Replace(closed, "http:", "https:", 1), "cannot reach https://",
			false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			timeout := reporter.DefaultTimeout
			if tt.slow {
				timeout = 150 * time.Millisecond
			}
			got := report(t, hook(t, tt.url, func(c *reporter.WebhookConfig) { c.Timeout = timeout }))
			wantCounts(t, got, counts{failed: 1, retried: 2})
			if !strings.Contains(got.LastError, tt.say) || len(got.LastError) > 500 {
				t.Errorf("last error %q, want %q in it", got.LastError, tt.say)
			}
			wantNoSecret(t, got.LastError)
		})
	}
}

// A redirect sends report and token only to the same server, and never turns the POST into a GET.
func TestWebhookRedirects(t *testing.T) {
	var elsewhere, there atomic.Int32
	other := serve(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, same := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d same=%t", code, same), func(t *testing.T) {
				there.Store(0)
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					switch {
					case r.URL.Path == "/moved":
						if r.Method != http.MethodPost || !json.Valid(body) || r.Header.Get("Authorization") == "" {
							t.Errorf("at the new place: %s with %d bytes", r.Method, len(body))
						}
						there.Add(1)
					case same:
						http.Redirect(w, r, "/moved", code)
					default:
						http.Redirect(w, r, other.URL+"/moved?token=secret", code)
					}
				})
				got := report(t, hook(t, s.URL, nil))
				follows := same && code >= 307
				want := counts{failed: 1}
				if follows {
					want = counts{sent: 1}
				}
				wantCounts(t, got, want)
				if (there.Load() == 1) != follows || elsewhere.Load() != 0 {
					t.Errorf("%d requests at the new place, %d at another server", there.Load(), elsewhere.Load())
				}
				if !follows && !strings.Contains(got.LastError, "this redirect is not followed") {
					t.Errorf("last error %q", got.LastError)
				}
				wantNoSecret(t, got.LastError)
			})
		}
	}
}

func TestWebhookRedirectsWithoutEnd(t *testing.T) {
	var calls atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.Redirect(w, r, r.URL.Path+"/x", http.StatusTemporaryRedirect)
	})
	wantCounts(t, report(t, hook(t, s.URL, nil)), counts{failed: 1})
	if n := calls.Load(); n > 6 {
		t.Errorf("%d requests, want 6 at most", n)
	}
}

// An inbox is a server that keeps what webhooks send it, and answers with a status.
type inbox struct {
	*httptest.Server
	status atomic.Int64

	mu   sync.Mutex // guards got
	got  []string   // bodies that it accepted
	keys []string
}

func newInbox(t *testing.T) *inbox {
	t.Helper()
	in := &inbox{}
	in.status.Store(http.StatusOK)
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		status := int(in.status.Load())
		if err == nil && status == http.StatusOK {
			in.mu.Lock()
			in.got, in.keys = append(in.got, string(body)), append(in.keys, r.Header.Get("Idempotency-Key"))
			in.mu.Unlock()
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(in.Close)
	return in
}

func (in *inbox) bodies() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]string(nil), in.got...)
}

func spooled(t *testing.T, url, spool string, format reporter.Format) reporter.Reporter {
	t.Helper()
	r, err := reporter.Webhook(reporter.WebhookConfig{URL: url + "/s3cret", Format: format, Spool: spool,
		Timeout: time.Minute}) // on a busy machine a request takes seconds, and one that is given up comes twice
	if err != nil {
		t.Fatal(err)
	}
	r.Retry = reporter.Retry{First: time.Millisecond, Max: 2 * time.Millisecond}
	return r
}

// A report that a webhook's server did not accept is sent by the next process, unchanged, once.
func TestWebhookOutlivesAServerThatIsDown(t *testing.T) {
	for _, format := range []reporter.Format{reporter.JSON, reporter.Slack} {
		t.Run(string(format), func(t *testing.T) {
			// Two servers, because a request that the first process gives up may reach a handler after it has ended.
			down, in, spool := newInbox(t), newInbox(t), filepath.Join(t.TempDir(), "spool")
			down.status.Store(http.StatusServiceUnavailable)
			reports := []reporter.Report{named(1), named(2)}
			q := mustQueue(t, reporter.QueueOptions{}, spooled(t, down.URL, spool, format))
			kept := make(chan error, 2)
			stop := running(q)
			for _, r := range reports {
				q.PutFor(nil, r, func(_ string, err error) { kept <- err })
			}
			for range reports {
				if err := <-kept; err != nil {
					t.Errorf("keeping a report: %v", err)
				}
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			if got := q.Status()[0]; got.Sent != 0 || got.Pending != 2 {
				t.Errorf("of a server that is down: %+v, want two that wait", got)
			}
			casetest.WantSpooled(t, spool, reports[0].Case.ID+".json", reports[1].Case.ID+".json")
			for _, name := range dirNames(t, spool) {
				if data, err := os.ReadFile(filepath.Join(spool, name)); err != nil ||
					strings.Contains(string(data), "s3cret") {
					t.Errorf("%s holds the URL: %v", name, err)
				}
			}

			next := mustQueue(t, reporter.QueueOptions{}, spooled(t, in.URL, spool, format))
			stop = running(next)
			eventually(t, "both sent", func() bool { return len(in.bodies()) == 2 && next.Status()[0].Sent == 2 })
			if err := stop(); err != nil {
				t.Error(err)
			}
			casetest.WantSpooled(t, spool)
			if got := in.bodies(); !strings.Contains(got[0], reports[0].Case.ID) && format == reporter.JSON {
				t.Errorf("it got %q", got)
			}
			if in.keys[0] != reports[0].Case.ID || in.keys[1] != reports[1].Case.ID {
				t.Errorf("the keys are %q, want the cases' IDs", in.keys)
			}
		})
	}
}

func dirNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// What the server refuses for good stays for a person to look at, and blocks nothing.
func TestWebhookThatIsRefused(t *testing.T) {
	in, spool := newInbox(t), t.TempDir()
	in.status.Store(http.StatusBadRequest)
	q := mustQueue(t, reporter.QueueOptions{}, spooled(t, in.URL, spool, reporter.JSON))
	stop := running(q)
	refused := named(1)
	q.Put(refused)
	eventually(t, "refused", func() bool { return q.Status()[0].Failed == 1 })
	in.status.Store(http.StatusOK)
	q.Put(named(2))
	eventually(t, "the next sent", func() bool { return q.Status()[0].Sent == 1 })
	if err := stop(); err != nil {
		t.Error(err)
	}
	casetest.WantSpooled(t, spool, refused.Case.ID+".refused-400.json")
}

const secretToken = "HsecretH"

func wantNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{"secret", "T00000000", "services", "key="} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in: %s", secret, text)
		}
	}
}
