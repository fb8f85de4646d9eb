package kube

import "hash/fnv"

// Shard reports whether this replica is the one of several that watches what has a key. Each replica computes for
// itself which replica's name has the highest hash together with the key (rendezvous hashing): nobody is elected, and
// when a replica comes or goes only its own share moves. peers may leave self out: a replica that is not ready yet,
// or that cannot see itself, then takes the share that it would have.
//
// Replicas that see different peers for a moment watch a pod twice, or not at all, for as long as that lasts.
func Shard(self string, peers []string, key string) bool { return chosen(self, peers, key) == self }

// chosen is the replica that has a key.
func chosen(self string, peers []string, key string) string {
	best, most := self, weight(self, key)
	for _, peer := range peers {
		if w := weight(peer, key); w > most || w == most && peer > best {
			best, most = peer, w
		}
	}
	return best
}

// A Part says which one this is of several replicas that have a limit together: the Rank-th of so many, from 0. Of is 0
// where there are no replicas.
type Part struct{ Rank, Of int }

// partOf orders replicas differently for each key, so that what cannot be divided falls to another each time.
func partOf(self string, replicas map[string]bool, key string) (p Part) {
	mine := weight(self, key)
	for r := range replicas {
		if w := weight(r, key); r != self && (w > mine || w == mine && r > self) {
			p.Rank++
		}
	}
	p.Of = len(replicas)
	return p
}

// A division is who of several replicas watches what. Replicas share nodes, not pods: what is counted on a node is then
// counted by one of them.
type division struct {
	self     string
	peers    []string
	replicas map[string]bool            // peers and self
	owners   map[string]string          // by node
	watching map[string]map[string]bool // by workload, the replicas that watch a container of it
}

func divide(self string, peers []string) *division {
	d := &division{self: self, peers: peers, replicas: map[string]bool{self: true}, owners: make(map[string]string),
		watching: make(map[string]map[string]bool)}
	for _, p := range peers {
		d.replicas[p] = true
	}
	return d
}

// mine notes who watches a pod, and reports whether this replica does.
func (d *division) mine(pod found) bool {
	who, ok := d.owners[pod.node]
	if !ok {
		who = chosen(d.self, d.peers, pod.node)
		d.owners[pod.node] = who
	}
	for i := range pod.endpoints {
		w := pod.endpoints[i].Workload()
		if d.watching[w] == nil {
			d.watching[w] = make(map[string]bool)
		}
		d.watching[w][who] = true
	}
	return who == d.self
}

// weight is FNV-1a, spread by the finalizer of MurmurHash3: of names that differ in the last letter alone, FNV's upper
// bits hardly differ.
func weight(peer, key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(peer))
	_, _ = h.Write([]byte{0})
	_, _ = h.Write([]byte(key))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
