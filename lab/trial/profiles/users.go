package main

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/gocasebook/casebook/lab/trial/profiles/profilespb"
)

const shards = 16

type user struct {
	name      string
	interests []string
	visits    int64
}

type shard struct {
	mu    sync.RWMutex // guards users and what they point at
	users map[string]*user
}

// users are spread over shards, each with a lock of its own.
type users struct {
	seed   maphash.Seed
	shards [shards]shard
}

func sampleUsers(n int) *users {
	u := &users{seed: maphash.MakeSeed()}
	for i := range u.shards {
		u.shards[i].users = make(map[string]*user)
	}
	for i := range n {
		id := fmt.Sprint(i)
		u.shard(id).users[id] = &user{name: "user " + id, interests: []string{"tea", "chess", "bikes"}[:1+i%3]}
	}
	return u
}

func (u *users) shard(id string) *shard { return &u.shards[maphash.String(u.seed, id)%shards] }

func (u *users) get(id string) (*profilespb.Profile, bool) {
	s := u.shard(id)
	s.mu.RLock()
	defer s.mu.RUnlock()
	one, ok := s.users[id]
	if !ok {
		return nil, false
	}
	return one.profile(id), true
}

func (u *users) visit(id string) (*profilespb.Profile, bool) {
	s := u.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.users[id]
	if !ok {
		return nil, false
	}
	one.visits++
	return one.profile(id), true
}

func (u *user) profile(id string) *profilespb.Profile {
	return &profilespb.Profile{Id: id, Name: u.name, Interests: u.interests, Visits: u.visits}
}
