//go:build unix

package worker

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// kafkaCluster is a broker of a benchmark, which speaks Kafka's protocol over loopback.
func kafkaCluster(b *testing.B, partitions int) *kfake.Cluster {
	b.Helper()
	cluster, err := startCluster(brokerConfig{listen: "127.0.0.1:0", topic: "events", partitions: partitions,
		retention: time.Hour})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(cluster.Close)
	return cluster
}

func kafkaClient(b *testing.B, cluster *kfake.Cluster, opts ...kgo.Opt) *kgo.Client {
	b.Helper()
	client, err := kgo.NewClient(append(opts, kgo.SeedBrokers(cluster.ListenAddrs()...))...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(client.Close)
	return client
}

// kafkaProduces is the key of a produce request in Kafka's protocol.
const kafkaProduces = 0

// A requestCount counts a client's produce requests.
type requestCount struct{ n atomic.Int64 }

func (c *requestCount) OnBrokerWrite(_ kgo.BrokerMetadata, key int16, _ int, _, _ time.Duration, err error) {
	if key == kafkaProduces && err == nil {
		c.n.Add(1)
	}
}

// kafkaRate is how many records a second the benchmark of a producer sends, where it does not wait for each.
const kafkaRate = 2000

// BenchmarkLinger is a producer that gathers records of 1 KiB before it sends them: how long a record waits until the
// broker has it (delay), how many go in a request, and the CPU of producer and broker for a record. By "each" the
// sender waits for every record before the next, as kafka-go's WriteMessages does with one message: then the linger is
// all that it does.
//
//	go test -run '^$' -bench Linger ./lab/worker
//
// On two cores of an AMD EPYC with other work (30 November 2026, kfake and franz-go, 2,000 records a second):
//
//	linger 1 ms: 3.8 records a request, 52 µs of CPU a record, half wait 1.2 ms
//	linger 10 ms: 25 records a request, 26 µs of CPU a record, half wait 6.8 ms
//	linger 100 ms: 182 records a request, 14 µs of CPU a record, half wait 55 ms
//	each, linger 10 ms: one record a request, 371 µs of CPU, and each sender sends 79 a second
func BenchmarkLinger(b *testing.B) {
	for _, form := range []struct {
		linger time.Duration
		each   bool
	}{{0, false}, {time.Millisecond, false}, {10 * time.Millisecond, false}, {100 * time.Millisecond, false},
		{0, true}, {10 * time.Millisecond, true}} {
		b.Run(fmt.Sprintf("linger=%v/each=%v", form.linger, form.each), func(b *testing.B) {
			requests := &requestCount{}
			client := kafkaClient(b, kafkaCluster(b, 6), kgo.DefaultProduceTopic("events"),
				kgo.ProducerLinger(form.linger), kgo.WithHooks(requests))
			p := &producing{client: client, value: bytes.Repeat([]byte("kib of a"), 128)}
			p.send(b.Context(), true) // connects, and asks for the topic
			p.took, requests.n = nil, atomic.Int64{}
			began, cpu := time.Now(), cpuTime(b)
			b.ResetTimer()
			for i := range b.N {
				if !form.each {
					time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / kafkaRate)))
				}
				p.send(b.Context(), form.each)
			}
			if err := client.Flush(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			p.report(b, requests.n.Load(), cpuTime(b)-cpu)
		})
	}
}

// producing is the records of one producer, and how long each took.
type producing struct {
	client *kgo.Client
	value  []byte

	mu   sync.Mutex // guards what follows
	took []time.Duration
	err  error
}

func (p *producing) send(ctx context.Context, wait bool) {
	at := time.Now()
	sent := make(chan struct{})
	p.client.Produce(ctx, &kgo.Record{Value: p.value}, func(_ *kgo.Record, err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.took = append(p.took, time.Since(at)); err != nil {
			p.err = err
		}
		close(sent)
	})
	if wait {
		<-sent
	}
}

