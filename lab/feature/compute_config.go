package feature

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// A ComputeConfig says how a compute tier runs. DefaultComputeConfig is a healthy one.
type ComputeConfig struct {
	serve.Flags

	Redis        string        // host:port; empty: none
	RedisTimeout time.Duration // of one round trip
	Timeout      time.Duration // of one request, and of one load
	MaxInFlight  int           // requests; more are refused with 503

	Cache       string // one of cacheNames
	CacheGroups int    // groups that it holds
	Join        string // one of joinNames
	Expiry      string // one of expiryNames
	Period      time.Duration

	Events      int // of a user and group, that the origin goes through
	OriginSlots int // computations at a time
	Warm        int // users to load at the start

	PauseShare float64       // of the calls that pause
	PauseMean  time.Duration // of a pause
}

// DefaultComputeConfig is a healthy compute tier without Redis.
func DefaultComputeConfig() ComputeConfig {
	f := serve.DefaultFlags()
	f.Listen, f.Pprof = "127.0.0.1:8081", "127.0.0.1:6061"
	return ComputeConfig{
		Flags: f, RedisTimeout: 50 * time.Millisecond, Timeout: time.Second, MaxInFlight: 64,
		Cache: cacheSegments, CacheGroups: 20_000, Join: joinCopy, Expiry: expireJitter, Period: time.Minute,
		Events: 1000, OriginSlots: 4, PauseMean: 40 * time.Millisecond,
	}
}

// Bounds of what a config may ask for, which bound memory: a decoded group takes about 10 kB.
const (
	maxGroups   = 1_000_000
	maxEvents   = 10_000_000
	maxInFlight = 100_000

	warmPatience = 30 * time.Second // for one batch of the warm-up
)

// parseComputeConfig reads the command line. Complaints and help go to stderr.
func parseComputeConfig(args []string, stderr io.Writer) (ComputeConfig, error) {
	c := DefaultComputeConfig()
	f := flag.NewFlagSet("compute", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Flags.Add(f)
	f.StringVar(&c.Redis, "redis", c.Redis, "`host:port` of Redis, which replicas share; empty: none")
	f.DurationVar(&c.RedisTimeout, "redis-timeout", c.RedisTimeout, "of one round trip to Redis")
	f.DurationVar(&c.Timeout, "timeout", c.Timeout, "of one request, and of one load")
	f.IntVar(&c.MaxInFlight, "max-in-flight", c.MaxInFlight, "requests; more are refused with 503")
	f.StringVar(&c.Cache, "cache", c.Cache, "the local cache: "+strings.Join(cacheNames, ", "))
	f.IntVar(&c.CacheGroups, "cache-groups", c.CacheGroups, "`groups` that the local cache holds, four a user")
	f.StringVar(&c.Join, "join", c.Join, "how the groups of an answer are put together: "+strings.Join(joinNames, ", "))
	f.StringVar(&c.Expiry, "expiry", c.Expiry,
		"when groups expire, at the end of the period, that with the period in their keys, or each at a moment of its "+
			"own: "+strings.Join(expiryNames, ", "))
	f.DurationVar(&c.Period, "period", c.Period, "longest lifetime of a group")
	f.IntVar(&c.Events, "events", c.Events, "of a user and group that the origin goes through")
	f.IntVar(&c.OriginSlots, "origin-slots", c.OriginSlots, "computations of the origin at a time")
	f.IntVar(&c.Warm, "warm", c.Warm, "`users` to load when starting")
	f.Float64Var(&c.PauseShare, "pause-share", c.PauseShare, "`share` of the calls that pause, from 0 to 1")
	f.DurationVar(&c.PauseMean, "pause-mean", c.PauseMean, "mean of a pause, whose times are exponential")
	if err := serve.Parse(f, args); err != nil {
		return c, err
	}
	return c, c.validate()
}

// validate names the flag at fault.
func (c ComputeConfig) validate() error {
	return errors.Join(
		c.Flags.Validate(),
		serve.CheckAddress("redis", c.Redis, true),
		serve.Check(c.RedisTimeout > 0, "redis-timeout", "must be above 0"),
		serve.Check(c.Timeout > 0, "timeout", "must be above 0"),
		checkRange("max-in-flight", c.MaxInFlight, 1, maxInFlight),
		checkName("cache", c.Cache, cacheNames),
		checkRange("cache-groups", c.CacheGroups, len(groupNames), maxGroups),
		checkName("join", c.Join, joinNames),
		checkName("expiry", c.Expiry, expiryNames),
		serve.Check(c.Period >= 100*time.Millisecond, "period", "must be 100ms or more"),
		checkRange("events", c.Events, 0, maxEvents),
		checkRange("origin-slots", c.OriginSlots, 1, maxInFlight),
		checkRange("warm", c.Warm, 0, maxGroups/len(groupNames)),
		serve.Check(c.PauseShare >= 0 && c.PauseShare <= 1, "pause-share", "must be from 0 to 1"),
		serve.Check(c.PauseMean > 0, "pause-mean", "must be above 0"),
	)
}

func checkRange(flag string, v, low, high int) error {
	return serve.Check(v >= low && v <= high, flag, fmt.Sprintf("must be from %d to %d", low, high))
}

func checkName(flag, name string, names []string) error {
	return serve.Check(slices.Contains(names, name), flag, "must be one of "+strings.Join(names, ", "))
}
