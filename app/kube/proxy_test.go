package kube

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/kube/kubetest"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"k8s://shop/cart-0:6060":                 "/api/v1/namespaces/shop/pods/cart-0:6060/proxy",
		"k8s://shop/cart-0:6060/admin/pprof/":    "/api/v1/namespaces/shop/pods/cart-0:6060/proxy/admin/pprof/",
		"k8s://shop/https:cart-0:8443":           "/api/v1/namespaces/shop/pods/https:cart-0:8443/proxy",
		"k8s://shop/cart-0:6060?context=prod":    "/api/v1/namespaces/shop/pods/cart-0:6060/proxy",
		"k8s://shop/cart-0":                      "names no port",
		"k8s://shop/cart-0:http":                 "not a port",
		"k8s://shop/:6060":                       "not the name of a pod",
		"k8s:///cart-0:6060":                     "not a namespace",
		"k8s://shop:80/cart-0:6060":              "not a namespace",
		"k8s://shop/Cart-0:6060":                 "not the name of a pod",
		"k8s://shop/..:6060":                     "not the name of a pod",
		"k8s://shop/cart-0:6060/../../secrets":   "not a path",
		"k8s://shop/cart-0:6060/%2e%2e/secrets":  "not a path",
		"k8s://ann:s3cret@shop/cart-0:6060":      "not an address of a pod",
		"k8s://shop/cart-0:6060?token=x":         "means nothing",
		"k8s://shop%2f..%2fkube-system/cart-0:1": "want something like",
	} {
		a, err := ParseAddress(text)
		got := a.root() + a.Path
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) || err == nil && got != want || strings.Contains(got, "s3cret") {
			t.Errorf("%s is %s; want %s", text, got, want)
		}
	}
}

// FuzzParseAddress: what an address leads to, as the API server resolves it, is a page of the pod that it names.
func FuzzParseAddress(f *testing.F) {
	f.Add("k8s://shop/cart-0:6060/admin?context=x")
	f.Add("k8s://shop/https:cart-0:6060/%2e%2e/x#y")
	f.Add("k8s://shop/cart-0:6060/v1..v2/./x/...")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		u, err := url.Parse("https://api:6443" + a.root() + a.Path)
		if err != nil || u.Host != "api:6443" || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("%q leads to %v, %v", text, u, err)
		}
		pod := regexp.MustCompile(`^/api/v1/namespaces/[a-z0-9.-]+/pods/(https:)?[a-z0-9.-]+:[0-9]+/proxy$`)
		if !strings.HasPrefix(path.Clean(u.Path)+"/", a.root()+"/") || !pod.MatchString(a.root()) {
			t.Errorf("%q leads to %s, which is not of the pod", text, u.Path)
		}
		if again, err := ParseAddress(a.String()); err != nil || again.root()+again.Path != a.root()+a.Path {
			t.Errorf("%q is shown as %s, which leads to %s, %v", text, a, again.root()+again.Path, err)
		}
	})
}

// podOf is a process as a pod: its profiles, a redirect out of it, and what it heard.
func podOf(t *testing.T) (address string, heard func() []http.Header) {
	var mu sync.Mutex
	var all []http.Header
	heard = func() []http.Header {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		all = append(all, r.Header.Clone())
		mu.Unlock()
		pprof.Index(w, r)
	})
	mux.HandleFunc("/away/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/../../../../../../api/v1/namespaces/kube-system/secrets", http.StatusFound)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, heard
}

