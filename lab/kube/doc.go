// Package kube holds Casebook's Kubernetes support to a real kube-apiserver and etcd, which module server builds.
//
// The problem: a stand-in for an API server is right only as far as its author has read. The approach: `make kube` builds
// the API server from the module proxy, and the tests here make pods with their status, as a kubelet would, and ask what
// Casebook asks: lists, watches, the proxy to pods, events. Manifests are created, with unknown fields refused, and what
// their account may and may not do is tried. The limits: no kubelet, no scheduler, no network policies in force.
package kube
