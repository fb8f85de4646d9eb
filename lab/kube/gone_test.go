package kube

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/app/kube"
)

// uncached is another, over an etcd of its own, which asks that for every list and watch: what etcd has forgotten, it
// does not know.
var uncached = sync.OnceValues(func() (*cluster, error) { return launch("--watch-cache=false") })

// compact makes etcd forget all versions but the newest.
func (c *cluster) compact(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(c.in, "compact\n"); err != nil {
		t.Fatal(err)
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("etcd knows no version before %s", strings.TrimSpace(line))
}

// A way leads to a real API server. A test can hold what is on it, break it, and let it lead to another server.
type way struct {
	*httptest.Server
	before func(*http.Request) // sees each request before it is passed on

	mu   sync.Mutex // guards what follows
	to   *cluster
	live context.Context
	end  context.CancelFunc // breaks what is on its way
}

func newWay(t *testing.T, c *cluster, before func(*http.Request)) *way {
	t.Helper()
	w := &way{before: before, to: c}
	w.live, w.end = context.WithCancel(t.Context())
	proxy := &httputil.ReverseProxy{Transport: w, FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) { w.before(r.Out) }}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		live := w.live
		w.mu.Unlock()
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(live, cancel)()
		proxy.ServeHTTP(rw, r.WithContext(ctx))
	}))
	t.Cleanup(w.Close)
	return w
}

// RoundTrip asks the server that the way leads to now.
func (w *way) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	to := w.to
	w.mu.Unlock()
	target, err := url.Parse(to.Server)
	if err != nil {
		return nil, err
	}
	r.URL.Scheme, r.URL.Host, r.Host = target.Scheme, target.Host, target.Host
	return to.client.Transport.RoundTrip(r)
}

// cut breaks what is on its way.
func (w *way) cut(t *testing.T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.live, w.end = context.WithCancel(t.Context())
}

// lead makes requests from now on go to another server.
func (w *way) lead(to *cluster) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = to
}

func (w *way) clientOf(t *testing.T, c *cluster) *kube.Client {
	client := kube.NewClient(kube.Cluster{Server: w.URL, Token: c.Token, From: "a test"}, "casebook test")
	t.Cleanup(client.Close)
	return client
}

// A pause holds requests until it is over.
type pause struct{ begun, over chan struct{} }

func newPause() pause { return pause{make(chan struct{}, 100), make(chan struct{})} }

func (p pause) hold(r *http.Request) {
	select {
	case p.begun <- struct{}{}:
	default:
	}
	select {
	case <-p.over:
	case <-r.Context().Done():
	}
}

