package serve

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// Flags are the flags that every service has, to be embedded in its Config.
type Flags struct {
	Listen string // host:port of the API and of /metrics; port 0 picks one
	Pprof  string // host:port of net/http/pprof; empty: none

	MutexFraction int           // 1 of so many contended unlocks is profiled; 0: off
	BlockRate     int           // nanoseconds of blocking for one sample; 0: off
	Drain         time.Duration // how long a stop waits for requests in flight
	CPUs          int           // CPUs that the process may use; 0: all that it was started with
}

// DefaultFlags listen on the ports that are usual for an API and for profiles.
func DefaultFlags() Flags {
	return Flags{Listen: "127.0.0.1:8080", Pprof: "127.0.0.1:6060", Drain: 10 * time.Second}
}

// Add defines the flags, with what c holds as defaults.
func (c *Flags) Add(f *flag.FlagSet) {
	f.StringVar(&c.Listen, "listen", c.Listen, "`host:port` of the API and /metrics; port 0 picks a free one")
	f.StringVar(&c.Pprof, "pprof", c.Pprof, "`host:port` of net/http/pprof; empty: none")
	f.IntVar(&c.MutexFraction, "mutex-profile-fraction", c.MutexFraction,
		"profile one of so many contended unlocks; 0: off")
	f.IntVar(&c.BlockRate, "block-profile-rate", c.BlockRate, "`nanoseconds` of blocking for one sample; 0: off")
	f.DurationVar(&c.Drain, "drain", c.Drain, "how long a stop waits for requests in flight")
	f.IntVar(&c.CPUs, "cpus", c.CPUs, "CPUs that the process may use (Linux); 0: all")
}

// Validate names the flag at fault.
func (c Flags) Validate() error {
	return errors.Join(
		CheckAddress("listen", c.Listen, false),
		CheckAddress("pprof", c.Pprof, true),
		Check(c.MutexFraction >= 0, "mutex-profile-fraction", "must not be negative"),
		Check(c.BlockRate >= 0, "block-profile-rate", "must not be negative"),
		Check(c.Drain > 0, "drain", "must be above 0"),
		Check(c.CPUs >= 0, "cpus", "must not be negative"),
	)
}

// SetUp changes the settings of the process that the flags ask for: the profiles that are off unless asked for, and the
// CPUs that it may use.
func (c Flags) SetUp() error {
	runtime.SetMutexProfileFraction(c.MutexFraction)
	runtime.SetBlockProfileRate(c.BlockRate)
	if c.CPUs == 0 {
		return nil
	}
	return useCPUs(c.CPUs)
}

// Parse parses args, of which none may be left over.
func Parse(f *flag.FlagSet, args []string) error {
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: this command takes flags only", f.Arg(0))
	}
	return nil
}

// Check is nil when ok, else the complaint about a flag.
func Check(ok bool, flag, complaint string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("-%s %s", flag, complaint)
}

// CheckAddress complains of what is not host:port.
func CheckAddress(flag, address string, mayBeEmpty bool) error {
	if address == "" && mayBeEmpty {
		return nil
	}
	_, _, err := net.SplitHostPort(address)
	return Check(err == nil, flag, fmt.Sprintf("must be host:port, like 127.0.0.1:8080, not %q", address))
}

// CheckURL complains of what is not the base URL of a service.
func CheckURL(flag, s string) error {
	u, err := url.Parse(s)
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" &&
		!strings.HasSuffix(s, "/")
	return Check(ok, flag, fmt.Sprintf("must be a URL without a slash at its end, like http://127.0.0.1:8081, not %q",
		s))
}
