package kube

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/kube"
)

// Three replicas share the nodes of the real API server's pods: each pod has one of them, and so has each node. When
// one is deleted, the others have its nodes, and keep theirs.
func TestReplicas(t *testing.T) {
	const nodes, perNode = 12, 5
	c, token := account(t)
	c.namespace(t, "shared")
	names := []string{"cb-0", "cb-1", "cb-2"}
	for i, name := range names {
		p := podAt("casebook", name, fmt.Sprintf("10.3.255.%d", i+1), 7070)
		m := meta(p)
		delete(m, "annotations")
		m["labels"] = object{"shares": "pods"}
		p["status"].(object)["conditions"] = []any{object{"type": "Ready", "status": "True"}}
		c.pod(t, p)
	}
	c.manyPods(t, nodes*perNode, func(i int) object {
		p := podAt("shared", fmt.Sprintf("svc-%d-%02d", i%7, i), fmt.Sprintf("10.3.0.%d", i+1), 6060)
		p["spec"].(object)["nodeName"] = fmt.Sprintf("worker-%d", i%nodes)
		return p
	})
	finders := make(map[string]*kube.Finder)
	for _, name := range names {
		finders[name] = find(t, kube.FinderConfig{Client: c.clientOf(t, token), Namespaces: []string{"shared"},
			Self: name, PeersIn: "casebook", Peers: "shares=pods"})
	}
	before := awaitShares(t, finders, names, nodes*perNode)
	c.must(t, http.MethodDelete, "/api/v1/namespaces/casebook/pods/cb-1?gracePeriodSeconds=0", nil)
	after := awaitShares(t, finders, []string{"cb-0", "cb-2"}, nodes*perNode)
	moved := 0
	for node, replica := range before {
		if after[node] != replica {
			moved++
			if replica != "cb-1" {
				t.Errorf("%s moved from %s, which stays, to %s", node, replica, after[node])
			}
		}
	}
	t.Logf("%d nodes: %v; %d moved when one replica left", nodes, before, moved)
}

// awaitShares waits until each of n pods is found by one of the replicas, and returns which has which node.
func awaitShares(t *testing.T, finders map[string]*kube.Finder, replicas []string, n int) map[string]string {
	t.Helper()
	var problem string
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(20 * time.Millisecond) {
		of := make(map[string]string)
		var pods []string
		problem = ""
		for _, name := range replicas {
			list, err := finders[name].Endpoints()
			if err != nil {
				problem = err.Error()
			}
			for _, e := range list {
				pods = append(pods, e.Pod)
				if of[e.Node] != "" && of[e.Node] != name {
					problem = fmt.Sprintf("%s is watched by %s and %s", e.Node, of[e.Node], name)
				}
				of[e.Node] = name
			}
		}
		slices.Sort(pods)
		if problem == "" && len(pods) == n && len(slices.Compact(pods)) == n {
			return of
		}
	}
	t.Fatalf("the replicas do not share %d pods: %s", n, problem)
	return nil
}