func (p *producing) report(b *testing.B, requests int64, cpu time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || len(p.took) != b.N {
		b.Fatalf("%d of %d records were sent: %v", len(p.took), b.N, p.err)
	}
	slices.Sort(p.took)
	b.ReportMetric(ms(p.took[len(p.took)/2]), "p50-ms")
	b.ReportMetric(ms(p.took[len(p.took)*99/100]), "p99-ms")
	b.ReportMetric(float64(b.N)/float64(max(requests, 1)), "records/request")
	b.ReportMetric(float64(cpu.Microseconds())/float64(b.N), "cpu-µs/record")
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

// BenchmarkPartitions is a consumer group whose members each wait a millisecond for every record, as for a store: with
// more members than partitions some have nothing to do, and no record more is done in a second.
//
//	go test -run '^$' -bench Partitions -benchtime 4000x ./lab/worker
//
// On two cores of an AMD EPYC with other work (30 November 2026):
//
//	2 partitions: 1,581 records a second with 2 members, 1,194 with 6, of whom 4 have nothing to do
//	6 partitions: 5,046 records a second with 6 members, 3,955 with 8, of whom 2 have nothing to do
func BenchmarkPartitions(b *testing.B) {
	for _, partitions := range []int{2, 6} {
		for _, members := range []int{1, 2, 6, 8} {
			b.Run(fmt.Sprintf("partitions=%d/members=%d", partitions, members), func(b *testing.B) {
				cluster := kafkaCluster(b, partitions)
				fill(b, cluster, partitions, [][]byte{[]byte("a record")})
				c := newConsuming(b.N, func([]byte) error { time.Sleep(time.Millisecond); return nil })
				idle := c.join(b, cluster, "group", partitions, members)
				b.ResetTimer()
				close(c.ready)
				c.wait(b)
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
				b.ReportMetric(float64(idle), "idle-members")
			})
		}
	}
}

// BenchmarkGroups is one topic that one group reads, or three, each of which decompresses and decodes every record: the
// CPU for a record of the topic, broker and client included.
//
//	go test -run '^$' -bench Groups -benchtime 2000x ./lab/worker
//
// On two cores of an AMD EPYC with other work (30 November 2026):
//
//	73 µs of CPU a record with one group, 214 µs with three, 116 µs with one that decodes three times
func BenchmarkGroups(b *testing.B) {
	var record bytes.Buffer
	if err := writePayload(zlib.NewWriter(nil), &record, smallWorld.batch(0, 40)); err != nil {
		b.Fatal(err)
	}
	for _, form := range []struct{ groups, decodes int }{{1, 1}, {3, 1}, {1, 3}} {
		b.Run(fmt.Sprintf("groups=%d/decodes=%d", form.groups, form.decodes), func(b *testing.B) {
			cluster := kafkaCluster(b, 6)
			fill(b, cluster, 6, [][]byte{record.Bytes()})
			c := newConsuming(form.groups*b.N, func(value []byte) error { return decodeOften(value, form.decodes) })
			for i := range form.groups {
				c.join(b, cluster, "group-"+strconv.Itoa(i), 6, 1)
			}
			cpu := cpuTime(b)
			b.ResetTimer()
			close(c.ready)
			c.wait(b)
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/record")
		})
	}
}

// decodeOften decompresses a record once and decodes it so many times.
func decodeOften(value []byte, times int) error {
	codec, err := newCodec("vtproto")
	if err != nil {
		return err
	}
	in := &inflater{buffers: "kept"}
	return in.inflate(value, func(raw []byte) error {
		for range times {
			if _, err := codec.decode(raw); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill puts b.N records into the topic, spread over its partitions.
func fill(b *testing.B, cluster *kfake.Cluster, partitions int, values [][]byte) {
	b.Helper()
	client := kafkaClient(b, cluster, kgo.DefaultProduceTopic("events"), kgo.RecordPartitioner(kgo.ManualPartitioner()))
	var records []*kgo.Record
	for i := range b.N {
		records = append(records, &kgo.Record{Partition: int32(i % partitions), Value: values[i%len(values)]})
	}
	if err := client.ProduceSync(b.Context(), records...).FirstErr(); err != nil {
		b.Fatal(err)
	}
}

// consuming is the records that consumers have still to take.
type consuming struct {
	left  atomic.Int64
	take  func(value []byte) error
	ready chan struct{} // closed when they may begin
	done  chan struct{} // closed when none is left
	err   atomic.Pointer[error]
}

func newConsuming(n int, take func([]byte) error) *consuming {
	c := &consuming{take: take, ready: make(chan struct{}), done: make(chan struct{})}
	c.left.Store(int64(n))
	return c
}

// join starts the members of a group, waits until they have all partitions, and says how many have none.
func (c *consuming) join(b *testing.B, cluster *kfake.Cluster, group string, partitions, members int) (idle int) {
	b.Helper()
	has := make([]atomic.Int64, members)
	for i := range members {
		count := func(by int64) func(context.Context, *kgo.Client, map[string][]int32) {
			return func(_ context.Context, _ *kgo.Client, got map[string][]int32) {
				has[i].Add(by * int64(len(got["events"])))
			}
		}
		client := kafkaClient(b, cluster, kgo.ConsumerGroup(group), kgo.ConsumeTopics("events"), kgo.DisableAutoCommit(),
			kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.OnPartitionsAssigned(count(1)),
			kgo.OnPartitionsRevoked(count(-1)), kgo.OnPartitionsLost(count(-1)))
		ctx, cancel := context.WithCancel(b.Context())
		var polls sync.WaitGroup
		polls.Go(func() { c.poll(ctx, client) })
		b.Cleanup(func() { cancel(); polls.Wait() }) // before its client is closed
	}
	spread := func() (all int64, ok bool) {
		idle = 0
		for i := range has {
			n := has[i].Load()
			if all += n; n == 0 {
				idle++
			}
		}
		return all, all == int64(partitions) && idle == max(members-partitions, 0)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if all, ok := spread(); ok {
			return idle
		} else if time.Now().After(end) {
			b.Fatalf("%d members have %d of %d partitions, and %d have none", members, all, partitions, idle)
		}
	}
}

// poll takes records until ctx ends.
func (c *consuming) poll(ctx context.Context, client *kgo.Client) {
	for ctx.Err() == nil {
		fetches := client.PollFetches(ctx)
		select {
		case <-c.ready:
		case <-ctx.Done():
			return
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if ctx.Err() != nil {
				return
			}
			if err := c.take(r.Value); err != nil {
				c.err.Store(&err)
			}
			if c.left.Add(-1) == 0 {
				close(c.done)
			}
		})
	}
}

func (c *consuming) wait(b *testing.B) {
	select {
	case <-c.done:
	case <-time.After(5 * time.Minute):
		b.Fatalf("%d records were not consumed", c.left.Load())
	}
	if err := c.err.Load(); err != nil {
		b.Fatal(*err)
	}
}
