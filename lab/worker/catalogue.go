package worker

import (
	"fmt"
	"strconv"

	"github.com/gocasebook/casebook/lab/draw"
	"github.com/gocasebook/casebook/lab/worker/event"
)

// A catalogue is the snapshot of all listings that events are completed from, held in memory and only read.
type catalogue interface {
	// complete adds what is known of the items to the events. Doing it twice is as doing it once.
	complete(b *event.Batch)
}

// catalogueNames are the values of -catalogue.
var catalogueNames = []string{"pointers", "flat"}

// loadCatalogue reads the snapshot of a world.
func loadCatalogue(name string, w world) (catalogue, error) {
	switch name {
	case "pointers":
		c := make(itemMap, w.items)
		for id := uint64(1); id <= w.items; id++ {
			it := w.listing(id)
			c[id] = &it
		}
		return c, nil
	case "flat":
		return newFlatItems(w), nil
	}
	return nil, fmt.Errorf("unknown catalogue %q", name)
}

// An item is what the catalogue knows of a listing.
type item struct {
	title    string
	category string
	seller   uint64
	price    int64 // in hundredths
}

func (w world) listing(id uint64) item {
	h := draw.Mix(id ^ 0xca7a1)
	return item{
		title:    query(h) + ", " + strconv.FormatUint(h%10_000, 10),
		category: categoryOf(id),
		seller:   1 + h%w.users,
		price:    int64(h>>16%10_000_000) * 10,
	}
}

// An itemMap has an object for each item and one for its title, as one writes it: the collector visits them all in
// every cycle.
type itemMap map[uint64]*item

func (c itemMap) complete(b *event.Batch) {
	for _, e := range b.Events {
		if it := c[e.Item]; it != nil {
			e.Category, e.Seller, e.Price = it.category, it.seller, it.price
		}
	}
}

// flatItems have no pointers, so that the collector does not look into them, and all titles in one buffer.
type flatItems struct {
	items  map[uint64]flatItem
	titles []byte
}

// A flatItem is an item without pointers.
type flatItem struct {
	seller     uint64
	price      int64
	title      uint32 // where it begins in the titles
	titleBytes uint16
	category   uint8 // in categories
}

func newFlatItems(w world) *flatItems {
	number := map[string]uint8{}
	for i, name := range categories {
		number[name] = uint8(i)
	}
	c := &flatItems{items: make(map[uint64]flatItem, w.items)}
	for id := uint64(1); id <= w.items; id++ {
		it := w.listing(id)
		c.items[id] = flatItem{it.seller, it.price, uint32(len(c.titles)), uint16(len(it.title)), number[it.category]}
		c.titles = append(c.titles, it.title...)
	}
	return c
}

func (c *flatItems) complete(b *event.Batch) {
	for _, e := range b.Events {
		if it, ok := c.items[e.Item]; ok {
			e.Category, e.Seller, e.Price = categories[it.category], it.seller, it.price
		}
	}
}
