// Spans is an agent that takes spans by HTTP and hands them to a collector of Jaeger's by Thrift: generated code, the
// binary protocol, and the socket that NewTSocketConf makes. With -kind buffered the transport has a buffer.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"sync"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/jaegertracing/jaeger-idl/thrift-gen/jaeger"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type agent struct {
	mu      sync.Mutex // the client is of one connection
	client  *jaeger.CollectorClient
	process *jaeger.Process
}

func newAgent(addr string, buffered bool) (*agent, error) {
	cfg := &thrift.TConfiguration{ConnectTimeout: time.Second, SocketTimeout: 5 * time.Second}
	var trans thrift.TTransport = thrift.NewTSocketConf(addr, cfg)
	if buffered {
		trans = thrift.NewTBufferedTransport(trans, 32<<10)
	}
	if err := trans.Open(); err != nil {
		return nil, err
	}
	host := "shop-7"
	return &agent{
		client: jaeger.NewCollectorClientFactory(trans, thrift.NewTBinaryProtocolFactoryConf(cfg)),
		process: &jaeger.Process{ServiceName: "shop", Tags: []*jaeger.Tag{
			{Key: "host", VType: jaeger.TagType_STRING, VStr: &host}}},
	}, nil
}

// report sends the spans of one request of the shop.
func (a *agent) report(ctx context.Context, trace int64) error {
	now := time.Now().UnixMicro()
	spans := make([]*jaeger.Span, 6)
	for i := range spans {
		status, url := int64(200), fmt.Sprintf("/items/%d", trace%1000)
		spans[i] = &jaeger.Span{TraceIdLow: trace, SpanId: int64(i + 1), ParentSpanId: int64(i), Flags: 1,
			OperationName: "lookup", StartTime: now, Duration: 1500, Tags: []*jaeger.Tag{
				{Key: "http.status_code", VType: jaeger.TagType_LONG, VLong: &status},
				{Key: "http.url", VType: jaeger.TagType_STRING, VStr: &url},
			}}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	res, err := a.client.SubmitBatches(ctx, []*jaeger.Batch{{Process: a.process, Spans: spans}})
	if err == nil && (len(res) != 1 || !res[0].Ok) {
		err = fmt.Errorf("the collector refuses trace %d", trace)
	}
	return err
}

func start(o serve.Options) error {
	a, err := newAgent(o.Backend, o.Kind == "buffered")
	if err != nil {
		return err
	}
	http.HandleFunc("POST /trace/{id}", func(w http.ResponseWriter, r *http.Request) {
		var id int64
		fmt.Sscan(r.PathValue("id"), &id)
		if err := a.report(r.Context(), id); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	return nil
}

type collector struct{}

func (collector) SubmitBatches(_ context.Context, batches []*jaeger.Batch) ([]*jaeger.BatchSubmitResponse, error) {
	out := make([]*jaeger.BatchSubmitResponse, len(batches))
	for i := range out {
		out[i] = &jaeger.BatchSubmitResponse{Ok: true}
	}
	return out, nil
}

func backend() (string, func(), error) {
	l, err := thrift.NewTServerSocket("127.0.0.1:0")
	if err == nil {
		err = l.Listen()
	}
	if err != nil {
		return "", nil, err
	}
	s := thrift.NewTSimpleServer4(jaeger.NewCollectorProcessor(collector{}), l,
		thrift.NewTBufferedTransportFactory(32<<10), thrift.NewTBinaryProtocolFactoryConf(nil))
	go func() {
		if err := s.Serve(); err != nil {
			log.Print(err)
		}
	}()
	return l.Addr().String(), func() { s.Stop() }, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Backend: backend, Method: http.MethodPost,
		Path: func(i int) string { return fmt.Sprint("/trace/", i) }})
}