// A watch is broken, pods come and go meanwhile, and the API server has forgotten the version that was seen last: one
// without a watch cache because etcd was compacted, one with it because it began later, as after an upgrade of the
// control plane. Both answer 410; pods are listed again, and what is known is what is there.
func TestGone(t *testing.T) {
	for _, tc := range []struct {
		name   string
		start  func() (*cluster, error)
		forget func(*testing.T, *cluster) *cluster // returns the server that is asked from then on
	}{
		{"compacted", uncached, func(t *testing.T, c *cluster) *cluster {
			c.compact(t)
			return c
		}},
		{"restarted", running, func(t *testing.T, c *cluster) *cluster {
			next, err := launch("--etcd-servers=" + c.Etcd)
			if err != nil {
				t.Fatal(err)
			}
			return next
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := startedBy(t, tc.start)
			ns := "gone-" + tc.name
			c.namespace(t, ns)
			for i, name := range []string{"stays", "goes"} {
				c.pod(t, podAt(ns, name, fmt.Sprintf("10.1.0.%d", i), 6060))
			}
			broken := newPause()
			var mu sync.Mutex
			var versions []string // of the watches
			w := newWay(t, c, func(r *http.Request) {
				q := r.URL.Query()
				if q.Get("watch") == "" {
					return
				}
				mu.Lock()
				versions = append(versions, q.Get("resourceVersion"))
				second := len(versions) == 2
				mu.Unlock()
				if second {
					broken.hold(r)
				}
			})
			f := find(t, kube.FinderConfig{Client: w.clientOf(t, c), Namespaces: []string{ns}})
			await(t, f, "two pods", podsAre("goes", "stays"))
			c.pod(t, podAt(ns, "seen", "10.1.0.2", 6060))
			await(t, f, "one by the watch", podsAre("goes", "seen", "stays"))

			w.cut(t)
			<-broken.begun
			c.must(t, http.MethodDelete, "/api/v1/namespaces/"+ns+"/pods/goes?gracePeriodSeconds=0", nil)
			c.pod(t, podAt(ns, "comes", "10.1.0.3", 6060))
			next := tc.forget(t, c)
			w.lead(next)
			mu.Lock()
			old := versions[1]
			mu.Unlock()
			_, text, err := next.as(c.Token, http.MethodGet, "/api/v1/namespaces/"+ns+"/pods?watch=1&timeoutSeconds=5&"+
				"resourceVersion="+old, nil)
			if err != nil || !strings.Contains(string(text), `"code":410`) {
				t.Fatalf("a watch from version %s: %s %v; want 410", old, text, err)
			}
			t.Logf("a watch from version %s: %s", old, strings.TrimSpace(string(text)))
			close(broken.over)
			await(t, f, "what is there", podsAre("comes", "seen", "stays"))
			if s := f.Stats(); s.Lists != 2 {
				t.Errorf("%+v; want a second list", s)
			}
			c.pod(t, podAt(ns, "late", "10.1.0.4", 6060))
			await(t, f, "one by the next watch", podsAre("comes", "late", "seen", "stays"))
			if s := f.Stats(); s.Lists != 2 {
				t.Errorf("%+v; want two lists", s)
			}
		})
	}
}

// podsAre reports whether endpoints are those of pods.
func podsAre(names ...string) func([]kube.Endpoint) bool {
	return func(list []kube.Endpoint) bool {
		var got []string
		for _, e := range list {
			got = append(got, e.Pod)
		}
		slices.Sort(got)
		return slices.Equal(got, names)
	}
}

// The version of a list is forgotten between its two pages: the API server refuses the second with 410, and the list is
// begun again.
func TestGoneBetweenPages(t *testing.T) {
	const ns, n = "gone-pages", 501 // a page has 500
	c := startedBy(t, uncached)
	c.namespace(t, ns)
	c.manyPods(t, n, func(i int) object {
		return podAt(ns, fmt.Sprintf("p-%03d", i), fmt.Sprintf("10.2.%d.%d", i/250, i%250+1), 6060)
	})
	between := newPause()
	var mu sync.Mutex
	pages := 0
	w := newWay(t, c, func(r *http.Request) {
		if r.URL.Query().Get("continue") == "" {
			return
		}
		mu.Lock()
		pages++
		first := pages == 1
		mu.Unlock()
		if first {
			between.hold(r)
		}
	})
	f := find(t, kube.FinderConfig{Client: w.clientOf(t, c), Namespaces: []string{ns}})
	<-between.begun
	c.must(t, http.MethodDelete, "/api/v1/namespaces/"+ns+"/pods/p-000?gracePeriodSeconds=0", nil)
	c.pod(t, podAt(ns, "late", "10.2.9.1", 6060))
	c.compact(t)
	close(between.over)
	list := await(t, f, "all pods", func(l []kube.Endpoint) bool { return len(l) == n })
	has := func(pod string) bool {
		return slices.ContainsFunc(list, func(e kube.Endpoint) bool { return e.Pod == pod })
	}
	if has("p-000") || !has("late") {
		t.Error("what is known is not what is there")
	}
	mu.Lock()
	defer mu.Unlock()
	if s := f.Stats(); s.Lists != 2 || pages != 2 {
		t.Errorf("%+v and %d second pages; want two lists", s, pages)
	}
}
