// Options values options for a trading desk, over gRPC.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
	"github.com/gocasebook/casebook/lab/holdout4/options/price"
)

// Pricer is the service.
type Pricer interface {
	Value(ctx context.Context, in *structpb.Struct) (*wrapperspb.DoubleValue, error)
}

type pricer struct{ sim *price.Simulator }

func (p *pricer) Value(ctx context.Context, in *structpb.Struct) (*wrapperspb.DoubleValue, error) {
	o, err := option(in)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	v, err := p.sim.Value(ctx, o, 2000, 42)
	if err != nil {
		return nil, status.FromContextError(err).Err()
	}
	return wrapperspb.Double(v), nil
}

func option(in *structpb.Struct) (price.Asian, error) {
	f := in.GetFields()
	o := price.Asian{Spot: f["spot"].GetNumberValue(), Strike: f["strike"].GetNumberValue(), Rate: 0.03,
		Volatility: f["volatility"].GetNumberValue(), Years: f["years"].GetNumberValue(), Steps: 120}
	if o.Spot <= 0 || o.Volatility <= 0 || o.Years <= 0 {
		return o, errors.New("spot, volatility and years are above zero")
	}
	return o, nil
}

const method = "/desk.Pricer/Value"

var desc = grpc.ServiceDesc{
	ServiceName: "desk.Pricer",
	HandlerType: (*Pricer)(nil),
	Methods: []grpc.MethodDesc{{MethodName: "Value", Handler: func(srv any, ctx context.Context, dec func(any) error,
		_ grpc.UnaryServerInterceptor) (any, error) {
		in := new(structpb.Struct)
		if err := dec(in); err != nil {
			return nil, err
		}
		return srv.(Pricer).Value(ctx, in)
	}}},
}

func load(p drive.Ports) {
	drive.Await(p.Own())
	conn, err := grpc.NewClient(p.Own(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	drive.Every(60, func(i int) {
		in, err := structpb.NewStruct(map[string]any{"spot": 100 + i%7, "strike": 100, "volatility": 0.2, "years": 0.5})
		if err != nil {
			log.Fatal(err)
		}
		conn.Invoke(context.Background(), method, in, new(wrapperspb.DoubleValue))
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	go func() { log.Fatal(http.ListenAndServe(p.Main(), nil)) }()
	l, err := net.Listen("tcp", p.Own())
	if err != nil {
		log.Fatal(err)
	}
	srv := grpc.NewServer()
	srv.RegisterService(&desc, &pricer{price.NewSimulator()})
	log.Fatal(srv.Serve(l))
}
