package worker

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// payloadCount is how many different records there are. They are made at the start and sent round and round, so that
// producing costs next to nothing beside the worker that is looked at.
const payloadCount = 1000

// makePayloads makes records as the front ends send them, the large ones at even distances.
func makePayloads(w world, c brokerConfig) ([][]byte, error) {
	payloads := make([][]byte, payloadCount)
	z := zlib.NewWriter(nil)
	first := uint64(0)
	for i := range payloads {
		n := c.events
		if due(i, c.large) {
			n = w.eventsIn(c.largeBytes)
		}
		var b bytes.Buffer
		if err := writePayload(z, &b, w.batch(first, n)); err != nil {
			return nil, err
		}
		payloads[i], first = b.Bytes(), first+uint64(n)
	}
	return payloads, nil
}

// due says whether the i-th of many is among a share of them that is spread evenly.
func due(i int, share float64) bool { return int(float64(i+1)*share) > int(float64(i)*share) }

// eventsIn is how many events make a message of so many bytes.
func (w world) eventsIn(bytes int) int {
	const some = 100
	return max(1, bytes*some/w.batch(0, some).SizeVT())
}

func writePayload(z *zlib.Writer, to *bytes.Buffer, batch *event.Batch) error {
	message, err := vtCodec{}.append(nil, batch)
	if err != nil {
		return fmt.Errorf("encoding events: %w", err)
	}
	z.Reset(to)
	if _, err := z.Write(message); err != nil {
		return fmt.Errorf("compressing events: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("compressing events: %w", err)
	}
	return nil
}

// produceEvery is how often records are sent: those that are due.
const produceEvery = 10 * time.Millisecond

// produce sends records at the rate until ctx ends. Records that the broker does not take within produceTimeout are
// lost, as a front end's are, and logged once in a while.
func produce(ctx context.Context, c brokerConfig, payloads [][]byte, log *slog.Logger) error {
	if c.rate == 0 {
		return nil
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.brokers...), kgo.ClientID("front-end"),
		kgo.DefaultProduceTopic(c.topic), kgo.AllowAutoTopicCreation(), kgo.RecordPartitioner(c.partitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.MaxBufferedRecords(maxBuffered),
		kgo.RecordDeliveryTimeout(produceTimeout))
	if err != nil {
		return fmt.Errorf("making the producer: %w", err)
	}
	defer client.Close()
	var lost atomic.Int64
	tick := time.NewTicker(produceEvery)
	defer tick.Stop()
	start, sent, told := time.Now(), 0, time.Time{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			for end := int(now.Sub(start).Seconds() * c.rate); sent < end; sent++ {
				if !due(sent, c.sample) {
					continue
				}
				client.TryProduce(ctx, kgo.SliceRecord(payloads[sent%len(payloads)]), func(_ *kgo.Record, err error) {
					if err != nil && ctx.Err() == nil {
						lost.Add(1)
					}
				})
			}
			if n := lost.Load(); n > 0 && now.Sub(told) >= time.Second {
				log.Warn("records were lost: the broker does not take them", "lost", lost.Swap(0))
				told = now
			}
		}
	}
}

// partitioner deals large records out in turn. By default a partition gets 64 KiB in a row, so that a worker that is
// behind, and takes some MB of a partition at a time, would have only small records for a second and then large ones,
// each a hundred times the work.
func (c brokerConfig) partitioner() kgo.Partitioner {
	if c.large == 0 {
		return kgo.UniformBytesPartitioner(64<<10, true, true, nil) // the client's default
	}
	return kgo.RoundRobinPartitioner()
}

const (
	produceTimeout = 10 * time.Second
	maxBuffered    = 10_000 // records, some 20 MB, or 100 with large ones; what comes beside them is lost
)
