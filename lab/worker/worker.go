package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Worker is the three groups. Make it with New, call Run once, and Close when that has returned.
type Worker struct {
	groups   []*group
	fetcher  *fetcher // nil when nothing is fetched
	registry *prometheus.Registry
	mux      *http.ServeMux
	stopping atomic.Bool
}

// New loads the catalogue and opens the folders. It does not wait for the broker.
func New(c Config, log *slog.Logger) (*Worker, error) {
	w := &Worker{registry: serve.NewRegistry()}
	items, err := loadCatalogue(c.Catalogue, world{uint64(c.Items), users})
	if err != nil {
		return nil, err
	}
	for _, name := range c.Groups {
		g, err := newGroup(c, name, items, w.registry, log)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("making the group %s: %w", name, err), w.Close())
		}
		w.groups = append(w.groups, g)
	}
	if c.FetchEvery > 0 {
		if w.fetcher, err = newFetcher(c, items, newGroupNumbers(w.registry, "fetched"), log); err != nil {
			return nil, errors.Join(fmt.Errorf("making the timer that fetches: %w", err), w.Close())
		}
	}
	w.mux = w.routes()
	return w, nil
}

func newGroup(c Config, name string, items catalogue, r prometheus.Registerer, log *slog.Logger) (*group, error) {
	codec, err := newCodec(c.Proto)
	if err != nil {
		return nil, err
	}
	numbers := newGroupNumbers(r, name)
	keeper, err := newKeeper(c, name, items, numbers)
	if err != nil {
		return nil, err
	}
	client, err := newClient(c, name)
	if err != nil {
		return nil, errors.Join(err, keeper.close())
	}
	return &group{name: name, client: client, inflater: inflater{buffers: c.Buffers}, codec: codec, keeper: keeper,
		numbers: numbers, log: log, batch: c.Batch, linger: c.Linger}, nil
}

// newKeeper opens the files of a group, or the database for its rows.
func newKeeper(c Config, name string, items catalogue, numbers *groupNumbers) (keeper, error) {
	if name == "table" && c.Store != "" {
		return newRowStore(c, items, numbers), nil
	}
	if name == "archive" && c.FetchEvery > 0 {
		return newMessageStore(c, items, numbers)
	}
	sink, err := newSink(c, name, items)
	if err != nil {
		return nil, err
	}
	files, err := openSegments(filepath.Join(c.Dir, name), c.Segment, c.Keep, c.Write == "buffered")
	if err != nil {
		return nil, err
	}
	return &filed{sink: sink, files: files}, nil
}

func newSink(c Config, name string, items catalogue) (sink, error) {
	switch name {
	case "archive":
		codec, err := newCodec(c.Proto)
		if err != nil {
			return nil, err
		}
		deflater, err := newDeflater(c.Compression)
		return &archive{codec: codec, deflater: deflater, items: items}, err
	case "table":
		if c.Format == "fmt" {
			return &table{items: items, format: printer{}}, nil
		}
		return &table{items: items, format: &cellWriter{}}, nil
	case "counts":
		if c.Format == "fmt" {
			return &counts{items: items, keys: printedKeys{}, seen: map[string]*int{}}, nil
		}
		return &counts{items: items, keys: &appendedKeys{}, seen: map[string]*int{}}, nil
	}
	return nil, fmt.Errorf("unknown group %q", name)
}

// newClient is a consumer of the topic. What it holds is bounded: one fetch of fetchBytes at a time, and the next
// beside it.
func newClient(c Config, name string) (*kgo.Client, error) {
	opts := []kgo.Opt{
		kgo.SeedBrokers(c.Brokers...),
		kgo.ClientID("worker-" + name),
		kgo.ConsumeTopics(c.Topic),
		kgo.ConsumerGroup(c.Prefix + name),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.DisableAutoCommit(),
		kgo.FetchMaxBytes(fetchBytes),
		kgo.FetchMaxPartitionBytes(fetchBytes / 4),
		kgo.BrokerMaxReadBytes(4 * fetchBytes),
	}
	if c.Start == "end" {
		opts = append(opts, kgo.AdjustFetchOffsetsFn(skipBacklog))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, fmt.Errorf("making the client of the broker: %w", err)
	}
	return client, nil
}

const fetchBytes = 4 << 20

// skipBacklog begins with what comes from now on.
func skipBacklog(_ context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	for _, partitions := range offsets {
		for p := range partitions {
			partitions[p] = kgo.NewOffset().AtEnd()
		}
	}
	return offsets, nil
}

// Run consumes until ctx ends, and stores what it has then. What goes wrong meanwhile is waited for, counted and
// logged.
func (w *Worker) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, g := range w.groups {
		all.Go(func() { g.run(ctx) })
	}
	if w.fetcher != nil {
		all.Go(func() { w.fetcher.run(ctx) })
	}
	all.Wait()
}

// Close leaves the groups and closes the files.
func (w *Worker) Close() error {
	var all errgroup.Group
	for _, g := range w.groups {
		all.Go(g.close)
	}
	if w.fetcher != nil {
		all.Go(w.fetcher.close)
	}
	return all.Wait()
}

// ServeHTTP answers /healthz, /readyz, /stats and /metrics.
func (w *Worker) ServeHTTP(rw http.ResponseWriter, r *http.Request) { w.mux.ServeHTTP(rw, r) }

func (w *Worker) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", serve.Health)
	mux.HandleFunc("GET /readyz", w.serveReady)
	mux.HandleFunc("GET /stats", w.serveStats)
	mux.Handle("GET /metrics", serve.Metrics(w.registry))
	return mux
}
