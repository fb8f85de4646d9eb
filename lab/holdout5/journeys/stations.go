package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

const (
	methodName     = "/stations.v1.Stations/Name"
	methodPlatform = "/stations.v1.Stations/Platform"
)

// stationClient is the stub of the stations' service.
type stationClient struct{ conn grpc.ClientConnInterface }

func (c *stationClient) Name(ctx context.Context, station int64) (string, error) {
	out := new(wrapperspb.StringValue)
	if err := c.conn.Invoke(ctx, methodName, wrapperspb.Int64(station), out); err != nil {
		return "", fmt.Errorf("name of station %d: %w", station, err)
	}
	return out.Value, nil
}

func (c *stationClient) Platform(ctx context.Context, train int64) (string, error) {
	out := new(wrapperspb.StringValue)
	if err := c.conn.Invoke(ctx, methodPlatform, wrapperspb.Int64(train), out); err != nil {
		return "", fmt.Errorf("platform of train %d: %w", train, err)
	}
	return out.Value, nil
}

// serveStations plays the stations' service.
func serveStations(addr string) {
	method := func(name, format string) grpc.MethodDesc {
		return grpc.MethodDesc{MethodName: name, Handler: func(_ any, ctx context.Context, dec func(any) error,
			_ grpc.UnaryServerInterceptor) (any, error) {
			in := new(wrapperspb.Int64Value)
			if err := dec(in); err != nil {
				return nil, err
			}
			time.Sleep(4 * time.Millisecond)
			return wrapperspb.String(fmt.Sprintf(format, in.Value)), nil
		}}
	}
	s := grpc.NewServer()
	s.RegisterService(&grpc.ServiceDesc{ServiceName: "stations.v1.Stations", HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{method("Name", "Station %d"), method("Platform", "%d a")}}, nil)
	l := drive.Listen("tcp", addr)
	go func() { log.Fatal(s.Serve(l)) }()
}
