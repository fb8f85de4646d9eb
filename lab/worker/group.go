package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// A group is one consumer of the topic, with what it makes of the events. Its Run is one goroutine, and nothing of it
// but its numbers is used by another.
type group struct {
	name     string
	client   *kgo.Client
	inflater inflater
	codec    codec
	keeper   keeper
	numbers  *groupNumbers
	log      *slog.Logger

	batch  int           // records that are stored at once, at most
	linger time.Duration // how long a batch may wait to be full
}

// A sink writes what it makes of batches. It may be called again with the same, when the disk was full.
type sink interface {
	write(w io.Writer, batches []*event.Batch) error
}

// run consumes until ctx ends.
func (g *group) run(ctx context.Context) {
	for ctx.Err() == nil {
		records := g.gather(ctx)
		if len(records) == 0 {
			continue
		}
		if err := g.store(ctx, g.decode(records)); err != nil {
			return // asked to stop while that fails: what is not stored is not committed, and comes again
		}
		g.commit(ctx, records)
	}
}

// gather waits for the next records, and then until there are enough of them or they have waited for the linger.
func (g *group) gather(ctx context.Context) []*kgo.Record {
	records := g.poll(ctx, g.batch)
	if len(records) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, g.linger)
	defer cancel()
	for len(records) < g.batch && ctx.Err() == nil {
		records = append(records, g.poll(ctx, g.batch-len(records))...)
	}
	return records
}

// poll waits for records. The client itself tries again what fails; it is told here.
func (g *group) poll(ctx context.Context, most int) []*kgo.Record {
	fetches := g.client.PollRecords(ctx, most)
	fetches.EachError(func(topic string, partition int32, err error) {
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) &&
			!errors.Is(err, kgo.ErrClientClosed) {
			g.numbers.pollErrors.Inc()
			g.log.Warn("reading from the broker", "group", g.name, "topic", topic, "partition", partition, "err", err)
		}
	})
	return fetches.Records()
}

// A decoded batch of records is what is stored at once.
type decoded struct {
	batches []*event.Batch
	failed  int
	bytes   int         // of the good records, decompressed
	made    []time.Time // when the good records were
}

// decode leaves out records that cannot be read: they would be as bad when they came again.
func (g *group) decode(records []*kgo.Record) decoded {
	d := decoded{batches: make([]*event.Batch, 0, len(records)), made: make([]time.Time, 0, len(records))}
	var first error
	for _, r := range records {
		b, size, err := g.read(r.Value)
		if err != nil {
			d.failed++
			first = cmp.Or(first, fmt.Errorf("partition %d, offset %d: %w", r.Partition, r.Offset, err))
			continue
		}
		d.batches, d.made = append(d.batches, b), append(d.made, r.Timestamp)
		d.bytes += size
	}
	if d.failed > 0 {
		g.log.Warn("records cannot be read and are left out", "group", g.name, "records", d.failed, "first", first)
	}
	return d
}

func (g *group) read(value []byte) (b *event.Batch, size int, err error) {
	err = g.inflater.inflate(value, func(raw []byte) error {
		size = len(raw)
		if b, err = g.codec.decode(raw); err != nil {
			return fmt.Errorf("decoding: %w", err)
		}
		return nil
	})
	return b, size, err
}

// How long to wait before a batch that could not be stored is tried again.
const (
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second
)

// store keeps the batch, and tries again when the disk or the database fails. It gives up only when ctx ends.
func (g *group) store(ctx context.Context, d decoded) error {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := g.keeper.keep(d.batches)
		if err == nil {
			g.numbers.stored(d, time.Now(), g.keeper.kept())
			return nil
		}
		g.numbers.storeErrors.Inc()
		g.log.Error("storing failed; it is tried again, and the group waits meanwhile", "group", g.name, "in", pause,
			"err", err)
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
	}
}

// commitTimeout is how long the broker has for a commit, also one of the end.
const commitTimeout = 5 * time.Second

// commit tells the broker that the records are stored. When that fails they are stored again after a restart, or a
// later commit makes up for it.
func (g *group) commit(ctx context.Context, records []*kgo.Record) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	if err := g.client.CommitRecords(ctx, records...); err != nil {
		g.numbers.commitErrors.Inc()
		g.log.Warn("committing offsets", "group", g.name, "err", err)
	}
}

// close leaves the group, which the broker has commitTimeout for, and closes the file.
func (g *group) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
	defer cancel()
	if err := g.client.LeaveGroupContext(ctx); err != nil {
		g.log.Warn("leaving the group; the broker will find out by itself", "group", g.name, "err", err)
	}
	g.client.Close()
	return g.keeper.close()
}
