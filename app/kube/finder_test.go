package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/kube/kubetest"
)

// grafana are annotations of a pod that serves profiles.
var grafana = map[string]string{"profiles.grafana.com/cpu.scrape": "true", "profiles.grafana.com/cpu.port": "6060"}

// finderOf runs a finder until the test ends.
func finderOf(t *testing.T, cfg FinderConfig) *Finder {
	t.Helper()
	if cfg.Serves == nil {
		cfg.Serves = func(context.Context, string) bool { return false }
	}
	f, err := NewFinder(cfg)
	if err != nil {
		t.Fatal(err)
	}
	kubetest.Background(t, f.Run)
	return f
}

// awaitFound waits until a finder finds pods.
func awaitFound(t *testing.T, f *Finder, pods ...string) {
	t.Helper()
	var got []string
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		list, err := f.Endpoints()
		got = nil
		for _, e := range list {
			got = append(got, e.Pod)
		}
		if slices.Sort(got); err == nil && slices.Equal(got, pods) {
			return
		}
	}
	t.Fatalf("found %v; want %v", got, pods)
}

// Two replicas share the nodes, know each other's share, and when one is not ready any more the other has all.
func TestReplicas(t *testing.T) {
	s := kubetest.New(t)
	var all []string
	nodeOf, appOf := make(map[string]string), make(map[string]string)
	for i := range 40 {
		name := fmt.Sprintf("p%02d", i)
		nodeOf[name], appOf[name] = fmt.Sprintf("worker-%d", i%10), fmt.Sprintf("app-%d", i/3)
		p := kubetest.Pod("shop", name, fmt.Sprintf("10.1.0.%d", i), grafana, 6060)
		p["spec"].(kubetest.Object)["nodeName"] = nodeOf[name]
		p["metadata"].(kubetest.Object)["labels"] = kubetest.Object{"app": appOf[name]}
		s.Put(p)
		all = append(all, name)
	}
	s.Put(kubetest.Pod("casebook", "cb-0", "10.1.1.0", nil, 7070))
	s.Put(kubetest.Pod("casebook", "cb-1", "10.1.1.1", nil, 7070))
	for _, name := range []string{"cb-0", "cb-1"} {
		label(s, name, "10.1.1.0", "True")
	}
	var two [2]*Finder
	for i := range two {
		two[i] = finderOf(t, FinderConfig{Client: clientOf(t, s), Self: fmt.Sprintf("cb-%d", i), PeersIn: "casebook",
			Peers: "app=casebook"})
	}
	var shares [2][]string
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		for i := range two {
			list, _ := two[i].Endpoints()
			shares[i] = nil
			for _, e := range list {
				shares[i] = append(shares[i], e.Pod)
			}
		}
		both := slices.Concat(shares[0], shares[1])
		if slices.Sort(both); slices.Equal(both, all) && len(shares[0]) > 0 && len(shares[1]) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the shares are %v and %v", shares[0], shares[1])
		}
	}
	ofNode, ofApp := make(map[string]map[int]bool), make(map[string]map[int]bool)
	for i, share := range shares {
		for _, pod := range share {
			for key, of := range map[string]map[string]map[int]bool{nodeOf[pod]: ofNode, appOf[pod]: ofApp} {
				if of[key] == nil {
					of[key] = make(map[int]bool)
				}
				of[key][i] = true
			}
		}
	}
	for node, replicas := range ofNode {
		if len(replicas) != 1 {
			t.Errorf("%s is watched by %d replicas", node, len(replicas))
		}
	}
	for app, replicas := range ofApp {
		checkParts(t, &two, "shop/"+app, replicas)
	}
	label(s, "cb-1", "10.1.1.1", "False")
	awaitFound(t, two[0], all...)
}

// checkParts checks that the replicas that watch a workload have a part each among these, and among all.
func checkParts(t *testing.T, two *[2]*Finder, workload string, replicas map[int]bool) {
	t.Helper()
	same, all := make(map[Part]bool), make(map[Part]bool)
	for i, f := range two {
		s, a := f.Parts(workload)
		all[a] = true
		if replicas[i] {
			same[s] = true
		}
	}
	for rank := range len(replicas) {
		if !same[Part{rank, len(replicas)}] {
			t.Errorf("%s is watched by %d replicas, with the parts %v", workload, len(replicas), same)
		}
	}
	if !all[Part{0, 2}] || !all[Part{1, 2}] {
		t.Errorf("the parts among all are %v", all)
	}
}

func label(s *kubetest.Server, name, ip, ready string) {
	p := kubetest.Pod("casebook", name, ip, nil, 7070)
	p["metadata"].(kubetest.Object)["labels"] = kubetest.Object{"app": "casebook"}
	p["status"].(kubetest.Object)["conditions"] = []any{kubetest.Object{"type": "Ready", "status": ready}}
	s.Put(p)
}

