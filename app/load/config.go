package load

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// checked returns the config with its defaults filled in, or an error that names the field at fault.
func (c Config) checked() (Config, error) {
	if err := c.checkSender(); err != nil {
		return c, err
	}
	if err := c.checkPace(); err != nil {
		return c, err
	}
	if c.MaxInFlight < 0 || c.MaxInFlight > maxInFlight {
		return c, fmt.Errorf("field MaxInFlight is %d: want 1 to %d, or 0 for %d",
			c.MaxInFlight, maxInFlight, defaultMaxInFlight)
	}
	for _, d := range []struct {
		field                string
		value                *time.Duration
		otherwise, low, high time.Duration
	}{
		{"Duration", &c.Duration, 0, 1, maxDuration},
		{"Timeout", &c.Timeout, defaultTimeout, time.Millisecond, maxTimeout},
		{"Window", &c.Window, defaultWindow, minWindow, maxDuration},
	} {
		if *d.value == 0 {
			*d.value = d.otherwise
		}
		if *d.value < d.low || *d.value > d.high {
			return c, fmt.Errorf("field %s is %v: want %v to %v", d.field, *d.value, d.low, d.high)
		}
	}
	if c.MaxInFlight == 0 {
		c.MaxInFlight = defaultMaxInFlight
	}
	return c, nil
}

// maxConnections bounds Config.Connections: with fewer than one request each at the default MaxInFlight they are waste.
const maxConnections = 1024

// checkSender requires one way to build requests and one to send them.
func (c *Config) checkSender() error {
	own := c.Protocol != Auto || c.TLS != nil || c.Connections != 0
	switch {
	case c.Request == nil && c.Call == nil:
		return errors.New("field Request is nil: set the function that builds the requests")
	case c.Call != nil && (c.Request != nil || c.Client != nil || own):
		return errors.New("field Call is set, and so is Request, Client, Protocol, TLS or Connections: these are for " +
			"HTTP only")
	case c.Client != nil && own:
		return errors.New("field Client is set, and so is Protocol, TLS or Connections: these belong to the " +
			"transport that Client replaces")
	case c.Protocol != Auto && c.Protocol != HTTP1 && c.Protocol != HTTP2:
		return fmt.Errorf("field Protocol is %q: want %q, %q or nothing", c.Protocol, HTTP1, HTTP2)
	case c.Connections < 0 || c.Connections > maxConnections:
		return fmt.Errorf("field Connections is %d: want 1 to %d, or 0 for 1", c.Connections, maxConnections)
	case !(c.MaxErrorShare >= 0 && c.MaxErrorShare <= 1): // NaN too
		return fmt.Errorf("field MaxErrorShare is %v: want a share from 0 to 1", c.MaxErrorShare)
	}
	return nil
}

// checkPace settles Rate and Pace to a Pace.
func (c *Config) checkPace() error {
	if c.Pace != nil {
		if c.Rate != 0 {
			return fmt.Errorf("field Rate is %v and Pace is set: set one of them", c.Rate)
		}
		return nil
	}
	if math.IsNaN(c.Rate) || c.Rate <= 0 || c.Rate > MaxRate {
		return fmt.Errorf("field Rate is %v: want requests per second above 0, to %.0f", c.Rate, MaxRate)
	}
	c.Pace = Constant(c.Rate)
	return nil
}

// windows returns how many windows the run is cut into.
func (c *Config) windows() int {
	return max(1, int(math.Round(float64(c.Duration)/float64(c.Window))))
}
