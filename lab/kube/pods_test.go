package kube

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/gocasebook/casebook/app/kube"
	"github.com/gocasebook/casebook/app/kube/kubetest"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// clientOf is Casebook's client with a token.
func (c *cluster) clientOf(t *testing.T, token string) *kube.Client {
	client := kube.NewClient(kube.Cluster{Server: c.Server, TLS: c.tls, Token: token, From: "a test"}, "casebook test")
	t.Cleanup(client.Close)
	return client
}

// find runs a finder until the test ends.
func find(t *testing.T, cfg kube.FinderConfig) *kube.Finder {
	t.Helper()
	if cfg.Serves == nil {
		cfg.Serves = func(context.Context, string) bool { return true }
	}
	f, err := kube.NewFinder(cfg)
	if err != nil {
		t.Fatal(err)
	}
	kubetest.Background(t, f.Run)
	return f
}

// await waits until a finder finds endpoints.
func await(t *testing.T, f *kube.Finder, what string, test func([]kube.Endpoint) bool) []kube.Endpoint {
	t.Helper()
	var list []kube.Endpoint
	var err error
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(10 * time.Millisecond) {
		if list, err = f.Endpoints(); err == nil && test(list) {
			return list
		}
	}
	t.Fatalf("waited in vain for %s; found %v, %v", what, list, err)
	return nil
}

// recorded are the pods of app/kube/testdata, each in a namespace for this test, with the fields that an API server wants.
func recorded(t *testing.T) (pods []object) {
	t.Helper()
	files, err := filepath.Glob("../../app/kube/testdata/pods/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatal("the pods are not there:", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p object
		if err := yaml.Unmarshal(text, &p); err != nil {
			t.Fatal(err)
		}
		m := meta(p)
		m["labels"] = object{"from": strings.TrimSuffix(filepath.Base(file), ".yaml")}
		m["namespace"] = "recorded"
		for _, name := range []string{"uid", "deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences"} {
			delete(m, name)
		}
		spec := p["spec"].(object)
		for _, list := range []string{"containers", "initContainers"} {
			containers, _ := spec[list].([]any)
			for _, one := range containers {
				one.(object)["image"] = "example"
			}
		}
		for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
			statuses, _ := p["status"].(object)[list].([]any)
			for _, one := range statuses {
				s := one.(object)
				s["image"], s["imageID"] = "example", "example"
				for _, name := range []string{"ready", "restartCount"} {
					if s[name] == nil {
						s[name] = map[string]any{"ready": false, "restartCount": 0}[name]
					}
				}
			}
		}
		pods = append(pods, p)
	}
	return pods
}

// Pods as others write them go through a real API server, and what is found comes and goes with them.
func TestRecordedPods(t *testing.T) {
	c, token := account(t)
	c.namespace(t, "recorded")
	f := find(t, kube.FinderConfig{Client: c.clientOf(t, token), Namespaces: []string{"recorded"}})
	want := 0
	for _, p := range recorded(t) {
		c.pod(t, p)
		if strings.HasPrefix(meta(p)["labels"].(object)["from"].(string), "found-") {
			want++
		}
	}
	want++ // two-containers has two
	// not-terminating is deleted here: an API server takes no deletionTimestamp.
	c.must(t, http.MethodDelete, "/api/v1/namespaces/recorded/pods/cart-6b8f5c9d7f-2v5nm", nil)
	list := await(t, f, "all that are to be found, without the one that is being deleted", func(l []kube.Endpoint) bool {
		return len(l) == want &&
			!slices.ContainsFunc(l, func(e kube.Endpoint) bool { return strings.HasPrefix(e.Pod, "cart-") })
	})
	pods := make(map[string]bool)
	for _, e := range list {
		pods[e.Pod] = true
	}
	if len(pods) != want-1 {
		t.Errorf("found %v", pods)
	}
	c.must(t, http.MethodDelete, "/api/v1/namespaces/recorded/pods/pyroscope-0?gracePeriodSeconds=0", nil)
	await(t, f, "one less", func(l []kube.Endpoint) bool { return len(l) == want-1 })
	if s := f.Stats(); s.Lists != 1 {
		t.Errorf("%+v; want one list: the rest came by the watch", s)
	}
}

// address is one of this machine that an API server asks: not a loopback one.
func address(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback ones, which an API server does not ask for a pod")
	return ""
}

// serve serves profiles at an address, and is the port.
func serve(t *testing.T, host string, heard func(http.Header)) int {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, r *http.Request) {
		heard(r.Header)
		pprof.Index(w, r)
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().(*net.TCPAddr).Port
}

// podAt is a pod that runs at an address.
func podAt(namespace, name, ip string, port int) object {
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"namespace": namespace, "name": name,
		"annotations": object{"profiles.grafana.com/cpu.scrape": "true",
			"profiles.grafana.com/cpu.port": fmt.Sprint(port)}},
		"spec": object{"nodeName": "worker-1", "containers": []any{object{"name": "app", "image": "example"}}},
		"status": object{"phase": "Running", "podIP": ip, "podIPs": []any{object{"ip": ip}},
			"containerStatuses": []any{object{"name": "app", "image": "example", "imageID": "example", "ready": true,
				"restartCount": 0, "state": object{"running": object{"startedAt": "2026-11-28T09:00:00Z"}}}}}}
}