// Containers that no annotation is sure of are asked, once while they say yes; of several ports one is watched.
func TestAsked(t *testing.T) {
	s := kubetest.New(t)
	prometheus := map[string]string{"prometheus.io/scrape": "true"}
	yes := kubetest.Pod("shop", "yes", "10.1.0.1", prometheus, 9090)
	container := yes["spec"].(kubetest.Object)["containers"].([]any)[0].(kubetest.Object)
	container["ports"] = []any{kubetest.Object{"containerPort": 8080}, kubetest.Object{"containerPort": 9090},
		kubetest.Object{"containerPort": 9091}}
	s.Put(yes)
	s.Put(kubetest.Pod("shop", "no", "10.1.0.2", prometheus, 9090))
	s.Put(kubetest.Pod("shop", "sure", "10.1.0.3", grafana, 6060))
	var mu sync.Mutex
	asked := make(map[string]int)
	f := finderOf(t, FinderConfig{Client: clientOf(t, s), Namespaces: []string{"shop"},
		Serves: func(_ context.Context, url string) bool {
			mu.Lock()
			defer mu.Unlock()
			asked[url]++
			return strings.Contains(url, ":909") && strings.Contains(url, "10.1.0.1")
		}})
	awaitFound(t, f, "sure", "yes")
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(asked)
	}
	for deadline := time.Now().Add(patience); count() < 4 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
	}
	awaitFound(t, f, "sure", "yes")
	mu.Lock()
	defer mu.Unlock()
	for url, n := range asked {
		if n != 1 {
			t.Errorf("%s was asked %d times", url, n)
		}
	}
	if len(asked) != 4 || asked["http://10.1.0.3:6060/debug/pprof/"] != 0 {
		t.Errorf("asked %v; want four addresses of the two pods that Prometheus scrapes", asked)
	}
	list, _ := f.Endpoints()
	for _, e := range list {
		if e.Pod == "yes" && e.URL != "http://10.1.0.1:9090/debug/pprof/" {
			t.Errorf("the pod is watched at %s; want the first port that says yes", e.URL)
		}
	}
}

// Of a container with several ports none is watched before the ports in front of it have answered.
func TestAskedInOrder(t *testing.T) {
	var list []Endpoint
	for _, port := range []string{"8080", "9090", "9091"} {
		list = append(list, Endpoint{UID: "u", Container: "app", URL: "http://10.1.0.1:" + port, Asked: true})
	}
	s := survey{known: make(map[string]*answer)}
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	want := func(ports ...string) {
		t.Helper()
		var got []string
		for _, e := range s.serving(list) {
			got = append(got, strings.TrimPrefix(e.URL, "http://10.1.0.1:"))
		}
		if !slices.Equal(got, ports) {
			t.Errorf("%v serve; want %v", got, ports)
		}
	}
	want()
	s.due(list, now)
	s.learn(list[2], true, now)
	want()
	s.learn(list[0], false, now)
	want()
	s.learn(list[1], true, now)
	want("9090")
	s.learn(list[1], false, now)
	want("9091")
}

// A container that says no is asked again, later each time; one that is gone is forgotten.
func TestAskedAgain(t *testing.T) {
	e := Endpoint{UID: "u", Container: "app", URL: "http://10.1.0.1:9090/debug/pprof/", Asked: true}
	s := survey{known: make(map[string]*answer)}
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	for i, wait := range []time.Duration{0, time.Minute, 2 * time.Minute, 4 * time.Minute} {
		if wait > 0 && len(s.due([]Endpoint{e}, now.Add(wait-time.Second))) != 0 {
			t.Errorf("after %d answers it is asked again before %s", i, wait)
		}
		now = now.Add(wait)
		if len(s.due([]Endpoint{e}, now)) != 1 {
			t.Errorf("after %d answers it is not asked again after %s", i, wait)
		}
		s.learn(e, false, now)
	}
	for range 20 {
		s.learn(e, false, now)
	}
	if len(s.due([]Endpoint{e}, now.Add(time.Hour))) != 1 {
		t.Error("it is asked less often than once an hour")
	}
	s.due(nil, now)
	if len(s.known) != 0 {
		t.Errorf("%d are remembered that are gone", len(s.known))
	}
}

func TestNewFinderRefuses(t *testing.T) {
	serves := func(context.Context, string) bool { return true }
	for want, cfg := range map[string]FinderConfig{
		"Client and Serves":       {},
		"Self and PeersIn":        {Client: &Client{}, Serves: serves, Peers: "app=casebook"},
		"the name of a namespace": {Client: &Client{}, Serves: serves, Namespaces: []string{"../x"}},
	} {
		if _, err := NewFinder(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
