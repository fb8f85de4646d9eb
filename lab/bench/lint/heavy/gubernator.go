package heavy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protowire"
)

// gubernator limits how often accounts, addresses and keys may do what: gateways ask it over gRPC, before each request,
// and some scripts over HTTP. It is a cluster of one, which finds itself at gubernator's default port.
func gubernator() Service {
	return Service{
		Name: "gubernator", Module: "github.com/gubernator-io/gubernator/v2", Version: "v2.13.0", Main: "cmd/gubernator",
		Unseen: true,
		Args:   []string{"--config={dir}/gubernator.conf"},
		Env:    []string{"GUBER_HTTP_ADDRESS=127.0.0.1:{port}"},
		Config: map[string]string{"gubernator.conf": `GUBER_GRPC_ADDRESS=127.0.0.1:{other}
GUBER_ADVERTISE_ADDRESS=127.0.0.1:{other}
GUBER_MEMBERLIST_KNOWN_NODES=127.0.0.1:7946
GUBER_LOG_LEVEL=error
`},
		Ready: "/v1/HealthCheck",
		Load:  loadGubernator,
	}
}

// What gubernator.proto (v2) numbers.
const (
	guberLeaky    = 1
	guberNoBatch  = 1
	guberGlobal   = 2
	guberCalendar = 4 // the duration is a span of the calendar: 0 is a minute
)

func loadGubernator(ctx context.Context, on Target) error {
	conn, err := grpc.NewClient(on.Other, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(plain{})))
	if err != nil {
		return err
	}
	defer conn.Close()
	clients := times(24, func(ctx context.Context, i int) error { return gateway(ctx, conn, on, i) })
	clients = append(clients, times(2, browser(on, "http://"+on.Addr, func(r *rand.Rand) request {
		time.Sleep(5 * time.Millisecond)
		body, _ := json.Marshal(map[string]any{"requests": []any{map[string]any{"name": "requests_per_minute", // texts
			"unique_key": fmt.Sprintf("account:%d", r.IntN(20_000)), "hits": "1", "limit": "100", "duration": "60000"}}})
		return post("/v1/GetRateLimits", string(body))
	}))...)
	clients = append(clients, times(1, browser(on, "http://"+on.Addr, func(*rand.Rand) request {
		time.Sleep(5 * time.Second)
		return get("/metrics")
	}))...)
	return together(ctx, clients...)
}

// gateway asks for each of its requests, about one to four limits.
func gateway(ctx context.Context, conn *grpc.ClientConn, on Target, i int) error {
	r := rand.New(rand.NewPCG(uint64(i), 47))
	for ctx.Err() == nil {
		var all []byte
		for range 1 + r.IntN(4) {
			all = protowire.AppendTag(all, 1, protowire.BytesType)
			all = protowire.AppendBytes(all, guberLimit(r))
		}
		var answer []byte
		err := conn.Invoke(ctx, "/pb.gubernator.V1/GetRateLimits", &all, &answer)
		if ctx.Err() == nil {
			on.Seen.Is(err == nil)
		}
	}
	return nil
}

// guberLimit is a RateLimitReq.
func guberLimit(r *rand.Rand) []byte {
	name, key := "requests_per_second", fmt.Sprintf("account:%d", r.IntN(20_000))
	limit, duration, algorithm, behavior := 50, 1000, 0, 0
	switch r.IntN(8) {
	case 0:
		name, key, limit, duration = "logins", fmt.Sprintf("ip:10.%d.%d.%d", r.IntN(4), r.IntN(256), r.IntN(256)), 5, 60_000
	case 1:
		name, key, limit, duration, algorithm = "uploads", fmt.Sprintf("key:%08x", r.IntN(5000)), 20, 10_000, guberLeaky
	case 2:
		name, limit, duration, behavior = "api_total", 1_000_000, 60_000, guberGlobal
	case 3:
		name, limit, duration, behavior = "mails_per_minute", 30, 0, guberCalendar
	case 4:
		behavior = guberNoBatch
	}
	var b []byte
	for i, s := range []string{name, key} {
		b = protowire.AppendTag(b, protowire.Number(1+i), protowire.BytesType)
		b = protowire.AppendString(b, s)
	}
	for i, v := range []int{1, limit, duration, algorithm, behavior} { // hits first
		b = protowire.AppendTag(b, protowire.Number(3+i), protowire.VarintType)
		b = protowire.AppendVarint(b, uint64(v))
	}
	return b
}

// plain is a codec for messages that are encoded already.
type plain struct{}

func (plain) Name() string { return "proto" }

func (plain) Marshal(v any) ([]byte, error) {
	if b, ok := v.(*[]byte); ok {
		return *b, nil
	}
	return nil, errors.New("want encoded bytes")
}

func (plain) Unmarshal(data []byte, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return errors.New("want encoded bytes")
	}
	*b = data
	return nil
}
