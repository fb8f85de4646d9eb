// Package kube is Kubernetes as a source of targets: which containers serve profiles, and how to reach one from
// outside.
//
// The problem: a team's pods already say where their profiles are, in annotations for Alloy, for Coroot or for
// Prometheus. A second list of targets would be wrong after the next deployment. The approach: list and watch pods as
// the API's documentation says (pages, bookmarks, 410 Gone), and read what is there. `Pod.Endpoints` is a pure
// function from a pod to the addresses at which its containers serve profiles; a `Mirror` keeps the answer for each
// pod, and not the pod; `Shard` says which of several replicas watches a node's pods, without a leader. From a laptop
// the API server's proxy to a pod takes the place of its address (`Proxy`).
//
// There is no client-go: it has 40 modules, and Casebook asks for pods and writes events. A token goes to the API
// server alone, never to a pod, and no redirect is followed.
//
// The limits: pods of Linux with an address; one cluster at a time; kubeconfigs with a token or a client certificate.
// Programs that a kubeconfig names for logging in are not run: kubectl proxy is.
package kube
