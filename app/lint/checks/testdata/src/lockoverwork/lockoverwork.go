package lockoverwork

import (
	"compress/gzip"
	"crypto/md5"
	"encoding/json"
	"hash"
	"io"
	"slices"
	"sort"
	"sync"
)

type object struct {
	body []byte
	sum  [16]byte
}

type store struct {
	mu      sync.RWMutex
	objects map[string]object
	order   []string
	byShop  map[string][]object
	hash    hash.Hash
	packer  *gzip.Writer
}

func (s *store) put(name string, body []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := md5.Sum(body) // want `this hashes while s.mu is held: take what is needed, unlock, then do it, or do it before`
	s.objects[name] = object{body: body, sum: sum}
}

func (s *store) dump(w io.Writer) error {
	s.mu.Lock()
	err := json.NewEncoder(w).Encode(s.objects) // want `this encodes JSON while s.mu is held`
	s.mu.Unlock()
	return err
}

func (s *store) pack(event []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.packer.Write(event); err != nil { // want `this compresses while s.mu is held`
		return err
	}
	s.hash.Write(event) // want `this hashes while s.mu is held`
	return nil
}

func (s *store) sorted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for n := range s.objects { // want `this walks over all of s.objects while s.mu is held`
		names = append(names, n)
	}
	sort.Strings(names) // want `this sorts while s.mu is held`
	return names
}

func encode(o object) []byte {
	text, err := json.Marshal(o)
	if err != nil {
		return nil
	}
	return text
}

func (s *store) text(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return encode(s.objects[name]) // want `this calls encode, which encodes or decodes JSON, while s.mu is held`
}

func (s *store) find(shop string, sum [16]byte) (out []object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.byShop[shop] { // want `this walks over all of s.byShop\[shop\] while s.mu is held`
		if o.sum == sum {
			out = append(out, o)
		}
	}
	return out
}

// What follows is fine.

func (s *store) before(name string, body []byte) {
	sum := md5.Sum(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[name] = object{body: body, sum: sum}
}

func (s *store) after(name string) []byte {
	s.mu.Lock()
	o := s.objects[name]
	s.mu.Unlock()
	return encode(o)
}

func (s *store) readers(w io.Writer) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return json.NewEncoder(w).Encode(s.objects)
}

func (s *store) others(names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range names {
		delete(s.objects, n)
	}
}

func (s *store) failed(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(name); err != nil {
		slices.Sort(s.order)
		return err
	}
	return nil
}

func (s *store) check(string) error { return nil }

func (s *store) later(name string) func() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.objects[name]
	return func() []byte { return encode(o) }
}

func (s *store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packer.Close()
}
