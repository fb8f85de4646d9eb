package instance_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// guarded serves pprof's index to clients that ok accepts, and records the headers of all.
type guarded struct {
	mu   sync.Mutex // guards seen
	seen []http.Header
	ok   func(*http.Request) bool
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	g.seen = append(g.seen, r.Header.Clone())
	g.mu.Unlock()
	if g.ok != nil && !g.ok(r) {
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return
	}
	switch r.URL.Path {
	case "/metrics":
		fmt.Fprintln(w, "up 1")
	case "/debug/vars":
		fmt.Fprintln(w, `{"jobs": 3}`)
	case "/debug/pprof/heap":
		pprof.Handler("heap").ServeHTTP(w, r)
	default:
		pprof.Index(w, r)
	}
}

// asked is how often it was asked.
func (g *guarded) asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.seen)
}

// leaked reports which of the secrets appeared in any header.
func (g *guarded) leaked(secrets ...string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, h := range g.seen {
		for _, s := range secrets {
			if strings.Contains(fmt.Sprint(h), s) {
				return fmt.Sprint(h)
			}
		}
	}
	return ""
}

func serve(t *testing.T, h http.Handler) *httptest.Server {
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

func secret(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func reach(t *testing.T, url string, o instance.HTTPOptions) *instance.HTTP {
	t.Helper()
	h, err := instance.NewHTTPWith(url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.CloseIdle)
	return h
}

func describes(t *testing.T, h *instance.HTTP) casefile.Target {
	t.Helper()
	d, err := h.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCredentials(t *testing.T) {
	for _, c := range []struct {
		name string
		o    instance.HTTPOptions
		user string
		ok   func(*http.Request) bool
	}{
		{"header", instance.HTTPOptions{Header: http.Header{"X-Api-Key": {"s3cret"}}}, "",
			func(r *http.Request) bool { return r.Header.Get("X-Api-Key") == "s3cret" }},
		{"header file", instance.HTTPOptions{HeaderFile: secret(t,
			"# of the gateway\nx-api-key: s3cret\n\nX-Tenant: a: b")}, "",
			func(r *http.Request) bool {
				return r.Header.Get("X-Api-Key") == "s3cret" && r.Header.Get("X-Tenant") == "a: b"
			}},
		{"bearer", instance.HTTPOptions{BearerFile: secret(t, " s3cret\n")}, "",
			func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer s3cret" }},
		{"host", instance.HTTPOptions{Header: http.Header{"Host": {"shop.internal"}}}, "",
			func(r *http.Request) bool { return r.Host == "shop.internal" }},
		{"basic", instance.HTTPOptions{}, "ann:s3cret@", func(r *http.Request) bool {
			user, password, _ := r.BasicAuth()
			return user == "ann" && password == "s3cret"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			srv := serve(t, &guarded{ok: c.ok})
			if _, err := newHTTP(t, srv.URL).Describe(t.Context()); err == nil ||
				!strings.Contains(err.Error(), "--bearer-file") {
				t.Errorf("without credentials the error is %v; want the flags that mend it", err)
			}
			h := reach(t, strings.Replace(srv.URL, "http://", "http://"+c.user, 1), c.o)
			h.PrometheusURL = "/metrics"
			d := describes(t, h)
			for _, kind := range []string{casefile.Heap, casefile.Metrics, casefile.Prometheus} {
				if _, err := h.Capture(t.Context(), kind, 0); err != nil {
					t.Errorf("%s: %v", kind, err)
				}
			}
			source, err := h.Expvar("/debug/vars", "jobs")
			if err == nil {
				err = source.Read(t.Context(), make([]float64, 1))
			}
			if err != nil {
				t.Errorf("expvar: %v", err)
			}
			if shown := fmt.Sprint(d, h.URL(), h.Absent()); strings.Contains(shown, "s3cret") {
				t.Errorf("a secret is shown: %s", shown)
			}
		})
	}
}

// Tokens rotate: the file is read again each time, and while it is missing for a moment the last token is used.
func TestRotatedToken(t *testing.T) {
	var want string
	var mu sync.Mutex
	srv := serve(t, &guarded{ok: func(r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		return r.Header.Get("Authorization") == "Bearer "+want
	}})
	path := secret(t, "first")
	want = "first"
	h := reach(t, srv.URL, instance.HTTPOptions{BearerFile: path})
	describes(t, h)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	describes(t, h)
	if err := os.WriteFile(path, []byte("second"), 0o600); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	want = "second"
	mu.Unlock()
	describes(t, h)
}

// Secrets go only to the origin that they were given for.
func TestSecretsStayWithTheirHost(t *testing.T) {
	stranger := &guarded{}
	other := serve(t, stranger)
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusFound)
	}))
	o := instance.HTTPOptions{Header: http.Header{"X-Api-Key": {"s3cret"}}, BearerFile: secret(t, "t0ken")}
	h := reach(t, strings.Replace(srv.URL, "http://", "http://ann:passw0rd@", 1)+"/debug/pprof/?token=qu3ry", o)
	for _, ask := range []func() error{
		func() error { _, err := h.Describe(t.Context()); return err },
		func() error { _, err := h.Capture(t.Context(), casefile.Heap, 0); return err },
		func() error { return expvarOf(t, h, srv.URL).Read(t.Context(), make([]float64, 1)) },
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "redirects to "+other.URL) ||
			strings.Contains(err.Error(), "qu3ry") {
			t.Errorf("the error is %v; want it to say where it was sent", err)
		}
	}
	if n := stranger.asked(); n != 0 {
		t.Errorf("another host was asked %d times", n)
	}
	direct := reach(t, other.URL, instance.HTTPOptions{})
	describes(t, direct)
	named := reach(t, srv.URL, o)
	named.PrometheusURL = elsewhere + "/metrics"
	if _, err := named.Capture(t.Context(), casefile.Prometheus, 0); err != nil {
		t.Error(err)
	}
	if source, err := named.Expvar(elsewhere, "jobs"); err != nil {
		t.Error(err)
	} else if err := source.Read(t.Context(), make([]float64, 1)); err != nil {
		t.Error(err)
	}
	if h := stranger.leaked("s3cret", "t0ken", "passw0rd", "qu3ry"); h != "" {
		t.Errorf("another host was sent a secret: %s", h)
	}
	named.PrometheusURL = other.URL + "/metrics" // another port of the same host, which a person has named
	if _, err := named.Capture(t.Context(), casefile.Prometheus, 0); err != nil {
		t.Error(err)
	}
	if stranger.leaked("s3cret") == "" {
		t.Error("a page on the target's host was asked without the credentials for that host")
	}
}

