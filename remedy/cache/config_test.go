package cache_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/remedy/cache"
)

func TestConfigRefused(t *testing.T) {
	for field, cfg := range map[string]cache.Config[string, string]{
		"MaxBytes":     {MaxBytes: 1},
		"MaxBytes ":    {Memory: cache.Mapped, MaxBytes: 1 << 20},
		"MaxEntries":   {MaxEntries: -1},
		"TTL":          {TTL: time.Microsecond},
		"Jitter":       {Jitter: 1},
		"Sliding":      {Sliding: true, TTL: time.Hour, StaleFor: time.Second},
		"NegativeTTL":  {NegativeTTL: -2},
		"RefreshAhead": {TTL: time.Hour, RefreshAhead: 55 * time.Minute},
		"StaleFor":     {StaleFor: time.Hour}, // without a TTL
		"LoadTimeout":  {LoadTimeout: -1},
		"MaxRefreshes": {MaxRefreshes: -1},
		"Memory":       {Memory: 7},
		"codec":        {ValueCodec: &cache.Codec[string]{}},
	} {
		t.Run(field, func(t *testing.T) {
			field := strings.TrimSpace(field)
			if c, err := cache.New(cfg); err == nil || c != nil || !strings.Contains(err.Error(), field) {
				t.Errorf("New: %v, %v, want an error that names %s", c, err, field)
			}
		})
	}
	c := mustNew(t, cache.Config[string, string]{})
	if err := c.SetTTL("k", "v", -7); err == nil || !strings.Contains(err.Error(), "ttl") {
		t.Errorf("SetTTL with -7 ns: %v, want an error that names ttl", err)
	}
}