// k8s:// goes through the real API server's proxy, with no more than the role for laptops; the pod hears no token, and
// another namespace is refused. An event is one that kubectl describe looks for.
func TestProxyAndEvents(t *testing.T) {
	c, token := account(t)
	c.namespace(t, "shop")
	c.namespace(t, "other")
	var mu sync.Mutex
	tokens := 0
	host := address(t)
	port := serve(t, host, func(h http.Header) {
		mu.Lock()
		defer mu.Unlock()
		if h.Get("Authorization") != "" {
			tokens++
		}
	})
	c.pod(t, podAt("shop", "cart-0", host, port))
	c.pod(t, podAt("other", "x-0", host, port))
	text, err := os.ReadFile(deploy + "laptop-role.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c.apply(t, documents(t, text))
	c.apply(t, []object{{"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
		"metadata": object{"name": "ann", "namespace": "shop"},
		"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "casebook-pods"},
		"subjects": []any{object{"kind": "User", "name": "ann", "apiGroup": "rbac.authorization.k8s.io"}}}})
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, fmt.Appendf(nil, `current-context: test
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: ann, user: {token: token-of-ann}}]
contexts: [{name: test, context: {cluster: test, user: ann}}]
`, c.Server, c.CA), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("KUBECONFIG", config)
	sample := func(address string) error {
		url, o, err := kube.Proxy(address, instance.HTTPOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := instance.NewHTTPWith(url, o)
		if err != nil {
			t.Fatal(err)
		}
		defer p.CloseIdle()
		s := vitals.NewSample(time.Now())
		return p.Sample(t.Context(), &s)
	}
	allowed := func() bool { return sample(fmt.Sprintf("k8s://shop/cart-0:%d", port)) == nil }
	for late := time.Now().Add(patience); !allowed(); time.Sleep(50 * time.Millisecond) { // RBAC hears of roles by a watch
		if time.Now().After(late) {
			t.Fatal(sample(fmt.Sprintf("k8s://shop/cart-0:%d", port)))
		}
	}
	if err := sample(fmt.Sprintf("k8s://other/x-0:%d", port)); err == nil || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("the pod of another namespace: %v; want it forbidden", err)
	}
	if err := sample("k8s://shop/cart-0:1"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a port where nobody listens: %v", err)
	}
	mu.Lock()
	if tokens != 0 {
		t.Errorf("the pod heard %d tokens", tokens)
	}
	mu.Unlock()

	f := find(t, kube.FinderConfig{Client: c.clientOf(t, token), Namespaces: []string{"shop"}})
	list := await(t, f, "the pod", func(l []kube.Endpoint) bool { return len(l) == 1 })
	if err := c.clientOf(t, token).Tell(t.Context(), kube.Notice{Endpoint: list[0], Reason: "CaseOpened", Warning: true,
		Text: "heap-quadruples", Time: time.Now()}, "casebook-0"); err != nil {
		t.Fatal(err)
	}
	got := c.must(t, http.MethodGet, "/api/v1/namespaces/shop/events?fieldSelector=involvedObject.name=cart-0,"+
		"involvedObject.uid="+list[0].UID, nil)
	items := got["items"].([]any)
	if len(items) != 1 || items[0].(object)["reason"] != "CaseOpened" {
		t.Errorf("the events of the pod are %v", items)
	}
}

// manyPods makes n pods, some at a time.
func (c *cluster) manyPods(t *testing.T, n int, pod func(int) object) {
	t.Helper()
	work := make(chan int)
	errs := make(chan error, 1)
	var makers sync.WaitGroup
	for range 16 {
		makers.Go(func() {
			for i := range work {
				if err := c.tryPod(pod(i)); err != nil {
					select {
					case errs <- err:
					default:
					}
				}
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	makers.Wait()
	select {
	case err := <-errs:
		t.Fatal(err)
	default:
	}
}

// many is how many pods a large cluster has.
const many = 5000

// Five thousand pods: what is kept of them, what is asked of the API server, and how long it takes until they are known.
func TestFiveThousandPods(t *testing.T) {
	c, token := account(t)
	c.namespace(t, "many")
	began := time.Now()
	c.manyPods(t, many, func(i int) object {
		return podAt("many", fmt.Sprintf("svc-%04d-%04d", i/25, i),
			fmt.Sprintf("10.%d.%d.%d", 20+i/62500, i/250%250, i%250+1), 6060)
	})
	t.Logf("%d pods were made in %s", many, time.Since(began).Round(time.Second))

	before := live()
	began = time.Now()
	cfg := kube.FinderConfig{Client: c.clientOf(t, token), Namespaces: []string{"many"}}
	f := find(t, cfg)
	await(t, f, "all pods", func(l []kube.Endpoint) bool { return len(l) == many })
	t.Logf("known after %s, with %.1f MiB of live heap: %+v", time.Since(began).Round(time.Millisecond),
		float64(live()-before)/(1<<20), f.Stats())

	began = time.Now()
	c.pod(t, podAt("many", "late-0", "10.99.0.1", 6060))
	made := time.Since(began)
	await(t, f, "one more", func(l []kube.Endpoint) bool {
		return slices.ContainsFunc(l, func(e kube.Endpoint) bool { return e.Pod == "late-0" })
	})
	t.Logf("one more pod: made in %s, known after %s", made.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
	if s := f.Stats(); s.Lists != 1 || s.Watches != 1 || s.Kept != many+1 {
		t.Errorf("%+v; want one list and one watch", s)
	}
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
