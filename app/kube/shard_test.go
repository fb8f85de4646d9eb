package kube

import (
	"fmt"
	"testing"
)

func uids(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("6a0f2f0e-5a75-43c9-8c83-%012x", i))
	}
	return all
}

// Each pod has one replica, shares are about equal, and a replica that leaves moves its own share alone.
func TestShard(t *testing.T) {
	peers := []string{"casebook-7d9-aaaaa", "casebook-7d9-aaaab", "casebook-7d9-aaaac", "casebook-7d9-aaaad"}
	owner := func(uid string, peers []string) (owners []string) {
		for _, p := range peers {
			if Shard(p, peers, uid) {
				owners = append(owners, p)
			}
		}
		return owners
	}
	share := make(map[string]int)
	moved := 0
	for _, uid := range uids(5000) {
		before, after := owner(uid, peers), owner(uid, peers[:3])
		if len(before) != 1 || len(after) != 1 {
			t.Fatalf("%s is watched by %v, and by %v", uid, before, after)
		}
		share[before[0]]++
		if before[0] != after[0] {
			moved++
			if before[0] != peers[3] {
				t.Errorf("%s moved from %s to %s, and neither left", uid, before[0], after[0])
			}
		}
	}
	for p, n := range share { // 1250 each; three standard deviations of a fair draw are 92
		if n < 1100 || n > 1400 {
			t.Errorf("%s has %d of 5000 pods", p, n)
		}
	}
	if moved != share[peers[3]] {
		t.Errorf("%d pods moved; want the %d of the replica that left", moved, share[peers[3]])
	}
}

// A replica alone watches all, whether or not it sees itself.
func TestShardAlone(t *testing.T) {
	for _, uid := range uids(100) {
		if !Shard("a", nil, uid) || !Shard("a", []string{"a"}, uid) {
			t.Fatalf("%s is watched by nobody", uid)
		}
	}
}
