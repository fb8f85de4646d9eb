package engine

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// hang answers nothing until the client is gone.
func hang(_ http.ResponseWriter, r *http.Request) bool {
	_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the client is gone
	<-r.Context().Done()
	return true
}

func status(code int, text string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(code)
		_, _ = w.Write([]byte(text))
		return true
	}
}

// Whatever comes in the place of an engine's answer, the error names the cause and the next step, and no secret.
func TestBadAnswers(t *testing.T) {
	for _, c := range []struct {
		name, want string
		answer     func(http.ResponseWriter, *http.Request) bool
	}{
		{"login page", "login before it", status(200, "<html><title>Sign in</title>")},
		{"HTML error", "is that the engine's address", status(404, "<html>not found")},
		{"no tenant", "tenant=NAME", status(401, `{"code":"unauthenticated","message":"no org id"}`)},
		{"wrong password", "--bearer-file", status(403, "forbidden")},
		{"limit", "since=1m", status(429, `{"code":"resource_exhausted","message":"too many"}`)},
		{"refused", "the query hits the limit", status(400,
			`{"code":"invalid_argument","message":"the query hits the limit"}`)},
		{"broken", "its log may say why", status(500, "panic\x1b[2J")},
		{"no JSON", "not what the engine's API says", status(200, "hello")},
		{"other JSON", "not what the engine's API says", status(200, `{"names":7,"labelValues":7,"data":7}`)},
		{"redirect", "redirects to http://elsewhere", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://elsewhere/?s3cret", http.StatusTemporaryRedirect)
			return true
		}},
		{"endless", "larger than 16 MiB", func(w http.ResponseWriter, r *http.Request) bool {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					break
				}
			}
			return true
		}},
	} {
		for _, scheme := range []string{Pyroscope, Parca, Prometheus} {
			t.Run(c.name+"/"+scheme, func(t *testing.T) {
				s := enginetest.NewPyroscope(t)
				s.Refuse = c.answer
				target, err := New(scheme+"://user:s3cret@"+s.Host+"?service=shop&tenant=s3cret", Options{})
				if err != nil {
					t.Fatal(err)
				}
				_, err = target.Describe(t.Context())
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") ||
					strings.Contains(err.Error(), "\x1b") {
					t.Errorf("the error is %v; want %q in it, and no secret", err, c.want)
				}
			})
		}
	}
}

// Credentials and the tenant go to the engine, by every way that there is, and to no other host.
func TestCredentials(t *testing.T) {
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		user   string
		access instance.HTTPOptions
		want   string
	}{
		{"", instance.HTTPOptions{BearerFile: token}, "Bearer s3cret"},
		{"user:s3cret@", instance.HTTPOptions{}, "Basic dXNlcjpzM2NyZXQ="},
		{"", instance.HTTPOptions{Header: http.Header{"Authorization": {"Basic eA=="}}}, "Basic eA=="},
	} {
		s := enginetest.NewPyroscope(t)
		target, err := New("pyroscope://"+c.user+s.Host+"?service=shop&tenant=team-a",
			Options{Access: c.access, Metrics: "prometheus://localhost:1?service=shop"})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = target.store.types(t.Context(), window{time.Now().Add(-time.Minute), time.Now()})
		asked := s.Asked()
		if len(asked) != 1 || asked[0].Header.Get("Authorization") != c.want ||
			asked[0].Header.Get("X-Scope-OrgID") != "team-a" || asked[0].URL.RawQuery != "" {
			t.Fatalf("asked with %v, want %q and the tenant", asked[0].Header, c.want)
		}
		if strings.Contains(target.URL(), "s3cret") || strings.Contains(target.URL(), "team-a") {
			t.Errorf("the URL is shown as %s", target.URL())
		}
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"names":["shop"]}`))
	}))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "https://")
	for _, c := range []struct {
		scheme, want string
		access       instance.HTTPOptions
	}{
		{"pyroscope+https", "", instance.HTTPOptions{Insecure: true}},
		{"pyroscope+https", "--ca FILE", instance.HTTPOptions{}},
		{"pyroscope", "HTTP request to an HTTPS server", instance.HTTPOptions{}},
	} {
		target, err := New(c.scheme+"://"+host+"?service=shop", Options{Access: c.access})
		if err != nil {
			t.Fatal(err)
		}
		_, err = target.Describe(t.Context())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.scheme, err, c.want)
		}
	}
}

// Whatever an engine answers, reading it ends without a panic.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"names":["shop"],"labelValues":["shop"],"profileTypes":[{"ID":"a:cpu:nanoseconds:cpu:nanoseconds",` +
		`"sampleType":"cpu","sampleUnit":"nanoseconds"}],"series":[{"points":[{"value":"NaN","timestamp":"1"}]}]}`))
	f.Add([]byte(`{"types":[{"name":"m","sampleType":"inuse_space","sampleUnit":"bytes"}],"pprof":"H4s="}`))
	f.Add([]byte(`{"status":"success","data":{"result":[{"metric":{"casebook_signal":"cpu"},"values":[[1,"2"]]}]}}`))
	f.Add([]byte{0x12, 0x04, 0x0a, 0x02, 0x01, 0x02})
	f.Fuzz(func(t *testing.T, body []byte) {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "alues") { // the service is there
				_, _ = w.Write([]byte(`{"names":["shop"],"labelValues":["shop"],"data":["shop"]}`))
				return
			}
			_, _ = w.Write(body)
		}))
		defer web.Close()
		for _, scheme := range []string{Pyroscope, Parca, Prometheus} {
			target, err := New(scheme+"://"+strings.TrimPrefix(web.URL, "http://")+"?service=shop", Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := vitals.NewSample(time.Now())
			_ = target.Sample(t.Context(), &s)
			_, _ = target.Past(t.Context(), time.Now().Add(-time.Minute))
			p, err := target.Capture(t.Context(), casefile.CPU, 0)
			if err == nil && !bytes.HasPrefix(p.Data, []byte{0x1f, 0x8b}) {
				t.Errorf("%s: evidence that is no profile: %.20x", scheme, p.Data)
			}
		}
	})
}
