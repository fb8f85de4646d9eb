package cli_test

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/kube/kubetest"
	"github.com/gocasebook/casebook/casefile"
)

// asPod is a process of this machine as a pod.
func asPod(t *testing.T, namespace, name, address string, annotations map[string]string) kubetest.Object {
	t.Helper()
	host, port, err := net.SplitHostPort(strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	notes := map[string]string{"profiles.grafana.com/cpu.scrape": "true", "profiles.grafana.com/cpu.port": port}
	for name, value := range annotations {
		notes[name] = value
	}
	return kubetest.Pod(namespace, name, host, notes, n)
}

// Pods that say where their profiles are become targets, with their own rules; their cases are told on the pod, and
// what goes is not watched any more.
func TestWatchKubernetes(t *testing.T) {
	s := kubetest.New(t)
	t.Setenv("KUBECONFIG", s.Kubeconfig(t))
	rules, dir := write(t, "any.json", anyRule), t.TempDir()
	cart, other, silent := start(t), start(t), start(t)
	s.Put(asPod(t, "shop", "cart-0", cart, map[string]string{"gocasebook.github.io/rules": "any.json",
		"gocasebook.github.io/budget": "cpu=20s"}))
	s.Put(asPod(t, "other", "x-0", other, nil))
	s.Put(asPod(t, "shop", "silent-0", silent, map[string]string{"profiles.grafana.com/cpu.scrape": "false"}))
	b := begin(t, dir, "watch", "--kubernetes", "--namespace", "shop", "--rules-dir", filepath.Dir(rules), "--json",
		"--interval", "200ms", "--profile", "1s", "--label", "zone=eu-1")
	b.await(t, `"event":"case"`)
	eventually(t, "both events", func() bool { return len(s.Events()) >= 2 })
	s.Put(asPod(t, "shop", "new-0", other, nil))
	b.await(t, `"name":"new-0"`)
	s.Delete("shop/cart-0")
	b.await(t, "target is not watched any more")
	b.stop(t).want(t, 0)

	list, err := casefile.Dir(filepath.Join(dir, "casebook-cases")).List()
	if err != nil || len(list) == 0 {
		t.Fatalf("%d cases, %v", len(list), err)
	}
	c := list[0].Case
	if c.Trigger.Rule != "any" || c.Target.Name != "cart-0" {
		t.Errorf("the case is of %q by rule %q", c.Target.Name, c.Trigger.Rule)
	}
	var reasons []string
	for _, e := range s.Events() {
		about := e["involvedObject"].(kubetest.Object)
		reasons = append(reasons, e["reason"].(string))
		if about["name"] != "cart-0" || about["uid"] != "uid-of-shop-cart-0" {
			t.Errorf("the event is about %v", about)
		}
	}
	if !slices.Equal(reasons[:2], []string{"CaseOpened", "CaseDiagnosed"}) {
		t.Errorf("the events are %v", reasons)
	}
	for _, r := range s.Requests() {
		if r.Path != "/api/v1/namespaces/shop/pods" && r.Path != "/api/v1/namespaces/shop/events" {
			t.Errorf("the API server was asked for %s", r.Path)
		}
	}
	if said, _ := b.text(); strings.Contains(said, strings.TrimPrefix(silent, "http://")) {
		t.Errorf("%s, which does not want it, was watched", silent)
	}
}

func eventually(t *testing.T, what string, test func() bool) {
	t.Helper()
	for late := time.Now().Add(patience); !test(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

// A pod is diagnosed, captured and examined from a laptop, through the API server.
func TestPodFromOutside(t *testing.T) {
	s := kubetest.New(t)
	t.Setenv("KUBECONFIG", s.Kubeconfig(t))
	s.Backend("shop/cart-0:6060", start(t))
	dir := t.TempDir()
	r := casebook(t, dir, "capture", "--before", "1s", "--profile", "1s", "k8s://shop/cart-0:6060")
	if r.code == 2 {
		t.Fatalf("capture: %s%s", r.out, r.errors)
	}
	if c := onlyCase(t, filepath.Join(dir, "casebook-cases")).Case; !slices.ContainsFunc(c.Evidence,
		func(e casefile.Evidence) bool { return e.Kind == casefile.Heap }) {
		t.Errorf("the case has %+v", c.Evidence)
	}
	if r := casebook(t, dir, "diagnose", "--profile", "1s", "k8s://shop/cart-0:6060"); r.code == 2 {
		t.Errorf("diagnose: %s%s", r.out, r.errors)
	}
	casebook(t, dir, "doctor", "k8s://shop/cart-0:6060").want(t, 0, "next  casebook watch k8s://shop/cart-0:6060", "not seen through the API server")
	for _, r := range s.Requests() {
		if !strings.HasPrefix(r.Path, "/api/v1/namespaces/shop/pods/cart-0:6060/proxy/") {
			t.Errorf("the API server was asked for %s", r.Path)
		}
	}
}

// Wrong words of the command line are refused with the next step.
func TestKubernetesFlags(t *testing.T) {
	config := write(t, "config", "current-context: eks\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n"+
		"users: [{name: u, user: {exec: {command: aws}}}]\ncontexts: [{name: eks, context: {cluster: c, user: u}}]\n")
	t.Setenv("KUBECONFIG", config)
	file := write(t, "watch.yaml", "kubernetes: true\ntargets: [localhost:6060]\n")
	for words, want := range map[string]string{
		"watch --namespace shop localhost:6060":                                "--kubernetes, which is not given",
		"watch --kubernetes localhost:6060":                                    "finds its targets itself",
		"watch --kubernetes --bearer-file x":                                   "would be sent to whoever annotates a pod",
		"watch --kubernetes --once":                                            "runs until it is ended",
		"watch --kubernetes --service shop":                                    "--service is of one target",
		"watch --kubernetes --cases-per-node 0":                                "must be positive",
		"watch --kubernetes --namespace ../x":                                  "start kubectl proxy",
		"watch --kubernetes":                                                   "start kubectl proxy",
		"watch --kubernetes --kube-server http://10.0.0.1:80":                  "not on this machine",
		"watch --kubernetes --kube-server https://127.0.0.1:1":                 "not the address of a kubectl proxy",
		"watch --kubernetes --kube-server http://127.0.0.1:1 --namespace ../x": "is not the name of a namespace",
		"watch --kubernetes --kube-server http://127.0.0.1:1 --peers app=x":    "fields Self and PeersIn",
		"watch --kubernetes --allow x":                                         "is not a network",
		"watch --config " + file:                                               "kubernetes is for the command line",
		"serve --kubernetes":                                                   "need --store",
		"diagnose k8s://shop/cart-0:6060":                                      "start kubectl proxy",
		"diagnose k8s://shop/cart-0":                                           "names no port",
		"diagnose k8s://shop/cart-0:6060?context=prod":                         "its contexts are eks",
		"capture --bearer-file x k8s://shop/cart-0:6060":                       "port-forward",
		"doctor k8s://shop/cart-0:6060":                                        "start kubectl proxy",
	} {
		r := inProcess(t, strings.Fields(words)...)
		if r.code != 2 || !strings.Contains(r.errors, want) {
			t.Errorf("casebook %s: exit code %d, %s; want 2 and %q", words, r.code, r.errors, want)
		}
	}
}

// A server watches pods beside its other targets.
func TestServeKubernetes(t *testing.T) {
	s := kubetest.New(t)
	t.Setenv("KUBECONFIG", s.Kubeconfig(t))
	pod, beside := start(t), start(t)
	s.Put(asPod(t, "shop", "cart-0", pod, nil))
	url, end := served(t, "--store", t.TempDir(), "--target", beside, "--kubernetes")
	var got struct {
		Targets []struct {
			Service, URL, State string
			Labels              map[string]string
		}
	}
	eventually(t, "both targets", func() bool {
		got.Targets = nil
		get(t, url+"api/v1/targets", &got)
		n := 0
		for _, x := range got.Targets {
			if x.State == "watched" {
				n++
			}
		}
		return n == 2
	})
	for _, x := range got.Targets {
		if x.URL == pod+"/debug/pprof/" && (x.Service != "cart-0" || fmt.Sprint(x.Labels) !=
			"map[container:app namespace:shop node:worker-1 pod:cart-0]") {
			t.Errorf("the pod is %+v", x)
		}
	}
	end()
}
