package worker

import (
	"strconv"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/worker/event"
)

// An item is what the catalogue knows of a listing.
type item struct {
	title    string
	category string
	seller   uint64
	price    int64 // in hundredths
}

// A catalogue is the snapshot of all listings that events are completed from, held in memory.
type catalogue map[uint64]*item

// loadCatalogue reads the snapshot of a world.
func loadCatalogue(w world) catalogue {
	c := make(catalogue, w.items)
	for id := uint64(1); id <= w.items; id++ {
		h := draw.Mix(id ^ 0xca7a1)
		c[id] = &item{
			title:    query(h) + ", " + strconv.FormatUint(h%10_000, 10),
			category: categoryOf(id),
			seller:   1 + h%w.users,
			price:    int64(h>>16%10_000_000) * 10,
		}
	}
	return c
}

// complete adds what is known of the items to the events. Doing it twice is as doing it once.
func (c catalogue) complete(b *event.Batch) {
	for _, e := range b.Events {
		if it := c[e.Item]; it != nil {
			e.Category, e.Seller, e.Price = it.category, it.seller, it.price
		}
	}
}
