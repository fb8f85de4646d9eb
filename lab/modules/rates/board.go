package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/robfig/cron/v3"
)

// A board has all rates in memory, and reads them again by a job.
type board struct {
	mu    sync.RWMutex
	rates map[string]float64
}

func newBoard(kind string) (source, error) {
	b := &board{rates: decode(quotes(pairs))}
	c := cron.New(cron.WithSeconds())
	var err error
	switch kind {
	case "cron-lock": // reads 300,000 lines while it has the lock
		list := quotes(300_000)
		_, err = c.AddFunc("*/20 * * * * *", func() { b.reload(list) })
	case "cron-light":
		list := quotes(pairs)
		_, err = c.AddFunc("*/20 * * * * *", func() {
			next := decode(list)
			b.mu.Lock()
			b.rates = next
			b.mu.Unlock()
		})
	case "ticker-sort": // a report by several goroutines, which leave requests no processor
		go func() {
			for range time.Tick(period) {
				b.report()
			}
		}()
	}
	c.Start()
	return b, err
}

func (b *board) reload(list []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rates = decode(list)
}

func (b *board) report() {
	var all sync.WaitGroup
	for range 8 * runtime.GOMAXPROCS(0) {
		all.Go(func() { ranks(400_000) })
	}
	all.Wait()
}

func (b *board) rate(_ context.Context, pair string) (string, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v, ok := b.rates[pair]
	if !ok {
		return "", fmt.Errorf("no pair %s", pair)
	}
	return strconv.FormatFloat(v, 'f', 5, 64), nil
}

// A history keeps a million old rates as a graph of pointers, and makes garbage for each answer: the collector comes
// every few seconds and takes a while.
type history struct {
	mu   sync.Mutex
	last map[string]*entry
}

type entry struct {
	rate   float64
	before *entry
}

func newHistory() *history {
	h := &history{last: make(map[string]*entry)}
	for i := range 1_000_000 {
		k := strconv.Itoa(i % pairs)
		h.last[k] = &entry{float64(i), h.last[k]}
	}
	return h
}

func (h *history) rate(_ context.Context, pair string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []float64
	for e := h.last[pair]; e != nil; e = e.before {
		all = append(all, e.rate)
	}
	if len(all) == 0 {
		return "", fmt.Errorf("no pair %s", pair)
	}
	text := make([]byte, 0, 64<<10)
	for _, v := range all {
		text = strconv.AppendFloat(text, v, 'f', 2, 64)
	}
	return strconv.FormatFloat(all[0], 'f', 5, 64), nil
}