// throughProxy is podOf's process at an address that leads through the API server.
func throughProxy(t *testing.T, at string) (p *instance.HTTP, s *kubetest.Server, heard func() []http.Header) {
	t.Helper()
	s = kubetest.New(t)
	address, heard := podOf(t)
	s.Backend("shop/cart-0:6060", address)
	t.Setenv("KUBECONFIG", s.Kubeconfig(t))
	target, o, err := Proxy(at, instance.HTTPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p, err = instance.NewHTTPWith(target, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.CloseIdle)
	return p, s, heard
}

// A pod is asked through the API server, with the token for that alone; nothing else of the API server is asked.
func TestProxy(t *testing.T) {
	p, s, heard := throughProxy(t, "k8s://shop/cart-0:6060")
	sample := vitals.NewSample(time.Now())
	if err := p.Sample(t.Context(), &sample); err != nil {
		t.Fatal(err)
	}
	if n, ok := sample.Get(vitals.Goroutines); !ok || n < 1 {
		t.Errorf("goroutines are %v, %v", n, ok)
	}
	if len(heard()) == 0 {
		t.Error("the pod heard nothing")
	}
	for _, h := range heard() {
		if h.Get("Authorization") != "" {
			t.Error("the pod heard the token")
		}
	}
	client, metrics, err := p.PageClient("/metrics")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Get(metrics)
	if err == nil {
		err = resp.Body.Close()
	}
	if err != nil {
		t.Error(err)
	}
	for _, r := range s.Requests() {
		if !strings.HasPrefix(r.Path, "/api/v1/namespaces/shop/pods/cart-0:6060/proxy/") {
			t.Errorf("the API server was asked for %s", r.Path)
		}
	}
}

// A pod that redirects elsewhere does not lead the token to other objects.
func TestProxyRedirect(t *testing.T) {
	p, s, _ := throughProxy(t, "k8s://shop/cart-0:6060/away/")
	client, page, err := p.PageClient("/away/")
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := client.Get(page); err == nil {
		_ = resp.Body.Close()
	}
	asked := false
	for _, r := range s.Requests() {
		asked = true
		if !strings.HasPrefix(r.Path, "/api/v1/namespaces/shop/pods/cart-0:6060/proxy/") || strings.Contains(r.Path, "..") {
			t.Errorf("the API server was asked for %s", r.Path)
		}
	}
	if !asked {
		t.Error("the API server was not asked at all")
	}
}

// What the API server says of a pod that does not answer reaches the person.
func TestProxyRefused(t *testing.T) {
	s := kubetest.New(t)
	t.Setenv("KUBECONFIG", s.Kubeconfig(t))
	target, o, err := Proxy("k8s://shop/cart-0:6060", instance.HTTPOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := instance.NewHTTPWith(target, o)
	if err != nil {
		t.Fatal(err)
	}
	defer p.CloseIdle()
	sample := vitals.NewSample(time.Now())
	if err := p.Sample(t.Context(), &sample); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("the error is %v", err)
	}
}

// With kubectl proxy no kubeconfig is read. Credentials of the target are refused.
func TestProxyOptions(t *testing.T) {
	t.Setenv("KUBECONFIG", "/does/not/exist")
	target, o, err := Proxy("k8s://shop/cart-0:6060?server=http://127.0.0.1:8001", instance.HTTPOptions{})
	if err != nil || target != "http://cart-0.shop:6060" || fmt.Sprint(o.Gateway.URL) !=
		"http://127.0.0.1:8001/api/v1/namespaces/shop/pods/cart-0:6060/proxy" || len(o.Header) > 0 {
		t.Errorf("%s, %+v, %v", target, o, err)
	}
	_, _, err = Proxy("k8s://shop/cart-0:6060", instance.HTTPOptions{BearerFile: "x"})
	if err == nil || !strings.Contains(err.Error(), "port-forward") {
		t.Errorf("a token for the pod: %v", err)
	}
	if InPod() {
		t.Skip("this test runs in a pod, which has no need of a kubeconfig")
	}
	_, _, err = Proxy("k8s://shop/cart-0:6060", instance.HTTPOptions{})
	if err == nil || !strings.Contains(err.Error(), "kubectl proxy") {
		t.Errorf("no kubeconfig: %v", err)
	}
	if _, err := os.Stat("/does/not/exist"); err == nil {
		t.Error("there is one")
	}
}
