package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/holdout5/metasearch/internal/race"
)

type hotel struct {
	Name  string `json:"name"`
	Stars int    `json:"stars"`
	Price int    `json:"price"`
}

// A supplier is one of the systems that sell rooms.
type supplier struct {
	name, base string
	http       *http.Client
}

func (s supplier) search(ctx context.Context, q url.Values) ([]hotel, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"/rooms?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	res, err := s.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("supplier %s: %w", s.name, err)
	}
	defer res.Body.Close()
	var list []hotel
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		return nil, fmt.Errorf("supplier %s: %w", s.name, err)
	}
	if len(list) == 0 {
		return nil, errors.New("supplier " + s.name + " has no rooms")
	}
	return list, nil
}

type searcher struct {
	suppliers []supplier
	cities    []string
}

func (s *searcher) hotels(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var asks []func(context.Context) ([]hotel, error)
	for _, sup := range s.suppliers {
		asks = append(asks, func(ctx context.Context) ([]hotel, error) { return sup.search(ctx, q) })
	}
	list, err := race.First(r.Context(), 900*time.Millisecond, asks...)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	slices.SortFunc(list, func(a, b hotel) int { return a.Price - b.Price })
	json.NewEncoder(w).Encode(list)
}

// complete lists cities that begin with what somebody types.
func (s *searcher) complete(w http.ResponseWriter, r *http.Request) {
	prefix := strings.ToLower(r.FormValue("q"))
	i, _ := slices.BinarySearch(s.cities, prefix)
	var list []string
	for ; i < len(s.cities) && strings.HasPrefix(s.cities[i], prefix) && len(list) < 25; i++ {
		list = append(list, s.cities[i])
	}
	json.NewEncoder(w).Encode(list)
}

func cityName(i int) string {
	return fmt.Sprintf("%c%c%c %04d", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, i)
}

func cities(n int) (list []string) {
	for i := range n {
		list = append(list, cityName(i))
	}
	slices.Sort(list)
	return list
}