func expvarOf(t *testing.T, h *instance.HTTP, url string) vitals.Source {
	t.Helper()
	s, err := h.Expvar(url+"/debug/vars", "jobs")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The page of pprof.Index as services mount it, by the address that people use for it.
func TestIndexAnywhere(t *testing.T) {
	index := http.HandlerFunc(pprof.Index)
	token := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("token") != "x" {
			http.Error(w, "no token", http.StatusForbidden)
			return
		}
		pprof.Index(w, r)
	})
	mux := http.NewServeMux()
	mux.Handle("/debug/pprof/", index)
	mux.Handle("/admin/pprof/", index)
	mux.Handle("/admin/pprof/heap", pprof.Handler("heap"))
	mux.Handle("/svc/debug/pprof/", http.StripPrefix("/svc", token))
	mux.Handle("/strict", index) // frameworks that treat a path with a slash as another one
	mux.Handle("/strict/heap", pprof.Handler("heap"))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "<html>the shop: goroutine mugs</html>")
	})
	srv := serve(t, mux)
	for _, c := range []struct{ given, found string }{
		{"", "/debug/pprof/"}, {"/", "/debug/pprof/"}, {"/debug/pprof", "/debug/pprof/"},
		{"/debug/pprof/heap?debug=1", "/debug/pprof/"},
		{"/admin/pprof/", "/admin/pprof/"}, {"/admin/pprof", "/admin/pprof/"},
		{"/svc/debug/pprof/?token=x", "/svc/debug/pprof/"},
		{"/svc?token=x", "/svc/debug/pprof/"}, {"/strict", "/strict/"}, {"/nothing/here", "/debug/pprof/"},
	} {
		h := reach(t, srv.URL+c.given, instance.HTTPOptions{})
		describes(t, h)
		if got := strings.TrimPrefix(h.URL(), srv.URL); got != c.found {
			t.Errorf("%q: found at %s, want %s", c.given, got, c.found)
		}
		if _, err := h.Capture(t.Context(), casefile.Heap, 0); err != nil {
			t.Errorf("%q: %v", c.given, err)
		}
	}
	_, err := reach(t, srv.URL+"/svc", instance.HTTPOptions{}).Describe(t.Context())
	if err != nil {
		t.Errorf("/svc is refused and /debug/pprof/ is there: %v", err)
	}
}

func TestIndexNowhere(t *testing.T) {
	srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/admin/pprof/debug") {
			http.Error(w, "", http.StatusForbidden)
			return
		}
		if r.URL.Path == "/admin/pprof/" {
			fmt.Fprint(w, "<html>the shop</html>")
			return
		}
		http.NotFound(w, r)
	}))
	_, err := reach(t, srv.URL+"/admin/pprof/", instance.HTTPOptions{}).Describe(t.Context())
	if err == nil {
		t.Fatal("a shop is a pprof index")
	}
	for _, want := range []string{"/admin/pprof/debug/pprof/ answered 403", "/admin/pprof/ is another page",
		"/debug/pprof/ answered 404", "--cert"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in %v", want, err)
		}
	}
	var status *instance.StatusError
	if !errors.As(err, &status) {
		t.Error("the answers are not in the error")
	}
}

