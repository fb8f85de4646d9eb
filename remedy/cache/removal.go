package cache

import "fmt"

// A Cause says why an entry was removed.
type Cause int

// The causes of removals.
const (
	Evicted  Cause = iota // to make room
	Expired               // past its lifetime; noticed at a Set, at DeleteExpired or when it was to be evicted
	Replaced              // by a Set of the same key
	Deleted               // by Delete
	Cleared               // by Clear, or by a Load that failed
	Refused               // its new value was too large
	causes                // how many there are
)

// String is the cause in one word.
func (c Cause) String() string {
	names := [causes]string{"evicted", "expired", "replaced", "deleted", "cleared", "refused"}
	if c < 0 || c >= causes {
		return fmt.Sprintf("Cause(%d)", int(c))
	}
	return names[c]
}

// A removal is a record that was removed, for OnRemove.
type removal struct {
	record
	cause Cause
}

// tell calls OnRemove for what was removed. No lock is held. A panic in it is counted and goes no further.
func (c *Cache[K, V]) tell(gone []removal) {
	for _, g := range gone {
		if g.header()&flagNegative == 0 {
			c.tellOne(g)
		}
	}
}

func (c *Cache[K, V]) tellOne(g removal) {
	defer c.countPanic()
	key, err := c.keys.decode(g.key())
	if err != nil {
		c.counts.undecodable.Add(1)
		return
	}
	value, err := c.values.decode(g.value())
	if err != nil {
		c.counts.undecodable.Add(1)
		return
	}
	c.cfg.OnRemove(key, value, g.cause)
}
