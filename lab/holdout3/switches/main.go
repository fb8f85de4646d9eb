// Switches evaluates feature flags for the users of a shop.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Segment struct {
	Attribute string   `json:"attribute"`
	Values    []string `json:"values"`
}

type Flag struct {
	Key       string            `json:"key"`
	Enabled   bool              `json:"enabled"`
	Percent   uint32            `json:"percent"`
	Segments  []Segment         `json:"segments"`
	Variants  map[string]string `json:"variants"`
	UpdatedAt time.Time         `json:"updated_at"`
}

type FlagSet struct {
	Environment string           `json:"environment"`
	Version     int              `json:"version"`
	Flags       map[string]*Flag `json:"flags"`
}

// Store holds the flags of each environment. Callers may change what they get.
type Store struct {
	mu   sync.RWMutex
	sets map[string]*FlagSet
}

func (s *Store) Get(env string) (*FlagSet, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	set, ok := s.sets[env]
	if !ok {
		return nil, fmt.Errorf("no environment %q", env)
	}
	return clone(set)
}

func (s *Store) Update(env, key string, percent uint32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.sets[env].Flags[key]; f != nil {
		f.Percent, f.UpdatedAt = percent, time.Now()
		s.sets[env].Version++
	}
}

// clone makes a deep copy.
func clone[T any](in *T) (*T, error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	out := new(T)
	return out, json.Unmarshal(raw, out)
}

type User struct {
	ID         string            `json:"id"`
	Attributes map[string]string `json:"attributes"`
}

func (f *Flag) eval(u *User) string {
	if !f.Enabled {
		return "off"
	}
	for _, seg := range f.Segments {
		for _, v := range seg.Values {
			if u.Attributes[seg.Attribute] == v {
				return f.Variants["on"]
			}
		}
	}
	h := fnv.New32a()
	h.Write([]byte(f.Key))
	h.Write([]byte(u.ID))
	if h.Sum32()%100 < f.Percent {
		return f.Variants["on"]
	}
	return f.Variants["off"]
}

func evaluate(s *Store) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var users []User
		if err := json.NewDecoder(r.Body).Decode(&users); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		set, err := s.Get(chi.URLParam(r, "env"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		out := make(map[string]map[string]string, len(users))
		for i := range users {
			values := make(map[string]string, len(set.Flags))
			for key, f := range set.Flags {
				values[key] = f.eval(&users[i])
			}
			out[users[i].ID] = values
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	}
}

func example(env string) *FlagSet {
	set := &FlagSet{Environment: env, Flags: make(map[string]*Flag)}
	for i := range 90 {
		key := fmt.Sprintf("feature-%d", i)
		f := &Flag{Key: key, Enabled: i%4 > 0, Percent: uint32(i), UpdatedAt: time.Now()}
		f.Variants = map[string]string{"on": "treatment", "off": "control"}
		f.Segments = []Segment{{"country", []string{"NL", "BE", "DK", "SE"}}, {"plan", []string{"pro", "team", "beta"}}}
		set.Flags[key] = f
	}
	return set
}

func load(p drive.Ports) {
	drive.HTTP(350, func(i int) *http.Request {
		if i%50 == 0 {
			return drive.Send(http.MethodPut, p.Main(), fmt.Sprintf("/prod/flags/feature-%d", i%90), "")
		}
		body := fmt.Sprintf(`[{"id":"u%d","attributes":{"country":"FR","plan":"free"}},{"id":"v%d"},{"id":"w%d"}]`,
			i, i, i)
		return drive.Send(http.MethodPost, p.Main(), "/prod/evaluate", body)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s := &Store{sets: map[string]*FlagSet{"prod": example("prod"), "staging": example("staging")}}
	r := chi.NewRouter()
	r.Use(middleware.Recoverer)
	r.Mount("/debug", middleware.Profiler())
	r.Post("/{env}/evaluate", evaluate(s))
	r.Put("/{env}/flags/{key}", func(w http.ResponseWriter, r *http.Request) {
		s.Update(chi.URLParam(r, "env"), chi.URLParam(r, "key"), uint32(time.Now().Second()))
	})
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
