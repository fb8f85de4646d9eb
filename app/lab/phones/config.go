package phones

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Config says how a gateway runs. DefaultConfig is its healthy form.
type Config struct {
	Listen string // host:port of the API and of /metrics; port 0 picks one
	Pprof  string // host:port of net/http/pprof; empty: none

	ItemsURL    string        // base URLs of the upstreams: "http://127.0.0.1:8081"
	UsersURL    string        //
	TrackingURL string        //
	Timeout     time.Duration // of one call of an upstream

	Set           string // array or map
	TrackingUsers int    // the users 1 to this number start with call tracking

	Cache     string        // none, gcache, ccache or freelru
	CacheSize int           // entries that both caches hold together, half each
	CacheTTL  time.Duration // lifetime of an entry

	Warm     int     // entries to load when the gateway starts, half into each cache; 0: none
	WarmRate float64 // entries/s of that; 0: as fast as one goroutine can
	Users    int     // users of the made-up world that the warm-up loads from, DefaultTracking businesses among them
	Items    int     // items of that world

	MutexFraction int           // 1 of so many contended unlocks is profiled; 0: off
	BlockRate     int           // nanoseconds of blocking for one sample; 0: off
	Drain         time.Duration // how long a stop waits for requests in flight
}

// DefaultConfig is a healthy gateway whose upstreams still have to be named.
func DefaultConfig() Config {
	return Config{
		Listen: "127.0.0.1:8080", Pprof: "127.0.0.1:6060",
		Timeout: 300 * time.Millisecond,
		Set:     "map", TrackingUsers: DefaultTracking,
		Cache: "freelru", CacheSize: 5_000_000, CacheTTL: 15 * time.Minute,
		Users: 1_000_000, Items: 5_000_000,
		Drain: 10 * time.Second,
	}
}

// parseConfig reads the command line of the gateway. Complaints and help go to stderr.
func parseConfig(args []string, stderr io.Writer) (Config, error) {
	c := DefaultConfig()
	f := flag.NewFlagSet("phones", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.Listen, "listen", c.Listen, "`host:port` of the API and /metrics; port 0 picks a free one")
	f.StringVar(&c.Pprof, "pprof", c.Pprof, "`host:port` of net/http/pprof; empty: none")
	f.StringVar(&c.ItemsURL, "items-url", c.ItemsURL, "base `URL` of the item service")
	f.StringVar(&c.UsersURL, "users-url", c.UsersURL, "base `URL` of the user service")
	f.StringVar(&c.TrackingURL, "tracking-url", c.TrackingURL, "base `URL` of the call-tracking service")
	f.DurationVar(&c.Timeout, "timeout", c.Timeout, "of one call of an upstream")
	f.StringVar(&c.Set, "set", c.Set, "the call-tracking set: "+strings.Join(setNames, ", "))
	f.IntVar(&c.TrackingUsers, "tracking-users", c.TrackingUsers, "users that start with call tracking")
	f.StringVar(&c.Cache, "cache", c.Cache, "the caches: "+strings.Join(cacheNames, ", "))
	f.IntVar(&c.CacheSize, "cache-size", c.CacheSize, "`entries` that both caches hold together, half each")
	f.DurationVar(&c.CacheTTL, "cache-ttl", c.CacheTTL, "lifetime of a cache entry")
	f.IntVar(&c.Warm, "warm", c.Warm, "`entries` to load when starting, half into each cache")
	f.Float64Var(&c.WarmRate, "warm-rate", c.WarmRate, "entries a second to load; 0: as fast as one goroutine can")
	f.IntVar(&c.Users, "users", c.Users, "users of the made-up world that -warm loads from")
	f.IntVar(&c.Items, "items", c.Items, "items of the made-up world that -warm loads from")
	f.IntVar(&c.MutexFraction, "mutex-profile-fraction", c.MutexFraction, "profile one of so many contended unlocks; 0: off")
	f.IntVar(&c.BlockRate, "block-profile-rate", c.BlockRate, "`nanoseconds` of blocking for one sample; 0: off")
	f.DurationVar(&c.Drain, "drain", c.Drain, "how long a stop waits for requests in flight")
	if err := parseFlags(f, args); err != nil {
		return Config{}, err
	}
	return c, c.validate()
}

// parseFlags parses args, of which none may be left over.
func parseFlags(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: this command takes flags only", f.Arg(0))
	}
	return nil
}

// validate names the flag at fault.
func (c Config) validate() error {
	return errors.Join(
		checkAddress("listen", c.Listen, false),
		checkAddress("pprof", c.Pprof, true),
		checkURL("items-url", c.ItemsURL),
		checkURL("users-url", c.UsersURL),
		checkURL("tracking-url", c.TrackingURL),
		check(c.Timeout > 0, "timeout", "must be above 0"),
		check(slices.Contains(setNames, c.Set), "set", "must be one of "+strings.Join(setNames, ", ")),
		check(c.TrackingUsers >= 0 && c.TrackingUsers <= maxSetUsers, "tracking-users", fmt.Sprintf("must be from 0 to %d", maxSetUsers)),
		check(slices.Contains(cacheNames, c.Cache), "cache", "must be one of "+strings.Join(cacheNames, ", ")),
		check(c.CacheSize >= 2 && c.CacheSize <= maxCacheSize, "cache-size", fmt.Sprintf("must be from 2 to %d", maxCacheSize)),
		check(c.CacheTTL > 0, "cache-ttl", "must be above 0"),
		check(c.Warm >= 0 && c.Warm <= c.Items, "warm", "must be from 0 to -items"),
		check(c.WarmRate >= 0, "warm-rate", "must not be negative"),
		check(c.Users >= 2 && c.Users <= maxID, "users", fmt.Sprintf("must be from 2 to %d", maxID)),
		check(c.Items >= 1 && c.Items <= maxID, "items", fmt.Sprintf("must be from 1 to %d", maxID)),
		check(c.MutexFraction >= 0, "mutex-profile-fraction", "must not be negative"),
		check(c.BlockRate >= 0, "block-profile-rate", "must not be negative"),
		check(c.Drain > 0, "drain", "must be above 0"),
	)
}

// maxCacheSize bounds memory: freelru takes its tables at the start, here 8 GB.
const maxCacheSize = 100_000_000

// space is the made-up world that the warm-up loads from: the one that Requests asks about.
func (c Config) space() Space { return NewSpace(c.Users, c.Items, DefaultTracking) }

// check is nil when ok, else the complaint about a flag.
func check(ok bool, flag, complaint string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("-%s %s", flag, complaint)
}

func checkAddress(flag, address string, mayBeEmpty bool) error {
	if address == "" && mayBeEmpty {
		return nil
	}
	_, _, err := net.SplitHostPort(address)
	return check(err == nil, flag, fmt.Sprintf("must be host:port, like 127.0.0.1:8080, not %q", address))
}

func checkURL(flag, s string) error {
	u, err := url.Parse(s)
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && !strings.HasSuffix(s, "/")
	return check(ok, flag, fmt.Sprintf("must be a URL without a slash at its end, like http://127.0.0.1:8081, not %q", s))
}
