package ads

import (
	"fmt"
	"time"

	"github.com/bluele/gcache"
)

// textFlows is a gcache whose keys say all that is known of an ad.
type textFlows struct{ cache gcache.Cache }

func newTextFlows(ads int) textFlows {
	return textFlows{gcache.New(ads).LRU().Expiration(flowLife).Build()}
}

func (f textFlows) of(_ time.Time, topic int, o *offer) flow {
	key := fmt.Sprintf("content:flow:topic=%d:campaign=%d:owner=%s:ad=%d", topic, o.campaign, o.owner, o.id)
	if v, err := f.cache.Get(key); err == nil { // its only error is that the key is not there
		if known, ok := v.(flow); ok {
			return known
		}
	}
	fresh := askFlow(o.id)
	_ = f.cache.Set(key, fresh) // its error can only come from a serialising function, and there is none
	return fresh
}
