package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
	"github.com/dgraph-io/ristretto/v2"
	"github.com/golang/groupcache"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/maypok86/otter/v2"
	"github.com/patrickmn/go-cache"
	"github.com/robfig/cron/v3"
	"golang.org/x/sync/singleflight"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// newSource makes the form that a kind names.
func newSource(o serve.Options) (source, error) {
	r := newRemote(o.Backend)
	switch o.Kind {
	case "gocache-flush":
		return newFlushed(r)
	case "memcached-slot":
		return &slotted{memcache.New("127.0.0.1:11499"), r}, nil
	case "ristretto-ttl":
		return newTimed(r, untilNext)
	case "ristretto-jitter":
		return newTimed(r, func() time.Duration { return period - time.Duration(rand.Int64N(int64(period)/2)) })
	case "lru-flights":
		return newFlights(), nil
	case "groupcache-slot":
		return newGrouped(), nil
	case "otter-loader":
		return newLoaded(r)
	case "cron-lock", "cron-light", "ticker-sort":
		return newBoard(o.Kind)
	case "checkpoint", "random":
		r.path = "/quick"
		return r, r.tell(o.Kind)
	case "restart":
		return newTimed(r, func() time.Duration { return time.Hour })
	case "sawtooth":
		return newHistory(), nil
	case "callers", "morning":
		r.path = "/quick"
		return r, nil
	}
	return nil, fmt.Errorf("no kind %q", o.Kind)
}

// flushed is a go-cache that a cron job empties at the beginning of each period, so that rates are never old.
type flushed struct {
	*cache.Cache
	*remote
}

func newFlushed(r *remote) (source, error) {
	s := &flushed{cache.New(cache.NoExpiration, 0), r}
	c := cron.New(cron.WithSeconds())
	if _, err := c.AddFunc("*/20 * * * * *", s.Flush); err != nil {
		return nil, err
	}
	c.Start()
	return s, nil
}

func (s *flushed) rate(ctx context.Context, pair string) (string, error) {
	if v, ok := s.Get(pair); ok {
		return v.(string), nil
	}
	v, err := s.remote.rate(ctx, pair)
	if err == nil {
		s.Set(pair, v, cache.DefaultExpiration)
	}
	return v, err
}

// slotted has the period in its memcached keys.
type slotted struct {
	mc *memcache.Client
	*remote
}

func (s *slotted) rate(ctx context.Context, pair string) (string, error) {
	key := fmt.Sprintf("rate:%s:%d", pair, slot(time.Now()))
	if item, err := s.mc.Get(key); err == nil {
		return string(item.Value), nil
	}
	v, err := s.remote.rate(ctx, pair)
	if err == nil {
		err = s.mc.Set(&memcache.Item{Key: key, Value: []byte(v), Expiration: 60})
	}
	return v, err
}

// timed is a ristretto whose entries live for a time.
type timed struct {
	*ristretto.Cache[string, string]
	ttl func() time.Duration
	*remote
}

func newTimed(r *remote, ttl func() time.Duration) (source, error) {
	c, err := ristretto.NewCache(&ristretto.Config[string, string]{NumCounters: 1e5, MaxCost: 1e4, BufferItems: 64})
	return &timed{c, ttl, r}, err
}

func (s *timed) rate(ctx context.Context, pair string) (string, error) {
	if v, ok := s.Get(pair); ok {
		return v, nil
	}
	v, err := s.remote.rate(ctx, pair)
	if err == nil {
		s.SetWithTTL(pair, v, 1, s.ttl())
	}
	return v, err
}

// flights computes what an expirable LRU has lost, once for all who ask. All of it was put there at the start.
type flights struct {
	lru   *expirable.LRU[string, string]
	group singleflight.Group
}

func newFlights() *flights {
	s := &flights{lru: expirable.NewLRU[string, string](pairs, nil, period)}
	for i := range pairs {
		s.lru.Add(strconv.Itoa(i), "1")
	}
	return s
}

func (s *flights) rate(_ context.Context, pair string) (string, error) {
	if v, ok := s.lru.Get(pair); ok {
		return v, nil
	}
	v, err, _ := s.group.Do(pair, func() (any, error) {
		v := bootstrap(pair)
		s.lru.Add(pair, v)
		return v, nil
	})
	return v.(string), err
}

// bootstrap finds the rate that fits a curve of quotes: some milliseconds of arithmetic.
func bootstrap(pair string) string {
	id, _ := strconv.Atoi(pair)
	low, high := 0.0, 4.0
	for range 60 {
		mid, sum := (low+high)/2, 0.0
		for day := range 6000 {
			sum += math.Exp(-mid*float64(day)/365) / float64(day+1+id%7)
		}
		if sum > 3 {
			low = mid
		} else {
			high = mid
		}
	}
	return strconv.FormatFloat(low, 'f', 5, 64)
}

// grouped is a groupcache, which has no lifetimes: the key has the period.
type grouped struct{ group *groupcache.Group }

func newGrouped() *grouped {
	return &grouped{groupcache.NewGroup("rates", 8<<20, groupcache.GetterFunc(
		func(_ context.Context, key string, dest groupcache.Sink) error {
			pair, _, _ := strings.Cut(key, "@")
			return dest.SetString(bootstrap(pair))
		}))}
}

func (s *grouped) rate(ctx context.Context, pair string) (v string, err error) {
	err = s.group.Get(ctx, fmt.Sprintf("%s@%d", pair, slot(time.Now())), groupcache.StringSink(&v))
	return v, err
}

// loaded is an otter with a loader and a lifetime from the write; it is filled at the start.
type loaded struct {
	*otter.Cache[string, string]
	*remote
}

func newLoaded(r *remote) (source, error) {
	c, err := otter.New(&otter.Options[string, string]{MaximumSize: 1e4,
		ExpiryCalculator: otter.ExpiryWriting[string, string](period)})
	if err != nil {
		return nil, err
	}
	for i := range pairs {
		c.Set(strconv.Itoa(i), "1")
	}
	return &loaded{c, r}, nil
}

func (s *loaded) rate(ctx context.Context, pair string) (string, error) {
	return s.Get(ctx, pair, otter.LoaderFunc[string, string](s.remote.rate))
}

// A quote is one line of what the board is built from.
type quote struct {
	Pair string  `json:"pair"`
	Rate float64 `json:"rate"`
	Note string  `json:"note"`
}

// quotes is a list as an exchange publishes it.
func quotes(n int) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for i := range n {
		e.Encode(quote{strconv.Itoa(i % pairs), rand.Float64(), "as of the last fixing"})
	}
	return b.Bytes()
}

// decode reads the list.
func decode(data []byte) map[string]float64 {
	rates := make(map[string]float64)
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var q quote
		if d.Decode(&q) != nil {
			return rates
		}
		rates[q.Pair] = q.Rate
	}
}

// ranks sorts many quotes, for a report that nobody waits for.
func ranks(n int) float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = rand.Float64()
	}
	sort.Float64s(all)
	return all[n/2]
}
