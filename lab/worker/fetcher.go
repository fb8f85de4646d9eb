package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/worker/event"
	"github.com/gocasebook/casebook/lab/worker/rows"
)

// A fetcher takes, once a minute, all messages that the archive has put into the database, and counts their events in
// files of its own. All of a minute's work comes at once.
type fetcher struct {
	database
	every    time.Duration
	inflater inflater
	codec    codec
	counts   filed
	log      *slog.Logger

	fetched atomic.Uint64 // messages
	took    atomic.Int64  // the last time, in ns
}

// fetchEach is how many messages a call takes: some MB, where one in 50 is large.
const fetchEach = 20

func newFetcher(c Config, items catalogue, numbers *groupNumbers, log *slog.Logger) (*fetcher, error) {
	codec, err := newCodec(c.Proto)
	if err != nil {
		return nil, err
	}
	sink, err := newSink(c, "counts", items)
	if err != nil {
		return nil, err
	}
	files, err := openSegments(filepath.Join(c.Dir, "fetched"), c.Segment, c.Keep, c.Write == "buffered")
	if err != nil {
		return nil, err
	}
	return &fetcher{database: newDatabase(c, numbers), every: c.FetchEvery, inflater: inflater{buffers: c.Buffers},
		codec: codec, counts: filed{sink, files}, log: log}, nil
}

// run fetches until ctx ends. What it cannot fetch or store waits for the next time; a message that was taken and could
// not be stored is lost, and logged.
func (f *fetcher) run(ctx context.Context) {
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case began := <-tick.C:
			if err := f.fetch(ctx); err != nil {
				f.log.Warn("fetching what was stored", "err", err)
			}
			f.took.Store(int64(time.Since(began)))
		}
	}
}

// fetch takes all messages that are there now.
func (f *fetcher) fetch(ctx context.Context) error {
	for ctx.Err() == nil {
		some, err := f.take(messagesTable, fetchEach)
		if err != nil || len(some) == 0 {
			return err
		}
		batches := f.decode(some)
		if err := f.counts.keep(batches); err != nil {
			return fmt.Errorf("%d messages are lost: %w", len(batches), err)
		}
		f.fetched.Add(uint64(len(batches)))
	}
	return nil
}

// decode leaves out what cannot be read.
func (f *fetcher) decode(some []*rows.Row) (batches []*event.Batch) {
	for _, r := range some {
		err := fmt.Errorf("it has %d cells, want one", len(r.Cells))
		if len(r.Cells) == 1 {
			err = f.inflater.inflate(r.Cells[0].Value, func(raw []byte) error {
				b, err := f.codec.decode(raw)
				if err == nil {
					batches = append(batches, b)
				}
				return err
			})
		}
		if err != nil {
			f.log.Warn("a message cannot be read and is left out", "key", r.Key, "err", err)
		}
	}
	return batches
}

func (f *fetcher) close() error { return errors.Join(f.database.close(), f.counts.close()) }
