// Tenantcfg gives services the settings of a tenant, over gRPC.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
	"github.com/gocasebook/casebook/lab/holdout4/tenantcfg/registry"
)

// Settings is the service: the settings of a component for the tenant that asks.
type Settings interface {
	Get(ctx context.Context, component *wrapperspb.StringValue) (*structpb.Struct, error)
}

type settings struct{ defaults map[string]map[string]any }

func (s *settings) Get(ctx context.Context, component *wrapperspb.StringValue) (*structpb.Struct, error) {
	t := tenantOf(ctx)
	values := map[string]any{"quota": t.Quota, "region": t.Region, "plan": t.Plan}
	for k, v := range s.defaults[component.GetValue()] {
		values[k] = v
	}
	return structpb.NewStruct(values)
}

const method = "/tenants.Settings/Get"

var desc = grpc.ServiceDesc{
	ServiceName: "tenants.Settings",
	HandlerType: (*Settings)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Get", Handler: func(srv any, ctx context.Context, dec func(any) error,
		interceptor grpc.UnaryServerInterceptor) (any, error) {
		in := new(wrapperspb.StringValue)
		if err := dec(in); err != nil {
			return nil, err
		}
		info := &grpc.UnaryServerInfo{Server: srv, FullMethod: method}
		return interceptor(ctx, in, info, func(ctx context.Context, req any) (any, error) {
			return srv.(Settings).Get(ctx, req.(*wrapperspb.StringValue))
		})
	}}},
}

const tenants = 9000

func tenant(n int) registry.Tenant {
	return registry.Tenant{ID: fmt.Sprintf("t-%06d", n), Plan: []string{"free", "team", "business"}[n%3],
		Quota: 100 * (n%20 + 1), Region: "eu-west", Suspended: n%500 == 499}
}

// control is the control plane: a few changes a second.
func control(changes chan<- registry.Tenant) {
	for range time.Tick(200 * time.Millisecond) {
		changes <- tenant(rand.IntN(tenants))
	}
}

func load(p drive.Ports) {
	drive.Await(p.Own())
	conn, err := grpc.NewClient(p.Own(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	drive.Every(170, func(i int) {
		ctx := metadata.AppendToOutgoingContext(context.Background(), "tenant", tenant(rand.IntN(tenants)).ID)
		var out structpb.Struct
		conn.Invoke(ctx, method, wrapperspb.String([]string{"mail", "search", "billing"}[i%3]), &out)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	reg := registry.New()
	for n := range tenants {
		reg.Set(tenant(n))
	}
	changes := make(chan registry.Tenant)
	go control(changes)
	go reg.Follow(context.Background(), changes)
	go func() { log.Fatal(http.ListenAndServe(p.Main(), nil)) }()
	l, err := net.Listen("tcp", p.Own())
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer(grpc.UnaryInterceptor(authorize(reg)))
	srv.RegisterService(&desc, &settings{map[string]map[string]any{
		"mail":    {"sender": "noreply", "daily": 2000},
		"search":  {"fuzzy": true, "shards": 3},
		"billing": {"currency": "EUR"},
	}})
	log.Fatal(srv.Serve(l))
}
