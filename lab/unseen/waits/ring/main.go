// Ring says which nodes hold a key. Nodes come and go.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/buraksezer/consistent"
	"github.com/cespare/xxhash/v2"

	"github.com/gocasebook/casebook/lab/unseen/waits/web"
)

type node string

func (n node) String() string { return string(n) }

type hasher struct{}

func (hasher) Sum64(data []byte) uint64 { return xxhash.Sum64(data) }

const replicas = 3

type router struct {
	ring *consistent.Consistent
	// guard keeps changes away while the ring is read, which the ring itself does not do well.
	guard   sync.RWMutex
	guarded bool
}

func (t *router) owners(key string) ([]string, error) {
	if t.guarded {
		t.guard.RLock()
		defer t.guard.RUnlock()
	}
	members, err := t.ring.GetClosestN([]byte(key), replicas)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.String()
	}
	return names, nil
}

func (t *router) change(name string) {
	if t.guarded {
		t.guard.Lock()
		defer t.guard.Unlock()
	}
	t.ring.Remove(name)
	t.ring.Add(node(name))
}

// watch follows the health of the nodes.
func (t *router) watch(names []string) {
	for range time.Tick(100 * time.Millisecond) {
		t.change(names[rand.IntN(len(names))])
	}
}

func (t *router) serve(w http.ResponseWriter, r *http.Request) {
	names, err := t.owners(r.FormValue("key"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	json.NewEncoder(w).Encode(names)
}

func main() {
	flag.Parse()
	var members []consistent.Member
	var names []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("node-%d.example.net", i))
		members = append(members, node(names[i]))
	}
	t := &router{guarded: *web.Fixed, ring: consistent.New(members, consistent.Config{
		PartitionCount: 271, ReplicationFactor: 20, Load: 1.25, Hasher: hasher{},
	})}
	go t.watch(names)
	mux := http.NewServeMux()
	mux.HandleFunc("/owners", t.serve)
	web.Serve(mux)
}
