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
)

// payloadCount is how many different records there are. They are made at the start and sent round and round, so that
// producing costs next to nothing beside the worker that is looked at.
const payloadCount = 1000

// makePayloads makes records of n events each, as the front ends send them.
func makePayloads(w world, n int) ([][]byte, error) {
	payloads := make([][]byte, payloadCount)
	z := zlib.NewWriter(nil)
	for i := range payloads {
		message, err := vtCodec{}.append(nil, w.batch(uint64(i*n), n))
		if err != nil {
			return nil, fmt.Errorf("encoding events: %w", err)
		}
		var b bytes.Buffer
		z.Reset(&b)
		if _, err := z.Write(message); err != nil {
			return nil, fmt.Errorf("compressing events: %w", err)
		}
		if err := z.Close(); err != nil {
			return nil, fmt.Errorf("compressing events: %w", err)
		}
		payloads[i] = b.Bytes()
	}
	return payloads, nil
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
		kgo.DefaultProduceTopic(c.topic), kgo.AllowAutoTopicCreation(),
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
			for due := int(now.Sub(start).Seconds() * c.rate); sent < due; sent++ {
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

const (
	produceTimeout = 10 * time.Second
	maxBuffered    = 10_000 // records, some 20 MB; what comes beside them is lost
)