func TestUnixSocket(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks for the process in /proc")
	}
	dir, err := os.MkdirTemp("", "s") // a socket's path may have 107 characters
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "shop.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	g := &guarded{ok: func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer s3cret" }}
	srv := &http.Server{Handler: g}
	go func() { _ = srv.Serve(l) }()
	defer srv.Close()
	o := instance.HTTPOptions{BearerFile: secret(t, "s3cret")}
	for _, url := range []string{"unix://" + socket, "unix://" + socket + ":/debug/pprof/"} {
		h := reach(t, url, o)
		d := describes(t, h)
		if d.PID != os.Getpid() || d.URL != "unix://"+socket+":/debug/pprof/" {
			t.Errorf("%s is described as %+v; want this process", url, d)
		}
		h.PrometheusURL = "/metrics"
		for _, kind := range []string{casefile.Heap, casefile.Metrics, casefile.Prometheus} {
			if _, err := h.Capture(t.Context(), kind, 0); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
		client, page, err := h.PageClient("/metrics")
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Get(page); err != nil || resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %v, %v", page, resp, err)
		} else {
			_ = resp.Body.Close()
		}
	}
	_, err = reach(t, "unix://"+socket+"x", o).Describe(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("of a socket that is not there: %v", err)
	}
}

// An authority that signs certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	a := &authority{}
	a.cert, a.key, a.pem, _ = a.sign(t, "authority")
	return a
}

// sign makes a certificate. The first one signs itself.
func (a *authority) sign(t *testing.T, name string) (*x509.Certificate, *ecdsa.PrivateKey, []byte, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(time.Hour), IsCA: a.cert == nil, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw})
}

// A server that asks for client certificates, reached with the right files, with wrong ones and with none.
func TestClientCertificates(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	_, _, serverPEM, serverKey := ca.sign(t, "server")
	_, _, clientPEM, clientKey := ca.sign(t, "client")
	pair, err := tls.X509KeyPair(serverPEM, serverKey)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(ca.cert)
	srv := httptest.NewUnstartedServer(&guarded{})
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequireAndVerifyClientCert,
		ClientCAs: pool}
	srv.Config.ErrorLog = discardLog()
	srv.StartTLS()
	defer srv.Close()
	caFile, both := secret(t, string(ca.pem)), secret(t, string(clientPEM)+string(clientKey))
	for _, c := range []struct {
		name string
		o    instance.HTTPOptions
		want string
	}{
		{"all", instance.HTTPOptions{CAFile: caFile, CertFile: secret(t, string(clientPEM)),
			KeyFile: secret(t, string(clientKey))}, ""},
		{"one file", instance.HTTPOptions{CAFile: caFile, CertFile: both}, ""},
		{"any server", instance.HTTPOptions{Insecure: true, CertFile: both}, ""},
		{"no authority", instance.HTTPOptions{CertFile: both}, "--ca FILE"},
		{"another authority", instance.HTTPOptions{CAFile: secret(t, string(stranger.pem)), CertFile: both}, "--ca FILE"},
		{"no certificate", instance.HTTPOptions{CAFile: caFile}, "--cert FILE --key FILE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reach(t, srv.URL, c.o).Describe(t.Context())
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
		})
	}
	plain := serve(t, &guarded{})
	for url, want := range map[string]string{
		strings.Replace(srv.URL, "https:", "http:", 1):        "use https://",
		strings.Replace(plain.URL, "http:", "https:", 1):      "use http://",
		strings.Replace(srv.URL, "127.0.0.1", "localhost", 1): "by a name that its certificate has",
	} {
		if _, err := reach(t, url, instance.HTTPOptions{CAFile: caFile, CertFile: both}).Describe(t.Context()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", url, err, want)
		}
	}
}

// A certificate that is replaced on disk is used from the next request on.
func TestRotatedAuthority(t *testing.T) {
	ca, old := newAuthority(t), newAuthority(t)
	_, _, serverPEM, serverKey := ca.sign(t, "server")
	pair, err := tls.X509KeyPair(serverPEM, serverKey)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(&guarded{})
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	srv.Config.ErrorLog = discardLog()
	srv.StartTLS()
	defer srv.Close()
	file := secret(t, string(old.pem))
	h := reach(t, srv.URL, instance.HTTPOptions{CAFile: file})
	if _, err := h.Describe(t.Context()); err == nil {
		t.Fatal("a server of another authority is trusted")
	}
	if err := os.WriteFile(file, append(ca.pem, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	describes(t, h)
}

func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }

// Allow is asked with the address that a name stands for, of the target and of pages beside it.
func TestAllow(t *testing.T) {
	var conns atomic.Int64
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ConnState = func(net.Conn, http.ConnState) { conns.Add(1) }
	srv.Start()
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	var asked atomic.Value
	o := instance.HTTPOptions{Allow: func(a netip.Addr) error {
		asked.Store(a)
		return errors.New("not that one")
	}}
	for _, url := range []string{srv.URL, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port} {
		h := reach(t, url, o)
		_, err := h.Describe(t.Context())
		if err == nil || !strings.Contains(err.Error(), "not that one") {
			t.Errorf("%s: %v", url, err)
		}
		if a, ok := asked.Load().(netip.Addr); !ok || !a.IsLoopback() {
			t.Errorf("%s: asked about %v", url, a)
		}
		client, page, err := h.PageClient("http://127.0.0.1:" + port + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Get(page); err == nil {
			resp.Body.Close()
			t.Errorf("%s: the page beside it was asked", url)
		}
	}
	if n := conns.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}
