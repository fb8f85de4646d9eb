// Shortener redirects short links. The links are in a bbolt file, the popular ones in memory.
package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	bolt "go.etcd.io/bbolt"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
	"github.com/gocasebook/casebook/lab/holdout4/shortener/lru"
)

const (
	links     = 120000
	cacheSize = 30000
)

var errUnknown = errors.New("no such link")

type store struct{ db *bolt.DB }

var bucket = []byte("links")

func (s store) target(code string) (string, error) {
	var target string
	err := s.db.View(func(tx *bolt.Tx) error {
		v := tx.Bucket(bucket).Get([]byte(code))
		if v == nil {
			return errUnknown
		}
		target = string(v)
		return nil
	})
	return target, err
}

// code is the short form of a number.
func code(n int) string {
	h := fnv.New64a()
	binary.Write(h, binary.BigEndian, uint64(n))
	return fmt.Sprintf("%08x", uint32(h.Sum64()))
}

func (s store) fill() error {
	urls := make(map[string]string, links)
	for i := range links {
		urls[code(i)] = fmt.Sprintf("https://shop.example/products/%d?utm_source=mail&utm_campaign=%d", i, i%90)
	}
	return s.db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucket)
		if err != nil {
			return err
		}
		for _, c := range slices.Sorted(maps.Keys(urls)) { // in their order, bbolt only appends
			if err := b.Put([]byte(c), []byte(urls[c])); err != nil {
				return err
			}
		}
		return nil
	})
}

type server struct {
	store store
	cache *lru.Cache[string, string]
	hits  atomic.Int64
	miss  atomic.Int64
}

func (s *server) resolve(code string) (string, error) {
	if target, ok := s.cache.Get(code); ok {
		s.hits.Add(1)
		return target, nil
	}
	s.miss.Add(1)
	target, err := s.store.target(code)
	if err != nil {
		return "", err
	}
	s.cache.Put(code, target)
	return target, nil
}

func (s *server) redirect(w http.ResponseWriter, r *http.Request) {
	target, err := s.resolve(r.PathValue("code"))
	switch {
	case errors.Is(err, errUnknown):
		http.NotFound(w, r)
	case err != nil:
		http.Error(w, "try again", http.StatusServiceUnavailable)
	default:
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
	}
}

func (s *server) status(w http.ResponseWriter, r *http.Request) {
	size, evicted := s.cache.Stats()
	json.NewEncoder(w).Encode(map[string]int64{
		"size": int64(size), "evicted": int64(evicted), "hits": s.hits.Load(), "misses": s.miss.Load(),
	})
}

// warm loads what was popular at the last shutdown.
func (s *server) warm() {
	for i := range cacheSize {
		if target, err := s.store.target(code(i)); err == nil {
			s.cache.Put(code(i), target)
		}
	}
}

func load(p drive.Ports) {
	codes := make([]string, links)
	for i := range codes {
		codes[i] = code(i)
	}
	drive.HTTP(900, func(i int) *http.Request {
		n := rand.IntN(cacheSize)
		if rand.IntN(100) < 45 {
			n = rand.IntN(links)
		}
		if i%600 == 0 {
			return drive.Get(p.Main(), "/-/status")
		}
		return drive.Get(p.Main(), "/%s", codes[n])
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		load(p)
	}
	dir, err := os.MkdirTemp("", "shortener-")
	if err != nil {
		log.Fatal(err)
	}
	db, err := bolt.Open(filepath.Join(dir, "links.db"), 0o600, &bolt.Options{NoSync: true})
	if err != nil {
		log.Fatal(err)
	}
	os.RemoveAll(dir) // the file stays as long as it is open
	s := &server{store: store{db}, cache: lru.New[string, string](cacheSize)}
	if err := s.store.fill(); err != nil {
		log.Fatal(err)
	}
	s.warm()
	http.HandleFunc("GET /{code}", s.redirect)
	http.HandleFunc("GET /-/status", s.status)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
