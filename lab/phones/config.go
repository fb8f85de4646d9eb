package phones

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

// A Config says how a gateway runs. DefaultConfig is its healthy form.
type Config struct {
	serve.Flags

	ItemsURL    string        // base URLs of the upstreams: "http://127.0.0.1:8081"
	UsersURL    string        //
	TrackingURL string        //
	Timeout     time.Duration // of one call of an upstream

	Set           string // array or map
	Apply         string // how /sync changes an array: scan or merge
	TrackingUsers int    // the users 1 to this number start with call tracking

	Cache     string        // none, gcache, ccache, freelru or remedy
	Cached    string        // what is cached: both kinds of phones, or only tracking
	CacheSize int           // entries that both caches hold together, half each
	CacheTTL  time.Duration // lifetime of an entry

	Warm     int     // entries to load when the gateway starts, half into each cache; 0: none
	WarmRate float64 // entries/s of that; 0: as fast as one goroutine can
	Users    int     // users of the made-up world that the warm-up loads from, DefaultTracking businesses among them
	Items    int     // items of that world
}

// DefaultConfig is a healthy gateway whose upstreams still have to be named.
func DefaultConfig() Config {
	return Config{
		Flags:   serve.DefaultFlags(),
		Timeout: 300 * time.Millisecond,
		Set:     "map", Apply: "merge", TrackingUsers: DefaultTracking,
		Cache: "freelru", Cached: cachedBoth, CacheSize: 5_000_000, CacheTTL: 15 * time.Minute,
		Users: 1_000_000, Items: 5_000_000,
	}
}

// parseConfig reads the command line of the gateway. Complaints and help go to stderr.
func parseConfig(args []string, stderr io.Writer) (Config, error) {
	c := DefaultConfig()
	f := flag.NewFlagSet("phones", flag.ContinueOnError)
	f.SetOutput(stderr)
	c.Add(f)
	f.StringVar(&c.ItemsURL, "items-url", c.ItemsURL, "base `URL` of the item service")
	f.StringVar(&c.UsersURL, "users-url", c.UsersURL, "base `URL` of the user service")
	f.StringVar(&c.TrackingURL, "tracking-url", c.TrackingURL, "base `URL` of the call-tracking service")
	f.DurationVar(&c.Timeout, "timeout", c.Timeout, "of one call of an upstream")
	f.StringVar(&c.Set, "set", c.Set, "the call-tracking set: "+strings.Join(setNames, ", "))
	f.StringVar(&c.Apply, "apply", c.Apply,
		"how /sync changes an array, by a scan for each user or merging all in one walk: "+strings.Join(applyNames,
			", "))
	f.IntVar(&c.TrackingUsers, "tracking-users", c.TrackingUsers, "users that start with call tracking")
	f.StringVar(&c.Cache, "cache", c.Cache, "the caches: "+strings.Join(cacheNames, ", "))
	f.StringVar(&c.Cached, "cached", c.Cached, "the phones that are cached: "+strings.Join(cachedNames, ", "))
	f.IntVar(&c.CacheSize, "cache-size", c.CacheSize, "`entries` that both caches hold together, half each")
	f.DurationVar(&c.CacheTTL, "cache-ttl", c.CacheTTL, "lifetime of a cache entry")
	f.IntVar(&c.Warm, "warm", c.Warm, "`entries` to load when starting, half into each cache")
	f.Float64Var(&c.WarmRate, "warm-rate", c.WarmRate, "entries a second to load; 0: as fast as one goroutine can")
	f.IntVar(&c.Users, "users", c.Users, "users of the made-up world that -warm loads from")
	f.IntVar(&c.Items, "items", c.Items, "items of the made-up world that -warm loads from")
	if err := serve.Parse(f, args); err != nil {
		return Config{}, err
	}
	return c, c.validate()
}

// validate names the flag at fault.
func (c Config) validate() error {
	return errors.Join(
		c.Flags.Validate(),
		serve.CheckURL("items-url", c.ItemsURL),
		serve.CheckURL("users-url", c.UsersURL),
		serve.CheckURL("tracking-url", c.TrackingURL),
		serve.Check(c.Timeout > 0, "timeout", "must be above 0"),
		serve.Check(slices.Contains(setNames, c.Set), "set", "must be one of "+strings.Join(setNames, ", ")),
		serve.Check(slices.Contains(applyNames, c.Apply), "apply", "must be one of "+strings.Join(applyNames, ", ")),
		serve.Check(c.Apply == DefaultConfig().Apply || c.Set == "array", "apply",
			"is for -set=array: a map finds a user without a scan"),
		serve.Check(c.Apply != "scan" || c.TrackingUsers <= 10*DefaultTracking, "apply",
			fmt.Sprintf("can be scan for at most %d -tracking-users: the start would take minutes",
				10*DefaultTracking)),
		serve.Check(c.TrackingUsers >= 0 && c.TrackingUsers <= maxSetUsers, "tracking-users",
			fmt.Sprintf("must be from 0 to %d", maxSetUsers)),
		serve.Check(slices.Contains(cacheNames, c.Cache), "cache", "must be one of "+strings.Join(cacheNames, ", ")),
		serve.Check(slices.Contains(cachedNames, c.Cached), "cached", "must be one of "+strings.Join(cachedNames,
			", ")),
		serve.Check(c.CacheSize >= 2 && c.CacheSize <= maxCacheSize, "cache-size",
			fmt.Sprintf("must be from 2 to %d", maxCacheSize)),
		serve.Check(c.CacheTTL > 0, "cache-ttl", "must be above 0"),
		serve.Check(c.Warm >= 0 && c.Warm <= c.Items, "warm", "must be from 0 to -items"),
		serve.Check(c.WarmRate >= 0, "warm-rate", "must not be negative"),
		serve.Check(c.Users >= 2 && c.Users <= maxID, "users", fmt.Sprintf("must be from 2 to %d", maxID)),
		serve.Check(c.Items >= 1 && c.Items <= maxID, "items", fmt.Sprintf("must be from 1 to %d", maxID)),
	)
}

// maxCacheSize bounds memory: freelru takes its tables at the start, here 8 GB.
const maxCacheSize = 100_000_000

// space is the made-up world that the warm-up loads from: the one that Requests asks about.
func (c Config) space() Space { return NewSpace(c.Users, c.Items, DefaultTracking) }
