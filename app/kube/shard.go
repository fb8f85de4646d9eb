package kube

import (
	"hash/fnv"
	"slices"
)

// Shard reports whether this replica is the one of several that watches a pod. Each replica computes for itself which
// replica's name has the highest hash together with the pod's ID (rendezvous hashing): nobody is elected, and when a
// replica comes or goes only its own share moves. peers may leave self out: a replica that is not ready yet, or that
// cannot see itself, then takes the share that it would have.
//
// Replicas that see different peers for a moment watch a pod twice, or not at all, for as long as that lasts.
func Shard(self string, peers []string, uid string) bool {
	mine := weight(self, uid)
	return !slices.ContainsFunc(peers, func(peer string) bool {
		w := weight(peer, uid)
		return peer != self && (w > mine || w == mine && peer > self)
	})
}

// weight is FNV-1a, spread by the finalizer of MurmurHash3: of names that differ in the last letter alone, FNV's upper
// bits hardly differ.
func weight(peer, uid string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(peer))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write([]byte(uid))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
