package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// An Item is what is on a shelf.
type Item struct {
	SKU   string `json:"sku"`
	Count int    `json:"count"`
	Bin   string `json:"bin"`
}

// Stock keeps items under warehouse/sku.
type Stock struct{ db *badger.DB }

// Open makes an inventory to begin with.
func Open(warehouses, items int) (*Stock, error) {
	db, err := badger.Open(badger.DefaultOptions("").WithInMemory(true).WithLogger(nil).WithMemTableSize(16 << 20))
	if err != nil {
		return nil, fmt.Errorf("opening the inventory: %w", err)
	}
	s := &Stock{db: db}
	batch := db.NewWriteBatch()
	defer batch.Cancel()
	for w := range warehouses {
		for i := range items {
			it := Item{SKU: fmt.Sprintf("sku-%05d", i), Count: (w*31 + i*17) % 90, Bin: fmt.Sprintf("A%d", i%40)}
			value, err := json.Marshal(it)
			if err != nil {
				return nil, err
			}
			if err := batch.Set(key(fmt.Sprintf("%04d", w), it.SKU), value); err != nil {
				return nil, err
			}
		}
	}
	return s, batch.Flush()
}

func key(warehouse, sku string) []byte { return []byte("stock/" + warehouse + "/" + sku) }

// Get is one item.
func (s *Stock) Get(warehouse, sku string) (it Item, err error) {
	err = s.db.View(func(txn *badger.Txn) error {
		found, err := txn.Get(key(warehouse, sku))
		if err != nil {
			return err
		}
		return found.Value(func(v []byte) error { return json.Unmarshal(v, &it) })
	})
	return it, err
}

// Put replaces one item.
func (s *Stock) Put(warehouse string, it Item) error {
	value, err := json.Marshal(it)
	if err != nil {
		return err
	}
	return s.db.Update(func(txn *badger.Txn) error { return txn.Set(key(warehouse, it.SKU), value) })
}

// Low is what a warehouse has fewer than n of.
func (s *Stock) Low(warehouse string, n int) ([]Item, error) {
	var low []Item
	prefix := key(warehouse, "")
	err := s.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if !bytes.HasPrefix(it.Item().Key(), prefix) {
				continue
			}
			var i Item
			if err := it.Item().Value(func(v []byte) error { return json.Unmarshal(v, &i) }); err != nil {
				return fmt.Errorf("reading %s: %w", it.Item().Key(), err)
			}
			if i.Count < n {
				low = append(low, i)
			}
		}
		return nil
	})
	return low, err
}
