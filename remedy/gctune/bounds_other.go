//go:build !linux

package gctune

import (
	"math"
	"runtime/metrics"
	"time"
)

// bounds know Config.Limit only: there are no cgroups here.
type bounds struct{ list []bound }

func openBounds(c Config) (*bounds, error) {
	b := &bounds{}
	if c.Limit > 0 {
		b.list = []bound{{name: "Config.Limit", limit: c.Limit}}
	}
	return b, nil
}

// read counts only the Go runtime's own memory, because the standard library cannot say here how much memory of this
// process is resident. Memory from C or mmap is not seen.
func (b *bounds) read(time.Duration) ([]bound, error) {
	m := [2]metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(m[:])
	for i := range b.list {
		b.list[i].used = int64(min(m[0].Value.Uint64()-m[1].Value.Uint64(), math.MaxInt64))
	}
	return b.list, nil
}

func (b *bounds) close() {}
