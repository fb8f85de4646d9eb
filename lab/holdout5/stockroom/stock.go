package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
)

func sku(i int) string { return fmt.Sprintf("SKU-%06d", i) }

// An Item is an article and its bins.
type Item struct {
	SKU     string    `json:"sku"`
	Name    string    `json:"name"`
	Bins    [5]int    `json:"bins"`
	Changed time.Time `json:"changed"`
}

// A Movement puts pieces into a bin, or takes them out if Count is negative.
type Movement struct {
	Bin   int `json:"bin"`
	Count int `json:"count"`
}

// Stock is all items.
type Stock struct {
	mu    sync.RWMutex
	items map[string]*Item
	order []string
}

// NewStock has n items.
func NewStock(n int) *Stock {
	s := &Stock{items: make(map[string]*Item, n)}
	for i := range n {
		it := &Item{SKU: sku(i), Name: fmt.Sprintf("Hexagon bolt M%d x %d, galvanised, box of 200", 4+i%16, 10+i%90),
			Changed: time.Now()}
		for b := range it.Bins {
			it.Bins[b] = i * (b + 3) % 400
		}
		s.items[it.SKU] = it
		s.order = append(s.order, it.SKU)
	}
	return s
}

// Item is a copy of one.
func (s *Stock) Item(sku string) (Item, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	it, ok := s.items[sku]
	if !ok {
		return Item{}, false
	}
	return *it, true
}

// Errors of a movement.
var (
	ErrUnknown = errors.New("no such article or bin")
	ErrEmpty   = errors.New("not that many in the bin")
)

// Move changes what is in a bin.
func (s *Stock) Move(sku string, m Movement) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, ok := s.items[sku]
	if !ok || m.Bin < 0 || m.Bin >= len(it.Bins) {
		return ErrUnknown
	}
	if it.Bins[m.Bin]+m.Count < 0 {
		return ErrEmpty
	}
	it.Bins[m.Bin] += m.Count
	it.Changed = time.Now()
	return nil
}

// WriteCSV writes all items as they are at one moment.
func (s *Stock) WriteCSV(w io.Writer) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := csv.NewWriter(w)
	if err := out.Write([]string{"sku", "name", "bin1", "bin2", "bin3", "bin4", "bin5", "changed"}); err != nil {
		return err
	}
	record := make([]string, 0, 8)
	for _, sku := range s.order {
		it := s.items[sku]
		record = append(record[:0], it.SKU, it.Name)
		for _, n := range it.Bins {
			record = append(record, strconv.Itoa(n))
		}
		record = append(record, it.Changed.Format(time.RFC3339))
		if err := out.Write(record); err != nil {
			return fmt.Errorf("writing %s: %w", sku, err)
		}
	}
	out.Flush()
	return out.Error()
}
